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

/** The number of days with both values. */
export function countDays(tmin: Float64Array, tmax: Float64Array): number {
  let counted = 0;
  for (let i = 0; i < tmin.length; i++) if (!Number.isNaN(tmin[i]! + tmax[i]!)) counted++;
  return counted;
}

/** The days of one region in a matrix: `count` values from position `from`, `stride` apart. */
interface Strand {
  readonly from: number;
  readonly stride: number;
  readonly count: number;
}

/**
 * Interpolates linearly across every inner gap of at most `maxGap` values. Longer gaps, and those at either end, remain
 * missing: nothing is extrapolated.
 */
export function interpolateGaps(values: Float64Array, { from, stride, count }: Strand, maxGap: number): void {
  let known = -1;
  for (let day = 0; day < count; day++) {
    if (Number.isNaN(values[from + day * stride]!)) continue;
    const gap = day - known - 1;
    if (known >= 0 && gap > 0 && gap <= maxGap) {
      fillGap(values, { from: from + known * stride, stride, count: gap });
    }
    known = day;
  }
}

/** @param gap starts at the last known value; `count` missing values follow */
function fillGap(values: Float64Array, gap: Strand): void {
  const { from, stride, count } = gap;
  const before = values[from]!;
  const step = (values[from + (count + 1) * stride]! - before) / (count + 1);
  for (let i = 1; i <= count; i++) values[from + i * stride] = before + step * i;
}

/** @throws CoverageError that names the first day without both values */
export function refuseMissingDays(tmin: Float64Array, tmax: Float64Array, startMs: number | null): void {
  const days = tmin.length;
  const counted = countDays(tmin, tmax);
  if (counted === days) return;
  const first = tmin.findIndex((low, i) => Number.isNaN(low + tmax[i]!));
  const name = startMs === null ? `day ${first} of the columns` : formatDay(startMs + first * DAY_MS);
  throw new CoverageError(
    counted / days,
    1,
    `${days - counted} of ${days} days lack tmin or tmax, first ${name}; fill them, or choose missing "zero" or { interpolate: maximum gap in days }`,
  );
}
