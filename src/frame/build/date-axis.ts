import { type EpochWords, epochAt, epochWords, setEpoch } from '../../columns/epoch-words.js';
import { DAY_MS } from '../../model/time.js';

/** Rows `from` to `to` (exclusive) of a column of end dates. */
export interface DateSpan {
  ends: EpochWords;
  from: number;
  to: number;
}

/** The distinct end dates of all series, ascending: the rows of a wide frame. */
export interface DateAxis {
  length: number;
  dates: BigInt64Array;
  /**
   * The row of the first date of the span when its dates are on consecutive rows. Otherwise −1, with the row of each date
   * written to `rows`.
   */
  locate(span: DateSpan, rows: Int32Array): number;
}

/** The longest grid; longer spans of time, and dates off the grid, are merged as a sorted list. */
const MAX_GRID_DAYS = 4_000_000;

/** A grid of days; `unbroken` has the spans that contain every day from their first to their last, in order. */
interface DayGrid {
  origin: number;
  days: number;
  unbroken: ReadonlySet<DateSpan>;
}

/**
 * The axis of these spans. When all dates have the same time of day, rows are looked up by day number; otherwise in the
 * sorted list of all dates. Both produce the same axis.
 */
export function dateAxis(spans: readonly DateSpan[]): DateAxis {
  const grid = dayGrid(spans);
  return grid === null ? mergedAxis(spans) : gridAxis(spans, grid);
}

/** The grid of days that contains every date of the spans, or null when there is none. */
export function dayGrid(spans: readonly DateSpan[]): DayGrid | null {
  const first = spans.find(({ from, to }) => from < to);
  const unbroken = new Set<DateSpan>();
  if (first === undefined) return { origin: 0, days: 0, unbroken };
  const anchor = epochAt(first.ends, first.from);
  let min = 0;
  let max = 0;
  for (const span of spans) {
    if (span.from === span.to) continue;
    const range = isUnbroken(span) ? unbrokenRange(span, anchor) : brokenRange(span, anchor);
    if (range === null) return null;
    if (range.unbroken) unbroken.add(span);
    min = Math.min(min, range.min);
    max = Math.max(max, range.max);
  }
  const days = max - min + 1;
  return days > MAX_GRID_DAYS ? null : { origin: anchor + min * DAY_MS, days, unbroken };
}

interface DayRange {
  min: number;
  max: number;
  unbroken: boolean;
}

function isUnbroken({ ends, from, to }: DateSpan): boolean {
  let expected = epochAt(ends, from);
  for (let i = from; i < to; i++, expected += DAY_MS) if (epochAt(ends, i) !== expected) return false;
  return true;
}

function unbrokenRange({ ends, from, to }: DateSpan, anchor: number): DayRange | null {
  const min = (epochAt(ends, from) - anchor) / DAY_MS;
  return Number.isInteger(min) ? { min, max: min + to - from - 1, unbroken: true } : null;
}

function brokenRange({ ends, from, to }: DateSpan, anchor: number): DayRange | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = from; i < to; i++) {
    const day = (epochAt(ends, i) - anchor) / DAY_MS;
    if (day !== Math.floor(day)) return null;
    if (day < min) min = day;
    if (day > max) max = day;
  }
  return { min, max, unbroken: false };
}

/** The axis of a grid of days. */
export function gridAxis(spans: readonly DateSpan[], { origin, days, unbroken }: DayGrid): DateAxis {
  const present = new Uint8Array(days);
  const dayAt = (ends: EpochWords, i: number) => (epochAt(ends, i) - origin) / DAY_MS;
  for (const span of spans) {
    const { ends, from, to } = span;
    if (unbroken.has(span)) present.fill(1, dayAt(ends, from), dayAt(ends, from) + to - from);
    else for (let i = from; i < to; i++) present[(epochAt(ends, i) - origin) / DAY_MS] = 1;
  }
  const rowOfDay = new Int32Array(days);
  let length = 0;
  for (let day = 0; day < days; day++) if (present[day] === 1) rowOfDay[day] = length++;
  const dates = new BigInt64Array(length);
  const words = epochWords(dates);
  for (let day = 0; day < days; day++) {
    if (present[day] === 1) setEpoch(words, rowOfDay[day]!, origin + day * DAY_MS);
  }
  const locate = (span: DateSpan, rows: Int32Array) => {
    const { ends, from, to } = span;
    if (unbroken.has(span)) return rowOfDay[dayAt(ends, from)]!;
    for (let i = from; i < to; i++) rows[i - from] = rowOfDay[(epochAt(ends, i) - origin) / DAY_MS]!;
    return -1;
  };
  return { length, dates, locate };
}

