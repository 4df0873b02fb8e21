import { blankNulls } from '../../../columns/bitmap.js';
import { type PackedPoints, packColumns } from '../../../columns/packed-points.js';
import type { PointColumns } from '../../../columns/point-columns.js';
import { sliceColumns } from '../../../columns/point-rows.js';
import { positionOf } from '../../packing/handles.js';
import { MAX_LIST_POINTS } from '../../packing/packed-runs.js';
import type { PointGroup } from '../../packing/point-groups.js';
import type { PointPlan } from '../../plan.js';
import type { ArrowColumns, ColumnKind } from './arrow-columns.js';
import { nullableDates, validNumbers } from './packed-batches.js';

/** What the columns of `sortedQuery` hold. */
export function sortedKinds({ withAvailableDate, withMetadata }: PointPlan): ColumnKind[] {
  const kinds: ColumnKind[] = ['int32', 'int64', 'int64', 'float64', 'int32', 'int64'];
  if (withAvailableDate) kinds.push('int64');
  if (withMetadata) kinds.push('text');
  return kinds;
}

/** Packs the rows of `sortedQuery`. */
export function packSorted(
  batch: ArrowColumns<readonly ColumnKind[]>,
  plan: PointPlan,
  group: PointGroup,
): PackedPoints[] {
  const columns = pointColumns(batch, plan, group);
  if (columns.length <= MAX_LIST_POINTS) return packColumns(columns);
  const parts: PackedPoints[] = [];
  for (let from = 0; from < columns.length; from += MAX_LIST_POINTS)
    parts.push(...packColumns(sliceColumns(columns, from, Math.min(columns.length, from + MAX_LIST_POINTS))));
  return parts;
}

function pointColumns(
  { length, columns }: ArrowColumns<readonly ColumnKind[]>,
  { withAvailableDate, withMetadata }: PointPlan,
  group: PointGroup,
): PointColumns {
  const [series, start_date, end_date, values, unit_id, reporting, ...more] = columns;
  // What is packed shares the memory of the values only, which the next message overwrites.
  const value = (values as Float64Array).slice();
  const value_valid = validNumbers(value);
  if (value_valid !== null) blankNulls(value, value_valid);
  const { dates: reporting_date, valid: reporting_valid } = nullableDates(reporting as BigInt64Array);
  const texts = withMetadata ? (more.at(-1) as readonly string[]) : undefined;
  return {
    length,
    series: positions(series as Int32Array, group),
    start_date: start_date as BigInt64Array,
    end_date: end_date as BigInt64Array,
    value,
    value_valid,
    unit_id: unit_id as Int32Array,
    reporting_date,
    reporting_valid,
    available_date: withAvailableDate ? (more[0] as BigInt64Array) : undefined,
    metadata: texts?.map((text) => (text === '' ? null : text)),
  };
}

/** Positions in the plan. Most rows have the series of the row before them. */
function positions(handles: Int32Array, { series, offset }: PointGroup): Uint32Array {
  const found = new Uint32Array(handles.length);
  let at = 0;
  for (let row = 0; row < found.length; row++) {
    const handle = handles[row]!;
    if (series[at]!.handle !== handle) at = positionOf(handle, series, at + 1);
    found[row] = offset + at;
  }
  return found;
}
