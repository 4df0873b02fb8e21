import { turns } from '../../turns.js';
import type { HeldColumns, HeldPoints } from './held-points.js';

/** The rows of points that are held, grouped by series; those of a series are in order of their periods. */
export interface HeldOrder {
  readonly rows: Uint32Array;
  /** The rows of series `n` are those from `starts[n]` to `starts[n + 1]`. */
  readonly starts: Uint32Array;
  /** Numbers of the series with several points of one period, in ascending order. */
  readonly repeated: readonly number[];
}

/** Days between the first and the last start of an import that are counted one by one: three thousand years. */
const MAX_DAYS = 1 << 20;

/** Rows handled between two looks at the clock. */
const PIECE_ROWS = 1 << 16;

/** Orders rows by counting: by series, before that by day where days do not arrive in order, and the rest by comparing. */
export async function orderHeld({ columns }: HeldPoints, seriesCount: number): Promise<HeldOrder> {
  const series = columns.series.flat();
  await turns.next();
  const days = columns.start_day.flat();
  const starts = await countItems(series, seriesCount);
  let rows = await groupRows(null, series, starts);
  if (!(await areAscending(rows, starts, days))) {
    const byDay = await orderByDay(days);
    rows = await groupRows(byDay, series, starts);
  }
  return { rows, starts, repeated: await sortPeriods(rows, starts, { days, columns }) };
}

/** Does something for all rows, some at a time, other work having its turn in between. */
async function inPieces(length: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < length; from += PIECE_ROWS) {
    await turns.next();
    work(from, Math.min(length, from + PIECE_ROWS));
  }
}

/** Where the rows of each group begin when they are in order, and where the last ones end. */
async function countItems(groups: Int32Array, count: number): Promise<Uint32Array> {
  const starts = new Uint32Array(count + 1);
  await inPieces(groups.length, (from, to) => {
    for (let row = from; row < to; row++) starts[groups[row]! + 1]!++;
  });
  for (let group = 1; group <= count; group++) starts[group]! += starts[group - 1]!;
  return starts;
}

/** The rows in order of their groups; those of a group stay in the order in which they are given. */
async function groupRows(
  rows: Uint32Array | null,
  groups: Int32Array,
  starts: Uint32Array,
): Promise<Uint32Array> {
  const next = starts.slice();
  const grouped = new Uint32Array(groups.length);
  await inPieces(groups.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const row = rows === null ? i : rows[i]!;
      grouped[next[groups[row]!]!++] = row;
    }
  });
  return grouped;
}

/** Does something for the rows of each group, until it returns false, as `inPieces` does. @returns whether it never did */
async function forEachGroup(
  starts: Uint32Array,
  work: (from: number, to: number, group: number) => boolean,
): Promise<boolean> {
  let rows = 0;
  for (let group = 0; group + 1 < starts.length; group++) {
    const [from, to] = [starts[group]!, starts[group + 1]!];
    rows += to - from;
    if (rows >= PIECE_ROWS) {
      await turns.next();
      rows = 0;
    }
    if (!work(from, to, group)) return false;
  }
  return true;
}

function areAscending(rows: Uint32Array, starts: Uint32Array, days: Int32Array): Promise<boolean> {
  return forEachGroup(starts, (from, to) => {
    for (let i = from + 1; i < to; i++) if (days[rows[i]!]! < days[rows[i - 1]!]!) return false;
    return true;
  });
}

/** Null where the days are too far apart. */
async function orderByDay(days: Int32Array): Promise<Uint32Array | null> {
  let [first, last] = [days[0]!, days[0]!];
  await inPieces(days.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const day = days[row]!;
      if (day < first) first = day;
      else if (day > last) last = day;
    }
  });
  if (last - first >= MAX_DAYS) return null;
  const offsets = new Int32Array(days.length);
  await inPieces(days.length, (from, to) => {
    for (let row = from; row < to; row++) offsets[row] = days[row]! - first;
  });
  return groupRows(null, offsets, await countItems(offsets, last - first + 1));
}

interface Periods {
  readonly days: Int32Array;
  readonly columns: HeldColumns;
}

/** Sorts the rows of each series by period where they are not. @returns the series that repeat one */
async function sortPeriods(rows: Uint32Array, starts: Uint32Array, periods: Periods): Promise<number[]> {
  const compare = comparePeriods(periods);
  const repeated: number[] = [];
  await forEachGroup(starts, (from, to, series) => {
    const ofSeries = rows.subarray(from, to);
    let order = maxOrder(ofSeries, periods.days, compare);
    if (order > 0) {
      ofSeries.sort((a, b) => compare(a, b) || a - b);
      order = maxOrder(ofSeries, periods.days, compare);
    }
    if (order === 0) repeated.push(series);
    return true;
  });
  return repeated;
}

type Compare = (a: number, b: number) => number;

function comparePeriods({ days, columns }: Periods): Compare {
  const { start_ms, days: length, end_ms } = columns;
  return (a, b) =>
    days[a]! - days[b]! ||
    start_ms.at(a) - start_ms.at(b) ||
    length.at(a) - length.at(b) ||
    end_ms.at(a) - end_ms.at(b);
}

/** Positive when a row is before the one that precedes it, 0 when two neighbours are equal, and else negative. */
function maxOrder(rows: Uint32Array, days: Int32Array, compare: Compare): number {
  let max = -1;
  for (let i = 1; i < rows.length; i++) {
    const [before, row] = [rows[i - 1]!, rows[i]!];
    if (days[before]! < days[row]!) continue;
    const order = compare(before, row);
    if (order > 0) return order;
    if (order === 0) max = 0;
  }
  return max;
}
