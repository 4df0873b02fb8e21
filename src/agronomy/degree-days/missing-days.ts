import { badArgument, CoverageError, shownValue } from '../../model/errors.js';
import { DAY_MS, formatDay } from '../../model/time.js';

/**
 * How to treat a day without a minimum or maximum: count it as 0 (the specification's rule), throw, or interpolate
 * linearly across gaps of at most that many days.
 */
export type MissingDays =
  | 'zero'
  | 'error'
  | {
      /** Maximum length of a gap, in days. */
      readonly interpolate: number;
    };

/**
 * @throws ArgumentError for an unknown policy, or a gap length that is not a whole number of days from 1
 */
export function checkMissingDays(missing: unknown): void {
  if (missing === 'zero' || missing === 'error') return;
  const maxGap = (missing as Partial<{ interpolate: number }> | null)?.interpolate;
  if (Number.isInteger(maxGap) && maxGap! >= 1) return;
  throw badArgument(
    'missing',
    `${shownValue(missing)} is not a policy; choose "zero", "error" or { interpolate: maximum gap in days }`,
  );
}

/** The number of days with both values; of one column, with its value. */
export function countDays(tmin: Float64Array, tmax: Float64Array = tmin): number {
  let counted = 0;
  for (let i = 0; i < tmin.length; i++) if (!Number.isNaN(tmin[i]! + tmax[i]!)) counted++;
  return counted;
}

/**
 * A copy with every inner gap of at most `maxGap` values interpolated linearly. Longer gaps, and those at either end, remain
 * missing: nothing is extrapolated.
 */
export function interpolateGaps(values: Float64Array, maxGap: number): Float64Array {
  const filled = values.slice();
  let known = -1;
  filled.forEach((value, day) => {
    if (Number.isNaN(value)) return;
    const gap = day - known - 1;
    if (known >= 0 && gap > 0 && gap <= maxGap) {
      const before = filled[known]!;
      const step = (value - before) / (gap + 1);
      for (let i = 1; i <= gap; i++) filled[known + i] = before + step * i;
    }
    known = day;
  });
  return filled;
}

/** @throws CoverageError that names the first day without both values */
export function refuseMissingDays(tmin: Float64Array, tmax: Float64Array, startMs: number | null): void {
  const days = tmin.length;
  const counted = countDays(tmin, tmax);
  if (counted === days) return;
  const first = tmin.findIndex((low, i) => Number.isNaN(low + tmax[i]!));
  const name = startMs === null ? `day ${first + 1} of the columns` : formatDay(startMs + first * DAY_MS);
  throw new CoverageError(
    counted / days,
    1,
    `${days - counted} of ${days} days lack tmin or tmax, first ${name}; fill them, or choose missing "zero" or { interpolate: maximum gap in days }`,
  );
}
