import {
  availableAt,
  endAt,
  type PackedPoints,
  type PackedRows,
  type PackedRun,
  reportingAt,
  unitAt,
  valueAt,
} from '../../columns/packed-points.js';
import { dateAt, type SeriesDates } from '../../columns/series-dates.js';
import { getOrCompute } from '../../model/grouping.js';
import { compareSeriesKeys, type SeriesKey, seriesKeyText } from '../../model/series.js';

export interface PointRun extends PackedRun {
  /** The position, in the list of series, of the first entry with this series' key. */
  series: number;
  /** The position of the list entry that the points belong to. Entries with the same key have the same `series`. */
  entry: number;
  points: PackedRows;
  from: number;
  to: number;
}

type SeriesOrder = 'saved' | 'index';

interface Row {
  entry: number;
  points: PackedRows;
  row: number;
}

/**
 * Sorts points by series, then by start date, end date, reporting date and available date. If several entries for a
 * series contain the same point, only the first entry's point is kept. Points in one entry that differ only in
 * available date are revisions from a complete history, so all of them are kept.
 */
export function planRuns(
  series: readonly SeriesKey[],
  points: readonly PackedPoints[],
  order: SeriesOrder = 'saved',
): PointRun[] {
  const first = firstPositions(series);
  const rank = seriesRanks(series, first, order);
  const unordered = new Set<number>();
  const runs: PointRun[] = [];
  for (const run of points) {
    if (run.length === 0) continue;
    const position = first[run.series]!;
    if (!isAscending(run, 0, run.length)) unordered.add(position);
    runs.push({ series: position, entry: run.series, points: run, from: 0, to: run.length });
  }
  const compare = (a: PointRun, b: PointRun) =>
    rank[a.series]! - rank[b.series]! || compareRows(a.points, a.from, b.points, b.from);
  return dedupeSeries(runs.sort(compare), unordered);
}

export function firstPositions(series: readonly SeriesKey[]): Uint32Array {
  const seen = new Map<string, number>();
  return Uint32Array.from(series, (key, position) => getOrCompute(seen, seriesKeyText(key), () => position));
}

function seriesRanks(series: readonly SeriesKey[], first: Uint32Array, order: SeriesOrder): Uint32Array {
  if (order === 'saved') return first;
  const sorted = Uint32Array.from(series.keys()).sort((a, b) => compareSeriesKeys(series[a]!, series[b]!));
  const rank = new Uint32Array(series.length);
  sorted.forEach((position, at) => {
    rank[position] = at;
  });
  return rank;
}

function isAscending(points: PackedRows, from: number, to: number): boolean {
  for (let i = from; i < to; ) {
    i = ascendingStarts(points.start_date, i, to);
    if (i < to && compareRows(points, i - 1, points, i) >= 0) return false;
  }
  return true;
}

/** Returns the first row after `from` that does not start later than the previous row, or `to` if there is none. */
function ascendingStarts(dates: SeriesDates, from: number, to: number): number {
  let i = from + 1;
  if (dates instanceof Float64Array) while (i < to && dates[i]! > dates[i - 1]!) i++;
  else if (dates.stepMs > 0) return to;
  return i;
}

function compareRows(a: PackedRows, i: number, b: PackedRows, j: number): number {
  return comparePointKeys(a, i, b, j) || availableAt(a, i) - availableAt(b, j);
}

function comparePointKeys(a: PackedRows, i: number, b: PackedRows, j: number): number {
  return (
    dateAt(a.start_date, i) - dateAt(b.start_date, j) ||
    endAt(a, i) - endAt(b, j) ||
    (reportingAt(a, i) ?? NO_REPORTING_DATE) - (reportingAt(b, j) ?? NO_REPORTING_DATE)
  );
}

const NO_REPORTING_DATE = -Number.MAX_VALUE;

function dedupeSeries(runs: PointRun[], unordered: ReadonlySet<number>): PointRun[] {
  const deduped: PointRun[] = [];
  for (let at = 0; at < runs.length; ) {
    let next = at + 1;
    let isDistinct = !unordered.has(runs[at]!.series);
    for (; next < runs.length && runs[next]!.series === runs[at]!.series; next++) {
      isDistinct &&= isBefore(runs[next - 1]!, runs[next]!);
    }
    if (isDistinct) for (; at < next; at++) deduped.push(runs[at]!);
    else pushRows(deduped, uniqueRows(runs.slice(at, next)), runs[at]!.series);
    at = next;
  }
  return deduped;
}

function isBefore(a: PointRun, b: PointRun): boolean {
  return compareRows(a.points, a.to - 1, b.points, b.from) < 0;
}

function uniqueRows(runs: readonly PointRun[]): Row[] {
  const rows: Row[] = [];
  for (const { entry, points, from, to } of runs) {
    for (let row = from; row < to; row++) rows.push({ entry, points, row });
  }
  const keyOrder = (a: Row, b: Row) => comparePointKeys(a.points, a.row, b.points, b.row);
  rows.sort(
    (a, b) =>
      keyOrder(a, b) || a.entry - b.entry || availableAt(a.points, a.row) - availableAt(b.points, b.row),
  );
  const kept: Row[] = [];
  for (const row of rows) {
    const last = kept.at(-1);
    if (last === undefined || keyOrder(last, row) !== 0) kept.push(row);
    else if (last.entry === row.entry && !sameVintage(last, row)) kept.push(row);
  }
  return kept;
}

function sameVintage({ points: one, row: i }: Row, { points: other, row: j }: Row): boolean {
  if (availableAt(one, i) !== availableAt(other, j)) return false;
  if (one.available_date !== undefined) return true;
  return unitAt(one, i) === unitAt(other, j) && Object.is(valueAt(one, i), valueAt(other, j));
}

function pushRows(runs: PointRun[], rows: readonly Row[], series: number): void {
  let last: PointRun | undefined;
  for (const { entry, points, row } of rows) {
    if (last?.points === points && last.to === row) {
      last.to = row + 1;
    } else {
      last = { series, entry, points, from: row, to: row + 1 };
      runs.push(last);
    }
  }
}
