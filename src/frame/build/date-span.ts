import type { RowRun } from '../../columns/row-runs.js';
import { dateAt, type SeriesDates } from '../../columns/series-dates.js';

/** Rows of the end dates of a series, at least one. */
export interface DateSpan extends RowRun {
  ends: SeriesDates;
}

/** The distinct end dates of all series, ascending: the rows of a wide frame. */
export interface DateAxis {
  length: number;
  dates: BigInt64Array;
  /**
   * The row of the first date of the span when its dates are on consecutive rows. Otherwise −1, with the row of each
   * date written to `rows`. The axis was made of such spans.
   */
  locate(span: DateSpan, rows: Int32Array): number;
}

/** The number of rows of the longest span. */
export function longestSpan(spans: Iterable<DateSpan>): number {
  let longest = 0;
  for (const { from, to } of spans) longest = Math.max(longest, to - from);
  return longest;
}

/** The first date of a span, UTC milliseconds. */
export function firstDate({ ends, from }: DateSpan): number {
  return dateAt(ends, from);
}

/** Fills `target` with the dates of a span, UTC milliseconds. */
export function readDates({ ends, from }: DateSpan, target: Float64Array): void {
  if (ends instanceof Float64Array) target.set(ends.subarray(from, from + target.length));
  else for (let i = 0; i < target.length; i++) target[i] = ends.firstMs + (from + i) * ends.stepMs;
}

/** Whether the dates of a span are those of a list from `at` on, one after another. */
export function isWindow({ ends, from, to }: DateSpan, dates: Float64Array, at: number): boolean {
  const count = to - from;
  if (at + count > dates.length) return false;
  if (ends instanceof Float64Array) {
    for (let i = 0; i < count; i++) if (ends[from + i] !== dates[at + i]) return false;
  } else {
    const { firstMs, stepMs } = ends;
    for (let i = 0; i < count; i++) if (firstMs + (from + i) * stepMs !== dates[at + i]) return false;
  }
  return true;
}
