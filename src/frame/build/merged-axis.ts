import { epochWords, setEpoch } from '../../columns/series-dates.js';
import { type DateAxis, type DateSpan, firstDate, isWindow, longestSpan, readDates } from './date-span.js';

/** The axis of any dates: their sorted list, traversed in parallel with each span. */
export function mergedAxis(spans: readonly DateSpan[]): DateAxis {
  const sorted = distinctDates(spans);
  const dates = new BigInt64Array(sorted.length);
  const words = epochWords(dates);
  for (let row = 0; row < sorted.length; row++) setEpoch(words, row, sorted[row]!);
  const scratch = new Float64Array(longestSpan(spans));
  const locate = (span: DateSpan, rows: Int32Array) => {
    const start = lowerBound(sorted, firstDate(span));
    if (isWindow(span, sorted, start)) return start;
    const wanted = scratch.subarray(0, span.to - span.from);
    readDates(span, wanted);
    let row = start;
    for (let i = 0; i < wanted.length; i++) {
      row = seek(sorted, wanted[i]!, row);
      rows[i] = row;
    }
    return -1;
  };
  return { length: sorted.length, dates, locate };
}

function distinctDates(spans: readonly DateSpan[]): Float64Array {
  let sorted = new Float64Array(0);
  let unseen: number[] = [];
  const scratch = new Float64Array(longestSpan(spans));
  for (const span of spans) {
    if (isWindow(span, sorted, lowerBound(sorted, firstDate(span)))) continue;
    const dates = scratch.subarray(0, span.to - span.from);
    readDates(span, dates);
    collectUnseen(dates, sorted, unseen);
    // Merged whenever they have become as many, dates are not copied once for each series.
    if (unseen.length > sorted.length) {
      sorted = mergeDistinct(sorted, unseen);
      unseen = [];
    }
  }
  return unseen.length === 0 ? sorted : mergeDistinct(sorted, unseen);
}

/** Appends the dates that are not in `sorted` to `unseen`. */
function collectUnseen(dates: Float64Array, sorted: Float64Array, unseen: number[]): void {
  let next = 0;
  for (const date of dates) {
    next = seek(sorted, date, next);
    if (next === sorted.length || sorted[next] !== date) unseen.push(date);
  }
}

/** How many dates are looked at one by one: of a long axis, a series may have few. */
const NEAR = 8;

/** Index of the first date that is not before `date`; looks from `near` on first, as most dates follow the one before. */
function seek(sorted: Float64Array, date: number, near: number): number {
  if (near < sorted.length && sorted[near]! <= date) {
    const end = Math.min(near + NEAR, sorted.length);
    for (let at = near; at < end; at++) if (sorted[at]! >= date) return at;
  }
  return lowerBound(sorted, date);
}

/** The same for a date anywhere. */
function lowerBound(sorted: Float64Array, date: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < date) low = middle + 1;
    else high = middle;
  }
  return low;
}

function mergeDistinct(sorted: Float64Array, unseen: readonly number[]): Float64Array<ArrayBuffer> {
  const all = new Float64Array(sorted.length + unseen.length);
  all.set(sorted);
  all.set(unseen, sorted.length);
  all.sort();
  return all.filter((date, i) => date !== all[i - 1]);
}
