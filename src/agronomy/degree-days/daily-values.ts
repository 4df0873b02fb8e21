import type { Float64, Vector } from 'apache-arrow';
import { anyColumn } from '../../frame/table/columns.js';
import { ArgumentError } from '../../model/errors.js';
import { ANYTHING, type Schema } from '../../model/schema/schemas.js';
import { DAY_MS } from '../../model/time.js';
import type { TemperatureDays } from './kernels.js';
import type { ExtremesOf } from './plan.js';

/** Values of consecutive days, such as the accumulated degree days of one season. */
export interface DatedValues {
  /** The first day, `YYYY-MM-DD`. */
  readonly start_date: string;
  /** One value per day; NaN if missing. */
  readonly values: Float64Array;
}

export interface DaySpan {
  /** The first day, in UTC milliseconds. */
  readonly firstMs: number;
  readonly days: number;
}

export interface DailyValues {
  /** The first day, in UTC milliseconds. */
  readonly startMs: number;
  /** One value per day; NaN if missing. */
  readonly values: Float64Array;
}

export function emptyDays({ days }: Pick<DaySpan, 'days'>): Float64Array {
  return new Float64Array(days).fill(Number.NaN);
}

/** Writes dated values into an array of days. Dates outside the array are skipped; the last value for a day is kept. */
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

/** Returns a copy of the values within a span of days. Days on which the series has no value are NaN. */
export function sliceDays({ startMs, values }: DailyValues, { firstMs, days }: DaySpan): Float64Array {
  const slice = emptyDays({ days });
  const offset = (firstMs - startMs) / DAY_MS;
  const from = Math.max(0, offset);
  const to = Math.min(values.length, offset + days);
  if (from < to) slice.set(values.subarray(from, to), from - offset);
  return slice;
}

/** Returns the temperatures within a span of days, and the minimum of the day after it. */
export function temperaturesWithin({ tmin, tmax }: ExtremesOf<DailyValues>, span: DaySpan): TemperatureDays {
  const after = { firstMs: span.firstMs + span.days * DAY_MS, days: 1 };
  return { tmin: sliceDays(tmin, span), tmax: sliceDays(tmax, span), next_tmin: sliceDays(tmin, after)[0]! };
}

/**
 * A column of numbers: a typed array in which NaN marks a missing value, a list of numbers and nulls, or an Arrow
 * Float64 vector with nulls.
 */
export type NumberColumn = Float64Array | readonly (number | null)[] | Vector<Float64>;
/** Accepts anything, because `numberColumn` checks the values. */
export const NUMBER_COLUMN: Schema<NumberColumn> = ANYTHING;

/** Returns the column as a typed array, with NaN for null. A typed array is returned as is, without being copied. */
export function numberColumn(column: NumberColumn, argument: string): Float64Array {
  if (column instanceof Float64Array) return column;
  if (Array.isArray(column) && column.every((value) => value === null || typeof value === 'number'))
    return Float64Array.from(column, (value: number | null) => value ?? Number.NaN);
  const vector = column as Partial<Vector> | null | undefined;
  const read = Array.isArray(vector?.data) ? anyColumn(vector as Vector) : null;
  if (read?.type === 'float64') return read.values;
  throw new ArgumentError(
    argument,
    `${argument} must be a Float64Array (with NaN for missing values), a list of numbers and nulls, or an Arrow Float64 vector`,
  );
}

/**
 * Converts both columns to typed arrays. @throws ArgumentError if the columns differ in length or are empty, or if
 * either is not a column of numbers
 */
export function dailyColumns(options: ExtremesOf<NumberColumn>): ExtremesOf<Float64Array> {
  const tmin = numberColumn(options.tmin, 'tmin');
  const tmax = numberColumn(options.tmax, 'tmax');
  if (tmin.length !== tmax.length) {
    throw new ArgumentError(
      'tmax',
      `tmin and tmax differ in length (${tmin.length} and ${tmax.length}); pass one value per day in each, with NaN for missing values`,
    );
  }
  if (tmin.length === 0) throw new ArgumentError('tmin', 'tmin is empty; pass at least one day');
  return { tmin, tmax };
}
