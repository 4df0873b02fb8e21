import type { RowRun } from '../../columns/row-runs.js';
import { dateAt, firstFrom, type SeriesDates, unpackDates } from '../../columns/series-dates.js';

/** Rows of the end dates of a series, at least one. */
export interface DateSpan extends RowRun {
  ends: SeriesDates;
}

/** The distinct end dates of all series, ascending: the rows of a wide frame. */
export interface DateAxis {
  length: number;
  dates: BigInt64Array;
  /**
   * The row of the first date of the span when its dates are on consecutive rows. Otherwise −1, with the row of each date
   * written to `rows`. The span is one of those that the axis was made of.
   */
  locate(span: DateSpan, rows: Int32Array): number;
}

/** The axis of these spans. */
export function dateAxis(spans: readonly DateSpan[]): DateAxis {
  const sorted = distinctDates(spans);
  const { length } = sorted.dates;
  const dates = new BigInt64Array(length);
  unpackDates(sorted.dates, length, dates);
  const scratch = new Float64Array(longestSpan(spans));
  const locate = (span: DateSpan, rows: Int32Array) => {
    let row = seek(sorted, dateAt(span.ends, span.from), 0);
    const step = rowStep(span, sorted, row);
    if (step === 1) return row;
    if (step > 0) {
      for (let i = 0; i < span.to - span.from; i++) rows[i] = row + i * step;
      return -1;
    }
    const ends = datesOf(span, scratch);
    for (let i = 0; i < ends.length; i++) {
      row = sorted.dates[row + 1] === ends[i] ? row + 1 : seek(sorted, ends[i]!, row);
      rows[i] = row;
    }
    return -1;
  };
  return { length, dates, locate };
}

/** Distinct dates, ascending, UTC milliseconds. */
interface SortedDates {
  readonly dates: Float64Array<ArrayBuffer>;
  /** Milliseconds from each date to the next, so that positions are computed; 0 where they differ. */
  readonly stepMs: number;
}

function distinctDates(spans: readonly DateSpan[]): SortedDates {
  const grid = unbrokenGrid(spans);
  if (grid !== null) return grid;
  let sorted: SortedDates = { dates: new Float64Array(0), stepMs: 0 };
  let unseen: number[] = [];
  const scratch = new Float64Array(longestSpan(spans));
  for (const span of spans) {
    let next = seek(sorted, dateAt(span.ends, span.from), 0);
    if (rowStep(span, sorted, next) > 0) continue;
    const ends = datesOf(span, scratch);
    for (let i = 0; i < ends.length; i++) {
      const date = ends[i]!;
      next = sorted.dates[next + 1] === date ? next + 1 : seek(sorted, date, next);
      if (sorted.dates[next] !== date) unseen.push(date);
    }
    // Merged whenever they have become as many, dates are not copied once for each series.
    if (unseen.length > sorted.dates.length) {
      sorted = merge(sorted, unseen);
      unseen = [];
    }
  }
  return unseen.length === 0 ? sorted : merge(sorted, unseen);
}

/** The most dates that are marked on a grid. */
const MAX_MARKED = 4_000_000;

/**
 * The dates of grids of one step that together have no gap, as daily series that begin on different days; otherwise null. To
 * collect their dates one by one takes as long as all else.
 */
function unbrokenGrid(spans: readonly DateSpan[]): SortedDates | null {
  const ends = spans[0]?.ends;
  if (ends === undefined || ends instanceof Float64Array || !(ends.stepMs > 0)) return null;
  const { firstMs, stepMs } = ends;
  const rowOf = (span: DateSpan) => (dateAt(span.ends, span.from) - firstMs) / stepMs;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const span of spans) {
    const row = rowOf(span);
    if (span.ends instanceof Float64Array || span.ends.stepMs !== stepMs || !Number.isInteger(row))
      return null;
    min = Math.min(min, row);
    max = Math.max(max, row + span.to - span.from);
  }
  if (max - min > MAX_MARKED) return null;
  const marks = new Uint8Array(max - min);
  for (const span of spans) marks.fill(1, rowOf(span) - min, rowOf(span) - min + span.to - span.from);
  if (marks.includes(0)) return null;
  return { dates: Float64Array.from(marks, (_, i) => firstMs + (min + i) * stepMs), stepMs };
}

function merge({ dates }: SortedDates, unseen: readonly number[]): SortedDates {
  const all = new Float64Array(dates.length + unseen.length);
  all.set(dates);
  all.set(unseen, dates.length);
  all.sort();
  const merged = all.filter((date, i) => date !== all[i - 1]);
  const stepMs = merged.length < 2 ? 0 : merged[1]! - merged[0]!;
  const isRegular = merged.every((date, i) => i === 0 || date - merged[i - 1]! === stepMs);
  return { dates: merged, stepMs: isRegular ? stepMs : 0 };
}

/** By how many rows each date of a span follows the one before, from `at` on; 0 where that differs, or a date is not there. */
function rowStep({ ends, from, to }: DateSpan, { dates, stepMs }: SortedDates, at: number): number {
  const count = to - from;
  if (dates[at] !== dateAt(ends, from)) return 0;
  if (!(ends instanceof Float64Array) && stepMs !== 0) {
    const step = count === 1 ? 1 : ends.stepMs / stepMs;
    return step > 0 && Number.isInteger(step) && at + (count - 1) * step < dates.length ? step : 0;
  }
  for (let i = 1; i < count; i++) if (dateAt(ends, from + i) !== dates[at + i]) return 0;
  return 1;
}

/** How many dates are looked at one by one: of a long axis, a series may have few. */
const NEAR = 8;

/** Index of the first date that is not before `date`; looks from `near` on first, as most dates follow the one before. */
function seek({ dates, stepMs }: SortedDates, date: number, near: number): number {
  const { length } = dates;
  if (stepMs !== 0) {
    const at = (date - dates[0]!) / stepMs;
    return at <= 0 ? 0 : at >= length ? length : Math.ceil(at);
  }
  if (near < length && dates[near]! <= date) {
    const end = Math.min(near + NEAR, length);
    for (let at = near; at < end; at++) if (dates[at]! >= date) return at;
  }
  return firstFrom(dates, date);
}

/** The dates of a span; those of a grid in `scratch`. */
function datesOf({ ends, from, to }: DateSpan, scratch: Float64Array): Float64Array {
  if (ends instanceof Float64Array) return ends.subarray(from, to);
  for (let i = from; i < to; i++) scratch[i - from] = ends.firstMs + i * ends.stepMs;
  return scratch.subarray(0, to - from);
}

/** The number of rows of the longest span. */
export function longestSpan(spans: Iterable<DateSpan>): number {
  let longest = 0;
  for (const { from, to } of spans) longest = Math.max(longest, to - from);
  return longest;
}
