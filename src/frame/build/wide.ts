import { type Data, Field, Float64 } from 'apache-arrow';
import { blankNulls, clearBit, copyBits, emptyBitmap, isValid, setBit } from '../../columns/bitmap.js';
import type { PackedRows, PointSet } from '../../columns/packed-points.js';
import { NO_UNIT_ID, type PointSeries } from '../../columns/point-columns.js';
import type { EntityNames } from '../../model/entity.js';
import { getOrCompute } from '../../model/grouping.js';
import type { Provenance } from '../../model/provenance.js';
import type { RetrievalReport } from '../../model/report.js';
import { seriesKeyText } from '../../model/series.js';
import { Frame, type WideFrame } from '../frame.js';
import { createRecordBatch, fixedData, UTC } from '../table/frame-table.js';
import { columnNames, namedSeries, seriesMetadata } from '../table/names.js';
import { frameSchema } from '../table/provenance.js';
import { type DateAxis, type DateSpan, dateAxis } from './date-axis.js';
import { firstPositions, type PointRun, planRuns } from './plan-runs.js';

export interface WideFrameOptions {
  /** The entity names from which column names are built. An id without a name appears as a number. */
  names: EntityNames;
  /** The provenance to store in the schema metadata. The number of dropped points is added to its report. */
  provenance?: Provenance | undefined;
}

/**
 * Builds a wide frame (`compress_format`). The first column, `end_date`, contains all end dates in ascending order. It
 * is followed by one Float64 column for each series and unit, in the order of the saved series. Values are null on
 * dates without a point. Series without points also get a column. Each column is named after its series and unit, whose
 * names and ids are also in the field's metadata. Values are never averaged. If several points of a series end on the
 * same date, the one with the latest start date is kept. If the start dates are also equal, the latest reporting date
 * decides. The field's metadata and the report contain the number of dropped points (`dropped_duplicates`).
 *
 * The points can be split into several sets, in the order of the saved series, but all points of a series must be in
 * the same set. Columns with a point on every date share the memory of their points. All other points are copied, and
 * their memory is released column by column.
 */
export function wideFrame(points: PointSet | Iterable<PointSet>, options: WideFrameOptions): WideFrame {
  const columns: WideColumn[] = [];
  for (const { series, runs } of 'runs' in points ? [points] : points)
    columns.push(...planColumns(series, planRuns(series, runs)));
  return buildWide(columns, options);
}

interface WideColumn {
  series: PointSeries;
  unit_id: number | null;
  /** The column's points. The list is emptied once the column is built, so that the memory can be released. */
  spans: PointSpan[];
}

/** Plans a column for each series and unit. A series without points gets one column, in the unit of the series. */
function planColumns(series: readonly PointSeries[], runs: readonly PointRun[]): WideColumn[] {
  const units = series.map(() => new Map<number | null, WideColumn>());
  const columnOf = (position: number, unit: number | null) => {
    const unit_id = unit === NO_UNIT_ID ? null : unit;
    return getOrCompute(units[position]!, unit_id, () => ({ series: series[position]!, unit_id, spans: [] }));
  };
  for (const run of runs)
    for (const { unit_id, ...span } of spansOf(run)) columnOf(run.series, unit_id).spans.push(span);
  firstPositions(series).forEach((position, at) => {
    if (position === at && units[at]!.size === 0) columnOf(at, series[at]!.unit_id);
  });
  return units.flatMap((columns) => [...columns.values()]);
}

function* spansOf({ points, from, to }: PointRun): Generator<PointSpan & { unit_id: number }> {
  const { unit_id, start_date, end_date } = points;
  const ends = end_date ?? start_date;
  if (typeof unit_id === 'number') {
    yield { unit_id, points, ends, from, to };
    return;
  }
  for (let first = from, i = from + 1; i <= to; i++) {
    if (i < to && unit_id[i] === unit_id[first]) continue;
    yield { unit_id: unit_id[first]!, points, ends, from: first, to: i };
    first = i;
  }
}

