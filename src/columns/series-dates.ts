import { DAY_MS } from '../model/time.js';
import { epochAt, epochWords } from './epoch-words.js';

/** Dates that follow each other by the same step; those of a single date have the step 0. */
export interface DateGrid {
  /** The first date, UTC milliseconds. */
  readonly firstMs: number;
  /** Milliseconds from each date to the next. */
  readonly stepMs: number;
}

/** Dates of one series: a grid, whole days since 1970-01-01, or UTC milliseconds. The shortest form that fits is used. */
export type SeriesDates = DateGrid | Int32Array | BigInt64Array;

const MAX_DAY = 0x7fff_ffff;

/** Rows `from` to `to` (exclusive) of a column of dates; they share no memory with it. */
export function packDates(column: BigInt64Array, from: number, to: number): SeriesDates {
  const words = epochWords(column);
  const firstMs = from < to ? epochAt(words, from) : 0;
  const stepMs = to - from > 1 ? epochAt(words, from + 1) - firstMs : 0;
  let expected = firstMs;
  let row = from;
  while (row < to && epochAt(words, row) === expected) {
    row++;
    expected += stepMs;
  }
  if (row === to) return { firstMs, stepMs };
  const days = new Int32Array(to - from);
  for (let i = 0; i < days.length; i++) {
    const day = epochAt(words, from + i) / DAY_MS;
    if (day !== Math.floor(day) || Math.abs(day) > MAX_DAY) return column.slice(from, to);
    days[i] = day;
  }
  return days;
}

/** Writes `length` dates to a column of UTC milliseconds from row `at` on. */
export function unpackDates(dates: SeriesDates, length: number, target: BigInt64Array, at = 0): void {
  if (dates instanceof BigInt64Array) target.set(dates.subarray(0, length), at);
  else if (dates instanceof Int32Array) writeDays(dates, length, epochWords(target.subarray(at)));
  else writeGrid(dates, length, epochWords(target.subarray(at)));
}

/** UTC milliseconds of row `i`. */
export function dateAt(dates: SeriesDates, i: number): number {
  if (dates instanceof BigInt64Array) return Number(dates[i]);
  return dates instanceof Int32Array ? dates[i]! * DAY_MS : dates.firstMs + i * dates.stepMs;
}

/** Rows `from` to `to` (exclusive); arrays are shared. */
export function sliceDates(dates: SeriesDates, from: number, to: number): SeriesDates {
  if (dates instanceof BigInt64Array || dates instanceof Int32Array) return dates.subarray(from, to);
  return { ...dates, firstMs: dates.firstMs + from * dates.stepMs };
}

const WORD = 4_294_967_296;

function writeDays(days: Int32Array, length: number, words: Int32Array): void {
  for (let i = 0; i < length; i++) {
    const ms = days[i]! * DAY_MS;
    words[2 * i] = ms;
    words[2 * i + 1] = Math.floor(ms / WORD);
  }
}

/** Adds the step word by word, with carry: a division for each date takes several times as long. */
function writeGrid({ firstMs, stepMs }: DateGrid, length: number, words: Int32Array): void {
  let high = Math.floor(firstMs / WORD);
  let low = firstMs - high * WORD;
  const stepHigh = Math.floor(stepMs / WORD);
  const stepLow = stepMs - stepHigh * WORD;
  for (let i = 0; i < length; i++) {
    words[2 * i] = low;
    words[2 * i + 1] = high;
    low += stepLow;
    high += stepHigh;
    if (low < WORD) continue;
    low -= WORD;
    high++;
  }
}
