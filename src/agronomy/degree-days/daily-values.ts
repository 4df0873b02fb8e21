import { DAY_MS } from '../../model/time.js';

/** Values of consecutive days, such as the accumulated degree days of one season. */
export interface DatedValues {
  /** The first day, `YYYY-MM-DD`. */
  readonly start_date: string;
  /** One value a day; NaN where it is missing. */
  readonly values: Float64Array;
}

/** Consecutive days. */
export interface DaySpan {
  /** The first day, in UTC milliseconds. */
  readonly firstMs: number;
  readonly days: number;
}

/** Values of consecutive days, from a first day on. */
export interface DailyValues {
  /** The first day, in UTC milliseconds. */
  readonly startMs: number;
  /** One value a day; NaN where it is missing. */
  readonly values: Float64Array;
}

/** Creates an array with a missing value for each day. */
export function emptyDays({ days }: Pick<DaySpan, 'days'>): Float64Array {
  return new Float64Array(days).fill(Number.NaN);
}

/** Writes dated values to their days. Drops values of other days, and keeps the last of several values on one day. */
export function alignDays(
  aligned: Float64Array,
  firstMs: number,
  { dateAt, values }: { dateAt: (i: number) => number; values: ArrayLike<number> },
): void {
  for (let i = 0; i < values.length; i++) {
    const day = Math.floor((dateAt(i) - firstMs) / DAY_MS);
    if (day >= 0 && day < aligned.length) aligned[day] = values[i]!;
  }
}

/** Copies the values of a span of days; NaN where the series has no value. */
export function sliceDays({ startMs, values }: DailyValues, { firstMs, days }: DaySpan): Float64Array {
  const slice = emptyDays({ days });
  const offset = (firstMs - startMs) / DAY_MS;
  const from = Math.max(0, offset);
  const to = Math.min(values.length, offset + days);
  if (from < to) slice.set(values.subarray(from, to), from - offset);
  return slice;
}
