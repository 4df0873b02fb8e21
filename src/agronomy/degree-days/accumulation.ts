import { ArgumentError } from '../../model/errors.js';
import { DAY_MS, parseTime } from '../../model/time.js';

/** The running sum of daily values; NaN counts as 0. */
export function accumulate(daily: Float64Array): Float64Array {
  const sums = new Float64Array(daily.length);
  let sum = 0;
  for (let i = 0; i < daily.length; i++) {
    const value = daily[i]!;
    if (!Number.isNaN(value)) sum += value;
    sums[i] = sum;
  }
  return sums;
}

/**
 * The running sum from a biofix, the day of a biological event (first catch, sowing, emergence) with which development
 * starts. Days before the biofix are 0; the biofix itself counts.
 * @param start the date of `daily[0]`, `YYYY-MM-DD`
 * @throws ArgumentError when the biofix is not one of the days
 */
export function accumulateFromBiofix(daily: Float64Array, start: string, biofix: string): Float64Array {
  const first = dayIndex(biofix, 'biofix', { start, days: daily.length });
  const sums = new Float64Array(daily.length);
  sums.set(accumulate(daily.subarray(first)), first);
  return sums;
}

/**
 * The position of a date among consecutive days.
 * @throws ArgumentError when the date is not one of the days
 */
export function dayIndex(date: string, argument: string, among: { start: string; days: number }): number {
  const index = Math.floor((parseTime(date, argument) - parseTime(among.start, 'start')) / DAY_MS);
  if (index >= 0 && index < among.days) return index;
  throw new ArgumentError(
    argument,
    `${argument} ${date} is not one of the ${among.days} days from ${among.start}; pass one of those days`,
  );
}
