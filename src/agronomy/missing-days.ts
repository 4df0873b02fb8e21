import { ArgumentError, CoverageError } from '../model/errors.js';
import { DAY_MS, formatDay } from '../model/time.js';

/**
 * What to do with a day that lacks its minimum or maximum: let it contribute 0 (the specification's rule), refuse, or
 * fill gaps of at most that many days by a straight line between the known days on either side.
 */
export type MissingDays = 'zero' | 'error' | { readonly interpolate: number };

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

/**
 * A copy in which every inner gap of at most `longest` missing values lies on the line between its neighbours.
 * Longer gaps, and those at either end, stay missing: nothing is extrapolated.
 */
export function interpolateGaps(values: Float64Array, longest: number): Float64Array {
  const filled = values.slice();
  let known = -1;
  for (let i = 0; i < filled.length; i++) {
    if (Number.isNaN(filled[i]!)) continue;
    const gap = i - known - 1;
    if (known >= 0 && gap > 0 && gap <= longest) fillGap(filled, known, i);
    known = i;
  }
  return filled;
}

function fillGap(values: Float64Array, before: number, after: number): void {
  const step = (values[after]! - values[before]!) / (after - before);
  for (let i = before + 1; i < after; i++) values[i] = values[before]! + step * (i - before);
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
