import { isValid } from '../../columns/bitmap.js';
import { type EpochWords, epochAt, epochWords } from '../../columns/epoch-words.js';
import type { PointColumns, PointSet } from '../../columns/point-columns.js';
import { compareSeriesKeys, seriesKeyText } from '../../model/series.js';

/** Rows `from` to `to` (exclusive) of one batch, all of one series and in frame order. */
export interface PointRun {
  /** First position of the series' key in the list of the point set. */
  series: number;
  /** Position that the rows have; differs from `series` where a key is listed twice. */
  entry: number;
  batch: number;
  from: number;
  to: number;
}

export type SeriesOrder = 'saved' | 'index';

interface BatchView {
  columns: PointColumns;
  start: EpochWords;
  end: EpochWords;
}

interface Row {
  entry: number;
  batch: number;
  row: number;
}

/**
 * The rows of a point set as runs in frame order: series in saved order (or sorted by key), each by start, end,
 * reporting and available date. A point that overlapping selections return twice is kept once, from the earlier entry of
 * the list. Points that differ only in available date are vintages of a complete history and are all kept.
 */
export function planRuns(points: PointSet, order: SeriesOrder): PointRun[] {
  const views = points.batches.map((columns) => ({
    columns,
    start: epochWords(columns.start_date),
    end: epochWords(columns.end_date),
  }));
  const first = firstPositions(points);
  const rank = seriesRanks(points, first, order);
  const runs: PointRun[] = [];
  const unordered = new Set<number>();
  for (let batch = 0; batch < views.length; batch++) {
    splitBatch(views[batch]!, batch, { first, runs, unordered });
  }
  runs.sort(
    (a, b) => rank[a.series]! - rank[b.series]! || compareFirstRows(views, a, b) || a.entry - b.entry,
  );
  return dedupeSeries(views, runs, unordered);
}

/** For each position of the list, the first position with the same key. */
export function firstPositions({ series }: PointSet): Uint32Array {
  const seen = new Map<string, number>();
  return Uint32Array.from(series, (key, position) => {
    const text = seriesKeyText(key);
    const first = seen.get(text) ?? position;
    seen.set(text, first);
    return first;
  });
}

function seriesRanks({ series }: PointSet, first: Uint32Array, order: SeriesOrder): Uint32Array {
  if (order === 'saved') return first;
  const sorted = Uint32Array.from(series.keys()).sort(
    (a, b) => compareSeriesKeys(series[a]!, series[b]!) || a - b,
  );
  const rank = new Uint32Array(series.length);
  sorted.forEach((position, at) => {
    rank[position] = at;
  });
  return rank;
}

interface SplitInto {
  first: Uint32Array;
  runs: PointRun[];
  unordered: Set<number>;
}

function splitBatch(view: BatchView, batch: number, { first, runs, unordered }: SplitInto): void {
  const { series, length } = view.columns;
  for (let from = 0, to = 0; from < length; from = to) {
    const entry = series[from]!;
    to = from + 1;
    while (to < length && series[to] === entry) to++;
    if (!isAscending(view, from, to)) unordered.add(first[entry]!);
    runs.push({ series: first[entry]!, entry, batch, from, to });
  }
}

/** Whether each row is strictly after the previous one; comparing start dates is mostly enough. */
function isAscending(view: BatchView, from: number, to: number): boolean {
  const { start } = view;
  let previous = epochAt(start, from);
  for (let i = from + 1; i < to; i++) {
    const now = epochAt(start, i);
    if (now <= previous && compareRows(view, i - 1, view, i) >= 0) return false;
    previous = now;
  }
  return true;
}

function compareRows(a: BatchView, i: number, b: BatchView, j: number): number {
  return comparePointKeys(a, i, b, j) || availableAt(a.columns, i) - availableAt(b.columns, j);
}

function comparePointKeys(a: BatchView, i: number, b: BatchView, j: number): number {
  return (
    epochAt(a.start, i) - epochAt(b.start, j) ||
    epochAt(a.end, i) - epochAt(b.end, j) ||
    reportingAt(a.columns, i) - reportingAt(b.columns, j)
  );
}

const NO_REPORTING_DATE = -Number.MAX_VALUE;

function reportingAt({ reporting_date, reporting_valid }: PointColumns, i: number): number {
  return isValid(reporting_valid, i) ? Number(reporting_date[i]) : NO_REPORTING_DATE;
}

function availableAt({ available_date }: PointColumns, i: number): number {
  return available_date === undefined ? 0 : Number(available_date[i]);
}

function compareFirstRows(views: BatchView[], a: PointRun, b: PointRun): number {
  return compareRows(views[a.batch]!, a.from, views[b.batch]!, b.from);
}

function dedupeSeries(views: BatchView[], runs: PointRun[], unordered: Set<number>): PointRun[] {
  const deduped: PointRun[] = [];
  for (let at = 0; at < runs.length; ) {
    let next = at + 1;
    let isDistinct = !unordered.has(runs[at]!.series);
    for (; next < runs.length && runs[next]!.series === runs[at]!.series; next++) {
      isDistinct &&= isBefore(views, runs[next - 1]!, runs[next]!);
    }
    if (isDistinct) for (; at < next; at++) deduped.push(runs[at]!);
    else pushRows(deduped, uniqueRows(views, runs.slice(at, next)), runs[at]!.series);
    at = next;
  }
  return deduped;
}

function isBefore(views: BatchView[], a: PointRun, b: PointRun): boolean {
  return compareRows(views[a.batch]!, a.to - 1, views[b.batch]!, b.from) < 0;
}

function uniqueRows(views: BatchView[], runs: PointRun[]): Row[] {
  const rows: Row[] = [];
  for (const { entry, batch, from, to } of runs) {
    for (let row = from; row < to; row++) rows.push({ entry, batch, row });
  }
  const view = (row: Row) => views[row.batch]!;
  const keyOrder = (a: Row, b: Row) => comparePointKeys(view(a), a.row, view(b), b.row);
  rows.sort(
    (a, b) =>
      keyOrder(a, b) ||
      a.entry - b.entry ||
      availableAt(view(a).columns, a.row) - availableAt(view(b).columns, b.row),
  );
  const kept: Row[] = [];
  for (const row of rows) {
    const last = kept.at(-1);
    if (last === undefined || keyOrder(last, row) !== 0) kept.push(row);
    else if (last.entry === row.entry && !sameVintage(views, last, row)) kept.push(row);
  }
  return kept;
}

function sameVintage(views: BatchView[], a: Row, b: Row): boolean {
  const one = views[a.batch]!.columns;
  const other = views[b.batch]!.columns;
  if (availableAt(one, a.row) !== availableAt(other, b.row)) return false;
  if (one.available_date !== undefined && other.available_date !== undefined) return true;
  const valid = isValid(one.value_valid, a.row);
  return (
    one.unit_id[a.row] === other.unit_id[b.row] &&
    valid === isValid(other.value_valid, b.row) &&
    (!valid || Object.is(one.value[a.row], other.value[b.row]))
  );
}

function pushRows(runs: PointRun[], rows: Row[], series: number): void {
  let last: PointRun | undefined;
  for (const { entry, batch, row } of rows) {
    if (last?.batch === batch && last.to === row) {
      last.to = row + 1;
    } else {
      last = { series, entry, batch, from: row, to: row + 1 };
      runs.push(last);
    }
  }
}
