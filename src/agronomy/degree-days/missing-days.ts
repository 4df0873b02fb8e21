import { ArgumentError, CoverageError } from '../../model/errors.js';
import { DAY_MS, formatDay } from '../../model/time.js';

/**
 * What to do with a day that lacks its minimum or maximum: let it contribute 0 (the specification's rule), refuse, or
 * fill gaps of at most that many days by a straight line between the known days on either side.
 */
export type MissingDays =
  | 'zero'
  | 'error'
  | {
      /** Maximum length of a gap, in days. */
      readonly interpolate: number;
    };

/**
 * @throws ArgumentError for an unknown policy, or a longest gap that is not a whole number of at least one day
 */
export function checkMissingDays(missing: MissingDays): MissingDays {
  if (missing === 'zero' || missing === 'error') return missing;
  const longest = (missing as Partial<{ interpolate: number }> | null)?.interpolate;
  if (Number.isInteger(longest) && longest! >= 1) return missing;
  throw new ArgumentError(
    'missing',
    `missing: ${JSON.stringify(missing)} is not a policy; choose "zero", "error" or { interpolate: longest gap in days }`,
  );
}

/** Number of days that have both values. */
export function countDays(tmin: Float64Array, tmax: Float64Array): number {
  let counted = 0;
  for (let i = 0; i < tmin.length; i++) if (!Number.isNaN(tmin[i]! + tmax[i]!)) counted++;
  return counted;
}

/** Days of one region among those of others: `count` values, `stride` apart, from position `from` on. */
export interface Strand {
  readonly from: number;
  readonly stride: number;
  readonly count: number;
}

/**
 * Sets every inner gap of at most `longest` missing values on the line between its neighbours. Longer gaps, and those
 * at either end, stay missing: nothing is extrapolated.
 */
export function interpolateGaps(
  values: Float64Array,
  { from, stride, count }: Strand,
  longest: number,
): void {
  let known = -1;
  for (let day = 0; day < count; day++) {
    if (Number.isNaN(values[from + day * stride]!)) continue;
    const gap = day - known - 1;
    if (known >= 0 && gap > 0 && gap <= longest) {
      fillGap(values, { from: from + known * stride, stride, count: gap });
    }
    known = day;
  }
}

/** Of a strand whose first value is known and whose `count` values after it are not. */
function fillGap(values: Float64Array, { from, stride, count }: Strand): void {
  const before = values[from]!;
  const step = (values[from + (count + 1) * stride]! - before) / (count + 1);
  for (let i = 1; i <= count; i++) values[from + i * stride] = before + step * i;
}

/**
 * @throws CoverageError that names the first day without both values
 */
export function refuseMissingDays(tmin: Float64Array, tmax: Float64Array, startMs: number | null): void {
  const days = tmin.length;
  const counted = countDays(tmin, tmax);
  if (counted === days) return;
  const first = tmin.findIndex((low, i) => Number.isNaN(low + tmax[i]!));
  const name = startMs === null ? `day ${first} of the columns` : formatDay(startMs + first * DAY_MS);
  throw new CoverageError(
    counted / days,
    1,
    `${days - counted} of ${days} days lack tmin or tmax, the first is ${name}; fill them, or choose missing "zero" or { interpolate: longest gap in days }`,
  );
}
