import { mean, quantileRankSorted, quantileSorted, sampleStandardDeviation } from 'simple-statistics';
import { shiftDate } from '../../model/calendar.js';
import { ArgumentError } from '../../model/errors.js';
import { getOrCompute } from '../../model/grouping.js';
import { checkOptions, type OptionsOf } from '../../model/schema/check.js';
import { FINITE, listOf } from '../../model/schema/schemas.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import type { DatedValues } from './daily-values.js';

/** The distribution of values on each calendar day across the reference seasons. */
export interface Climatology {
  /** The calendar days, `MM-DD`, in the order of the season, without 29 February. */
  readonly days: readonly string[];
  /** The percentile of each curve, in ascending order. */
  readonly percentiles: readonly number[];
  /** One curve per percentile, with one value per calendar day; NaN if no season has a value for that day. */
  readonly curves: readonly Float64Array[];
  /** The mean for each calendar day; NaN if no season has a value for that day. */
  readonly mean: Float64Array;
  /** The sample standard deviation for each calendar day; NaN if the day has fewer than two values. */
  readonly sd: Float64Array;
  /** The values for each calendar day, in ascending order. */
  readonly samples: readonly Float64Array[];
}

const CLIMATOLOGY_KEYS = {
  /** Percentiles between 0 and 100; by default, 10, 25, 50, 75 and 90. */
  percentiles: listOf(FINITE),
};
/** The percentiles to compute for a climatology. */
export interface ClimatologyOptions extends OptionsOf<typeof CLIMATOLOGY_KEYS> {}

/**
 * Computes the percentiles, mean and standard deviation for each calendar day across several seasons. Days are matched
 * by month and day. 29 February is omitted, because it occurs in only one year in four. In an accumulated curve, the
 * value for 1 March includes the heat of 29 February. Seasons may differ in length: the statistics for a calendar day
 * use the seasons that include that day.
 * @throws ArgumentError if there is no season, if the seasons start on different days of the year, if a season is
 * longer than a year, or if a percentile is not between 0 and 100
 */
export function climatologyOf(
  seasons: readonly DatedValues[],
  options: ClimatologyOptions = {},
): Climatology {
  checkOptions(options, CLIMATOLOGY_KEYS, 'climatologyOf');
  const { percentiles = [10, 25, 50, 75, 90] } = options;
  checkSeasons(seasons);
  const wanted = [...percentiles].sort((a, b) => a - b);
  const wrong = wanted.find((percentile) => !(percentile >= 0 && percentile <= 100));
  if (wrong !== undefined)
    throw new ArgumentError('percentiles', `percentile ${wrong} is not between 0 and 100`);

  const byDay = new Map<string, number[]>();
  for (const { start_date, values } of seasons) addToSamples(byDay, start_date, values);
  const samples = [...byDay.values()].map((values) => Float64Array.from(values).sort());
  return {
    days: [...byDay.keys()],
    percentiles: wanted,
    curves: wanted.map((percentile) =>
      statisticOf(samples, 1, (sample) => quantileSorted(sample, percentile / 100)),
    ),
    mean: statisticOf(samples, 1, mean),
    sd: statisticOf(samples, 2, sampleStandardDeviation),
    samples,
  };
}

/** A comparison of a season with a climatology. Each array has one value per day of the season. */
export interface SeasonComparison {
  /** The percentage of reference values at or below the day's value. Equal values share their mean rank. */
  readonly percentile: Float64Array;
  /** The number of standard deviations by which the day's value exceeds the mean. */
  readonly z: Float64Array;
}

/**
 * Computes the percentile and z-score of each day of a season. Both are NaN if the season or climatology has no value
 * that day. The z-score is also NaN if all reference values are equal. 29 February is compared with 28 February.
 */
export function compareToClimatology(climatology: Climatology, season: DatedValues): SeasonComparison {
  const { start_date, values } = season;
  const positions = new Map(climatology.days.map((day, i) => [day, i]));
  const percentile = new Float64Array(values.length).fill(Number.NaN);
  const z = percentile.slice();
  calendarDays(start_date, values.length).forEach((day, i) => {
    const position = positions.get(day === LEAP_DAY ? '02-28' : day);
    const value = values[i]!;
    if (position === undefined || Number.isNaN(value)) return;
    const sample = climatology.samples[position]!;
    if (sample.length === 0) return;
    percentile[i] = 100 * quantileRankSorted(asNumbers(sample), value);
    const sd = climatology.sd[position]!;
    if (sd > 0) z[i] = (value - climatology.mean[position]!) / sd;
  });
  return { percentile, z };
}

const LEAP_DAY = '02-29';

function addToSamples(byDay: Map<string, number[]>, start: string, values: Float64Array): void {
  calendarDays(start, values.length).forEach((day, i) => {
    if (day === LEAP_DAY) return;
    const sample = getOrCompute(byDay, day, () => []);
    if (!Number.isNaN(values[i]!)) sample.push(values[i]!);
  });
}

function calendarDays(start: string, days: number): string[] {
  const startMs = parseTime(start, 'start_date');
  return Array.from({ length: days }, (_, i) => formatDay(startMs + i * DAY_MS).slice(5));
}

/** Computes a statistic for each sample; NaN for a sample with fewer than `min` values. */
function statisticOf(
  samples: readonly Float64Array[],
  min: number,
  statistic: (sample: number[]) => number,
): Float64Array {
  return Float64Array.from(samples, (sample) =>
    sample.length < min ? Number.NaN : statistic(asNumbers(sample)),
  );
}

/** Casts to the type that simple-statistics declares. The library reads only the elements and the length. */
function asNumbers(sample: Float64Array): number[] {
  return sample as unknown as number[];
}

function checkSeasons(seasons: readonly DatedValues[]): void {
  const first = seasons[0];
  if (first === undefined) throw new ArgumentError('seasons', 'seasons is empty; pass the reference seasons');
  for (const { start_date, values } of seasons) {
    const startMs = parseTime(start_date, 'start_date');
    if (formatDay(startMs).slice(5) !== first.start_date.slice(5, 10))
      throw new ArgumentError(
        'seasons',
        `one season starts on ${start_date}, another on ${first.start_date}; cut all seasons to start on the same day of the year`,
      );
    if (startMs + values.length * DAY_MS > shiftDate(startMs, { years: 1 }))
      throw new ArgumentError(
        'seasons',
        `the season that starts on ${start_date} has ${values.length} days; cut it to at most one year`,
      );
  }
}
