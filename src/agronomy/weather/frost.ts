import * as v from 'valibot';
import { checkOptions, type OptionKeys } from '../../model/schema/check.js';
import { FINITE } from '../../model/schema/schemas.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import type { DatedValues } from '../degree-days/daily-values.js';
import { countDays } from '../degree-days/missing-days.js';
import { daysOfYears } from '../degree-days/seasons.js';

/** The threshold of frost, and the day that divides spring from autumn. */
export interface FrostOptions {
  /** A day with a minimum below it has frost; in the unit of the series (default 0, which is for °C). */
  threshold?: number | undefined;
  /** The day, `MM-DD`, from which on a frost is one of autumn (default `07-15`; `01-15` on the southern hemisphere). */
  midsummer?: string | undefined;
}

const FROST_KEYS: OptionKeys<FrostOptions> = { threshold: FINITE, midsummer: v.string() };

/** The frosts about one summer. */
export interface FrostDates {
  /** The year of midsummer. */
  readonly year: number;
  /** The last frost in the half year before midsummer; null when there is none. */
  readonly last_frost: string | null;
  /** The first frost in the half year from midsummer on; null when there is none. */
  readonly first_frost: string | null;
  /** Days after the last and before the first frost; null unless both are known. */
  readonly frost_free_days: number | null;
  /** Days of the year about midsummer that have a value, as a share. */
  readonly coverage: number;
}

/**
 * Finds the last frost of spring and the first of autumn of each year whose midsummer is among the days, from daily
 * minima. A year is the 183 days before midsummer and the 183 days from it on. A day that is missing, or beyond the
 * series, is no frost and lowers the coverage.
 * @throws ArgumentError for a midsummer that is not `MM-DD`
 */
export function frostDates(series: DatedValues, options: FrostOptions = {}): FrostDates[] {
  checkOptions(options, FROST_KEYS, 'frostDates');
  const { threshold = 0, midsummer = '07-15' } = options;
  const isFrost = (value: number) => value < threshold;
  return daysOfYears(series, midsummer).map(({ year, at, ms }) => {
    const before = series.values.subarray(Math.max(0, at - HALF_YEAR), at);
    const after = series.values.subarray(at, at + HALF_YEAR);
    const last = before.findLastIndex(isFrost);
    const first = after.findIndex(isFrost);
    const fromLast = before.length - last;
    return {
      year,
      last_frost: last < 0 ? null : formatDay(ms - fromLast * DAY_MS),
      first_frost: first < 0 ? null : formatDay(ms + first * DAY_MS),
      frost_free_days: last < 0 || first < 0 ? null : first + fromLast - 1,
      coverage: (countDays(before) + countDays(after)) / (2 * HALF_YEAR),
    };
  });
}

const HALF_YEAR = 183;