/** The axis of any dates: their sorted list, traversed in parallel with each span. */
export function mergedAxis(spans: readonly DateSpan[]): DateAxis {
  const sorted = distinctDates(spans);
  const dates = new BigInt64Array(sorted.length);
  const words = epochWords(dates);
  for (let row = 0; row < sorted.length; row++) setEpoch(words, row, sorted[row]!);
  const locate = ({ ends, from, to }: DateSpan, rows: Int32Array) => {
    let row = -1;
    let steps = 0;
    for (let i = from; i < to; i++) {
      const date = epochAt(ends, i);
      const next = sorted[row + 1] === date ? row + 1 : lowerBound(sorted, date, row + 1);
      if (next === row + 1) steps++;
      row = next;
      rows[i - from] = row;
    }
    const consecutive =
      to > from && steps >= to - from - 1 && rows[to - from - 1]! - rows[0]! === to - from - 1;
    return consecutive ? rows[0]! : -1;
  };
  return { length: sorted.length, dates, locate };
}

function distinctDates(spans: readonly DateSpan[]): Float64Array {
  let sorted = new Float64Array(0);
  let unseen = new Float64Array(1024);
  let count = 0;
  for (const span of spans) {
    if (unseen.length < count + span.to - span.from) unseen = grown(unseen, count + span.to - span.from);
    count = collectUnseen(span, sorted, { unseen, count });
    if (count > sorted.length) {
      sorted = mergeDistinct(sorted, unseen.subarray(0, count));
      count = 0;
    }
  }
  return count === 0 ? sorted : mergeDistinct(sorted, unseen.subarray(0, count));
}

/** Appends the dates of the span that are not in `sorted` to `unseen`; returns the new count. */
function collectUnseen(
  { ends, from, to }: DateSpan,
  sorted: Float64Array,
  { unseen, count }: { unseen: Float64Array; count: number },
): number {
  let next = 0;
  let found = count;
  for (let i = from; i < to; i++) {
    const date = epochAt(ends, i);
    if (sorted[next] !== date) next = lowerBound(sorted, date, next);
    if (sorted[next] === date) next++;
    else unseen[found++] = date;
  }
  return found;
}

function grown(values: Float64Array, min: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.max(values.length * 2, min));
  larger.set(values);
  return larger;
}

/** Steps of linear search before the binary search. */
const NEAR = 8;

/** Index of the first date that is not before `parseDate`; searches near `guess` first. */
function lowerBound(sorted: Float64Array, date: number, guess: number): number {
  let low = 0;
  let high = sorted.length;
  if (guess < high && sorted[guess]! <= date) {
    low = guess;
    const near = Math.min(high, guess + NEAR);
    while (low < near && sorted[low]! < date) low++;
    if (low < near) return low;
  } else if (guess <= high && (guess === 0 || sorted[guess - 1]! < date)) {
    return guess;
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < date) low = middle + 1;
    else high = middle;
  }
  return low;
}

function mergeDistinct(sorted: Float64Array, unseen: Float64Array): Float64Array<ArrayBuffer> {
  unseen.sort();
  const merged = new Float64Array(sorted.length + unseen.length);
  let length = 0;
  let i = 0;
  let j = 0;
  while (i < sorted.length || j < unseen.length) {
    const takeSorted = j === unseen.length || sorted[i]! < unseen[j]!;
    const date = takeSorted && i < sorted.length ? sorted[i++]! : unseen[j++]!;
    if (length === 0 || merged[length - 1] !== date) merged[length++] = date;
  }
  return merged.slice(0, length);
}