function buildWide(columns: readonly WideColumn[], options: WideFrameOptions): WideFrame {
  const axis = dateAxis(columns.flatMap((column) => column.spans));
  const named = columns.map(({ series, unit_id }) => namedSeries(series, unit_id, options.names));
  const names = columnNames(named);
  const dropped = new Map<string, number>();
  const fields: Field[] = [new Field('end_date', UTC, false)];
  const children: Data[] = [fixedData(UTC, axis.dates)];
  columns.forEach((column, at) => {
    const scattered = scatterColumn(column.spans, axis);
    column.spans = [];
    const metadata = seriesMetadata(named[at]!);
    if (scattered.dropped > 0) {
      metadata.set('dropped_duplicates', String(scattered.dropped));
      const key = seriesKeyText(column.series);
      dropped.set(key, (dropped.get(key) ?? 0) + scattered.dropped);
    }
    fields.push(new Field(names[at]!, new Float64(), true, metadata));
    children.push(fixedData(new Float64(), scattered.values, scattered.valid));
  });
  const provenance = options.provenance && {
    ...options.provenance,
    report: withDropped(options.provenance.report, dropped),
  };
  const schema = frameSchema(fields, provenance);
  return new Frame(schema, [createRecordBatch(schema, children, axis.length)]);
}

function withDropped(report: RetrievalReport, dropped: ReadonlyMap<string, number>): RetrievalReport {
  const counted = new Set<string>();
  return report.map((entry) => {
    const key = seriesKeyText(entry.series);
    const count = dropped.get(key);
    if (count === undefined || counted.has(key)) return entry;
    counted.add(key);
    return { ...entry, dropped_duplicates: count };
  });
}

interface ScatteredColumn {
  values: Float64Array;
  valid: Uint8Array | null;
  dropped: number;
}

interface PointSpan extends DateSpan {
  points: PackedRows;
}

function scatterColumn(spans: readonly PointSpan[], axis: DateAxis): ScatteredColumn {
  const first = spans.length === 1 ? axis.locate(spans[0]!) : null;
  if (typeof first === 'number') return copyRun(spans[0]!, first, axis.length);
  const values = new Float64Array(axis.length).fill(Number.NaN);
  const [valid, filled] = [emptyBitmap(axis.length), emptyBitmap(axis.length)];
  let dropped = 0;
  for (const span of spans)
    dropped += scatterRows(span, { values, valid, filled, rows: first ?? axis.locate(span) });
  return { values, valid, dropped };
}

/** Builds a column from points on consecutive dates. Points on all dates are not copied, because nulls are NaN. */
function copyRun({ points, from, to }: PointSpan, first: number, length: number): ScatteredColumn {
  const run = points.value.subarray(from, to);
  const isShared = run.length === length;
  const values = isShared ? run : new Float64Array(length);
  if (!isShared) values.set(run, first);
  if (run.length === length && points.value_valid === null) return { values, valid: null, dropped: 0 };
  const valid = emptyBitmap(length);
  copyBits(valid, first, { bitmap: points.value_valid, at: from, count: to - from });
  if (!isShared) blankNulls(values, valid);
  return { values, valid, dropped: 0 };
}

interface Target {
  values: Float64Array;
  valid: Uint8Array;
  /** A bitmap of the rows that have a point, even if its value is null. */
  filled: Uint8Array;
  /** The number of the first row if the rows are consecutive; otherwise, all row numbers. */
  rows: number | Int32Array;
}

function scatterRows({ points, from, to }: PointSpan, { values, valid, filled, rows }: Target): number {
  const { value, value_valid } = points;
  let dropped = 0;
  for (let i = from; i < to; i++) {
    const row = typeof rows === 'number' ? rows + i - from : rows[i - from]!;
    if (isValid(filled, row)) dropped++;
    setBit(filled, row);
    const present = isValid(value_valid, i);
    if (present) setBit(valid, row);
    else clearBit(valid, row);
    values[row] = present ? value[i]! : Number.NaN;
  }
  return dropped;
}
