import { ArgumentError } from '../../model/errors.js';
import { DAY_MS, parseTime } from '../../model/time.js';

/** The running sum of daily values; NaN adds nothing. */
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
 * The running sum from a biofix on: the day of a biological event (a first catch, sowing, emergence) with which
 * development begins. The days before it stand at 0; the biofix itself counts.
 * @param start the day of `daily[0]`, `YYYY-MM-DD`
 * @throws ArgumentError when the biofix does not lie among the days
 */
export function accumulateFromBiofix(daily: Float64Array, start: string, biofix: string): Float64Array {
  const first = dayIndex(biofix, 'biofix', { start, days: daily.length });
  const sums = new Float64Array(daily.length);
  sums.set(accumulate(daily.subarray(first)), first);
  return sums;
}

/**
 * Position of a date among consecutive days.
 * @throws ArgumentError when it is not one of them
 */
export function dayIndex(date: string, argument: string, among: { start: string; days: number }): number {
  const index = Math.floor((parseTime(date, argument) - parseTime(among.start, 'start')) / DAY_MS);
  if (index >= 0 && index < among.days) return index;
  throw new ArgumentError(
    argument,
    `${argument} ${date} is not within the ${among.days} days from ${among.start}; give one of those days`,
  );
}
