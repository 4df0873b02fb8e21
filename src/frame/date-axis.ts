import { DAY_MS } from '../model/time.js';
import { type EpochWords, epochAt, setEpoch } from './epoch.js';

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
  /** Writes the row of each date of the span to `rows` and tells whether they are consecutive. */
  locate(span: DateSpan, rows: Int32Array): boolean;
}

/** Days that a grid may span; beyond it (or off the grid) the dates are merged as a sorted list. */
const MOST_GRID_DAYS = 4_000_000;

interface DayGrid {
  origin: number;
  days: number;
}

/**
 * The axis of these spans. When all dates share one time of day, rows are found by the number of the day; otherwise
 * by walking the sorted list of all dates. Both give the same axis.
 */
export function dateAxis(spans: readonly DateSpan[]): DateAxis {
  const grid = dayGrid(spans);
  return grid === null ? mergedAxis(spans) : gridAxis(spans, grid);
}

/** The grid of days that holds every date of the spans, or null where there is none. */
export function dayGrid(spans: readonly DateSpan[]): DayGrid | null {
  const first = spans.find(({ from, to }) => from < to);
  if (first === undefined) return { origin: 0, days: 0 };
  const anchor = epochAt(first.ends, first.from);
  let least = 0;
  let greatest = 0;
  for (const { ends, from, to } of spans) {
    for (let i = from; i < to; i++) {
      const day = (epochAt(ends, i) - anchor) / DAY_MS;
      if (day < least) least = day;
      else if (day > greatest) greatest = day;
      if (day !== Math.floor(day)) return null;
    }
  }
  const days = greatest - least + 1;
  return days > MOST_GRID_DAYS ? null : { origin: anchor + least * DAY_MS, days };
}

/** The axis over a grid of days. */
export function gridAxis(spans: readonly DateSpan[], { origin, days }: DayGrid): DateAxis {
  const present = new Uint8Array(days);
  for (const { ends, from, to } of spans) {
    for (let i = from; i < to; i++) present[(epochAt(ends, i) - origin) / DAY_MS] = 1;
  }
  const rowOfDay = new Int32Array(days);
  let length = 0;
  for (let day = 0; day < days; day++) if (present[day] === 1) rowOfDay[day] = length++;
  const dates = new BigInt64Array(length);
  const words = new Int32Array(dates.buffer);
  for (let day = 0; day < days; day++) {
    if (present[day] === 1) setEpoch(words, rowOfDay[day]!, origin + day * DAY_MS);
  }
  const locate = ({ ends, from, to }: DateSpan, rows: Int32Array) => {
    let consecutive = true;
    let previous = -1;
    for (let i = from; i < to; i++) {
      const row = rowOfDay[(epochAt(ends, i) - origin) / DAY_MS]!;
      if (row !== previous + 1 && i > from) consecutive = false;
      rows[i - from] = row;
      previous = row;
    }
    return consecutive;
  };
  return { length, dates, locate };
}

/** The axis over any dates: the sorted list of all of them, walked in step with each span. */
export function mergedAxis(spans: readonly DateSpan[]): DateAxis {
  const sorted = distinctDates(spans);
  const dates = new BigInt64Array(sorted.length);
  const words = new Int32Array(dates.buffer);
  for (let row = 0; row < sorted.length; row++) setEpoch(words, row, sorted[row]!);
  const locate = ({ ends, from, to }: DateSpan, rows: Int32Array) => {
    let consecutive = true;
    let row = -1;
    for (let i = from; i < to; i++) {
      const next = find(sorted, epochAt(ends, i), row + 1);
      if (next !== row + 1 && i > from) consecutive = false;
      row = next;
      rows[i - from] = row;
    }
    return consecutive;
  };
  return { length: sorted.length, dates, locate };
}

function distinctDates(spans: readonly DateSpan[]): Float64Array {
  let sorted = new Float64Array(0);
  let unseen = new Float64Array(1024);
  let count = 0;
  for (const { ends, from, to } of spans) {
    let row = -1;
    for (let i = from; i < to; i++) {
      const date = epochAt(ends, i);
      const at = find(sorted, date, row + 1);
      if (sorted[at] === date) {
        row = at;
        continue;
      }
      if (count === unseen.length) unseen = grown(unseen);
      unseen[count++] = date;
      row = at - 1;
    }
    if (count > sorted.length) {
      sorted = mergeDistinct(sorted, unseen.subarray(0, count));
      count = 0;
    }
  }
  return count === 0 ? sorted : mergeDistinct(sorted, unseen.subarray(0, count));
}

function grown(values: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(values.length * 2);
  larger.set(values);
  return larger;
}

/** Place of the first date not before `date`, looking near `guess` first. */
function find(sorted: Float64Array, date: number, guess: number): number {
  if (sorted[guess] === date) return guess;
  let low = 0;
  let high = sorted.length;
  if (guess < high && sorted[guess]! < date) {
    low = guess + 1;
    for (let step = 1; low + step < high; step *= 2) {
      if (sorted[low + step]! >= date) high = low + step;
      else low += step;
    }
  } else if (guess < high) {
    high = guess;
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
