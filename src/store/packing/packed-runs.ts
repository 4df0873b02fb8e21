import { allValid, bitmapBytes, copyBits, countValid } from '../../columns/bitmap.js';
import { type PackedPoints, packColumns, unpackPoints } from '../../columns/packed-points.js';
import { sliceColumns, takeRows } from '../../columns/point-rows.js';
import { ascendingRows } from '../../columns/row-order.js';
import type { SeriesDates } from '../../columns/series-dates.js';
import { DAY_MS } from '../../model/time.js';
import type { PointPlan } from '../plan.js';
import { turns } from '../turns.js';
import { positionOf } from './handles.js';
import type { KnownSeries } from './known-series.js';
import type { PackedColumns } from './packed-columns.js';

/** Rows `from` to `to` (exclusive), of one series and with ascending periods. */
interface Run {
  /** Position in the group. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

interface Packing {
  readonly plan: PointPlan;
  readonly series: readonly KnownSeries[];
  /** The position in the plan of the first of them. */
  readonly offset: number;
}

/** A list of points has at most so many. */
export const MAX_LIST_POINTS = 65_536;

/** Points that are packed between two looks at the clock. */
const POINTS_A_LOOK = 16_384;

/**
 * The points of some series in order, from columns in any order. The layout has most series in one run; the runs of
 * those that have several are merged where they overlap. Null when two points have the same period, whose order is then not
 * known.
 */
export async function packRuns(columns: PackedColumns, packing: Packing): Promise<PackedPoints[] | null> {
  const runs = findRuns(columns, packing.series);
  // Sorting is stable, so that the runs of a series stay as they were read.
  if (runs.some(({ at }, i) => i > 0 && runs[i - 1]!.at > at)) runs.sort((a, b) => a.at - b.at);
  const parts: PackedPoints[] = [];
  let points = POINTS_A_LOOK;
  for (let first = 0; first < runs.length; ) {
    if (points >= POINTS_A_LOOK) {
      await turns.next();
      points = 0;
    }
    let next = first;
    for (; next < runs.length && runs[next]!.at === runs[first]!.at; next++)
      points += runs[next]!.to - runs[next]!.from;
    const ofSeries = runs.slice(first, next);
    if (follow(columns, ofSeries)) for (const run of ofSeries) packPieces(columns, run, packing, parts);
    else if (!mergeRuns(columns, ofSeries, packing, parts)) return null;
    first = next;
  }
  return parts;
}

/** Parts in lists of at most so many points. */
export function listsOf(parts: readonly PackedPoints[]): PackedPoints[][] {
  const lists: PackedPoints[][] = [];
  let points = MAX_LIST_POINTS;
  for (const part of parts) {
    if (points + part.length > MAX_LIST_POINTS) {
      lists.push([]);
      points = 0;
    }
    lists.at(-1)!.push(part);
    points += part.length;
  }
  return lists;
}

function findRuns(
  { series: handles, start_day, days, length }: PackedColumns,
  series: readonly KnownSeries[],
): Run[] {
  const runs: Run[] = [];
  let at = -1;
  for (let from = 0; from < length; ) {
    const handle = handles[from]!;
    let to = from + 1;
    while (to < length && handles[to] === handle && isLater(start_day, days, to)) to++;
    if (series[at]?.handle !== handle) at = positionOf(handle, series, at + 1);
    runs.push({ at, from, to });
    from = to;
  }
  return runs;
}

/** Whether a row's period is after that of the row before it. */
function isLater(start_day: Int32Array, days: Int32Array | null, row: number): boolean {
  const step = start_day[row]! - start_day[row - 1]!;
  return step > 0 || (step === 0 && days !== null && days[row]! > days[row - 1]!);
}

/** Whether each run of a series starts after the start of the last point of the run before it. */
function follow({ start_day }: PackedColumns, runs: readonly Run[]): boolean {
  return runs.every(({ from }, i) => i === 0 || start_day[runs[i - 1]!.to - 1]! < start_day[from]!);
}

function packPieces(columns: PackedColumns, run: Run, packing: Packing, parts: PackedPoints[]): void {
  for (let from = run.from; from < run.to; from += MAX_LIST_POINTS) {
    const to = Math.min(run.to, from + MAX_LIST_POINTS);
    parts.push(packPiece(columns, { ...run, from, to }, packing));
  }
}

function mergeRuns(
  columns: PackedColumns,
  runs: readonly Run[],
  packing: Packing,
  parts: PackedPoints[],
): boolean {
  const unordered = unpackPoints(runs.map((run) => packPiece(columns, run, packing)));
  const { rows, unique } = ascendingRows(unordered);
  if (!unique) return false;
  const ordered = rows === null ? unordered : takeRows(unordered, rows);
  for (let from = 0; from < ordered.length; from += MAX_LIST_POINTS) {
    const to = Math.min(ordered.length, from + MAX_LIST_POINTS);
    parts.push(...packColumns(sliceColumns(ordered, from, to)));
  }
  return true;
}

function packPiece(
  columns: PackedColumns,
  { at, from, to }: Run,
  { plan, series, offset }: Packing,
): PackedPoints {
  const { unit_id, common } = series[at]!;
  const { value, start_day, days } = columns;
  const { withAvailableDate, withMetadata } = plan;
  return {
    series: offset + at,
    length: to - from,
    start_date: packDays(start_day.subarray(from, to)),
    end_date: packEnds(start_day.subarray(from, to), common.periodDays ?? days!.subarray(from, to)),
    value: value.subarray(from, to),
    value_valid: packValid(columns.value_valid, from, to),
    unit_id: common.hasOneUnit ? unit_id : columns.unit_id!.subarray(from, to),
    reporting_date: common.hasReportingDates ? packReporting(columns, from, to) : null,
    available_date: withAvailableDate
      ? (common.availableMs ?? columns.available_date!.subarray(from, to))
      : undefined,
    metadata: withMetadata ? null : undefined,
  };
}

/** The dates of some days, in memory of their own. */
function packDays(days: Int32Array): SeriesDates {
  const step = days.length > 1 ? days[1]! - days[0]! : 0;
  for (let row = 2; row < days.length; row++)
    if (days[row]! - days[row - 1]! !== step) return Float64Array.from(days, (day) => day * DAY_MS);
  return { firstMs: days[0]! * DAY_MS, stepMs: step * DAY_MS };
}

function packEnds(starts: Int32Array, days: number | Int32Array): SeriesDates | null {
  if (days === 0) return null;
  const ends =
    typeof days === 'number'
      ? starts.map((start) => start + days)
      : starts.map((start, row) => start + days[row]!);
  return packDays(ends);
}

function packValid(bitmap: Uint8Array | null, from: number, to: number): Uint8Array | null {
  if (bitmap === null) return null;
  const valid = new Uint8Array(bitmapBytes(to - from));
  copyBits(valid, 0, { bitmap, at: from, count: to - from });
  return allValid(valid, to - from) ? null : valid;
}

function packReporting(
  { reporting_date }: PackedColumns,
  from: number,
  to: number,
): PackedPoints['reporting_date'] {
  const valid = packValid(reporting_date!.valid, from, to);
  if (valid !== null && countValid(valid, to - from) === 0) return null;
  const dates = reporting_date!.dates.subarray(from, to);
  return valid === null && dates.every((date) => date === dates[0]) ? dates[0]! : { dates, valid };
}
