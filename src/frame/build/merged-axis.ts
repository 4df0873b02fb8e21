import { epochWords, setEpoch } from '../../columns/epoch-words.js';
import { type DateAxis, type DateSpan, firstDate, isWindow, longestSpan, readDates } from './date-span.js';

/** The axis of any dates: their sorted list, traversed in parallel with each span. */
export function mergedAxis(spans: readonly DateSpan[]): DateAxis {
  const sorted = distinctDates(spans);
  const dates = new BigInt64Array(sorted.length);
  const words = epochWords(dates);
  for (let row = 0; row < sorted.length; row++) setEpoch(words, row, sorted[row]!);
  const scratch = new Float64Array(longestSpan(spans));
  const locate = (span: DateSpan, rows: Int32Array) => {
    const count = span.to - span.from;
    const start = lowerBound(sorted, firstDate(span), 0);
    if (isWindow(span, sorted, start)) return start;
    readDates(span, scratch);
    let row = start - 1;
    for (let i = 0; i < count; i++) {
      const date = scratch[i]!;
      row = sorted[row + 1] === date ? row + 1 : lowerBound(sorted, date, row + 1);
      rows[i] = row;
    }
    return -1;
  };
  return { length: sorted.length, dates, locate };
}

function distinctDates(spans: readonly DateSpan[]): Float64Array {
  let sorted = new Float64Array(0);
  let unseen = new Float64Array(1024);
  let count = 0;
  const scratch = new Float64Array(longestSpan(spans));
  for (const span of spans) {
    if (isWindow(span, sorted, lowerBound(sorted, firstDate(span), 0))) continue;
    const dates = scratch.subarray(0, span.to - span.from);
    readDates(span, dates);
    if (unseen.length < count + dates.length) unseen = grown(unseen, count + dates.length);
    count = collectUnseen(dates, sorted, { unseen, count });
    if (count > sorted.length) {
      sorted = mergeDistinct(sorted, unseen.subarray(0, count));
      count = 0;
    }
  }
  return count === 0 ? sorted : mergeDistinct(sorted, unseen.subarray(0, count));
}

/** Appends the dates that are not in `sorted` to `unseen`; returns the new count. */
function collectUnseen(
  dates: Float64Array,
  sorted: Float64Array,
  { unseen, count }: { unseen: Float64Array; count: number },
): number {
  let next = 0;
  let found = count;
  for (let i = 0; i < dates.length; i++) {
    const date = dates[i]!;
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

/** Index of the first date that is not before `date`; searches near `guess` first. */
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
