import * as v from 'valibot';
import { checkOptions, type OptionsOf } from '../../model/schema/check.js';
import { FINITE } from '../../model/schema/schemas.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import type { DatedValues } from '../degree-days/daily-values.js';
import { countDays } from '../degree-days/missing-days.js';
import { seasonsIn } from '../degree-days/seasons.js';

const HALF_YEAR_DAYS = 183;

const FROST_KEYS = {
  /** A day has frost if its minimum is below this threshold, in the unit of the series. Default 0, which suits °C. */
  threshold: FINITE,
  /**
   * The first day, `MM-DD`, on which a frost counts as an autumn frost. Default `07-15`; use `01-15` in the southern
   * hemisphere.
   */
  midsummer: v.string(),
};
/** The frost threshold, and the day that divides spring from autumn. */
export interface FrostOptions extends OptionsOf<typeof FROST_KEYS> {}

/** The last spring frost and the first autumn frost of one year. */
export interface FrostDates {
  /** The year in which midsummer falls. */
  readonly year: number;
  /** The date of the last frost in the half year before midsummer; null if there is none. */
  readonly last_frost: string | null;
  /** The date of the first frost in the half year from midsummer on; null if there is none. */
  readonly first_frost: string | null;
  /** The number of days between the two frosts; null unless both dates are known. */
  readonly frost_free_days: number | null;
  /** The share of days in the year around midsummer that have a value. */
  readonly coverage: number;
}

/**
 * Finds the last spring frost and the first autumn frost from daily minima, for each year whose midsummer is within the
 * series. A year is the 183 days before midsummer and the 183 days from midsummer on. Days that are missing or outside
 * the series count as frost-free and lower the coverage.
 * @throws ArgumentError if midsummer is not `MM-DD`
 */
export function frostDates(series: DatedValues, options: FrostOptions = {}): FrostDates[] {
  checkOptions(options, FROST_KEYS, 'frostDates');
  const { threshold = 0, midsummer = '07-15' } = options;
  const isFrost = (value: number) => value < threshold;
  return seasonsIn(series, { from: midsummer, to: midsummer }).map(({ year, at, firstMs }) => {
    const before = series.values.subarray(Math.max(0, at - HALF_YEAR_DAYS), at);
    const after = series.values.subarray(at, at + HALF_YEAR_DAYS);
    const last = before.findLastIndex(isFrost);
    const first = after.findIndex(isFrost);
    const fromLast = before.length - last;
    return {
      year,
      last_frost: last < 0 ? null : formatDay(firstMs - fromLast * DAY_MS),
      first_frost: first < 0 ? null : formatDay(firstMs + first * DAY_MS),
      frost_free_days: last < 0 || first < 0 ? null : first + fromLast - 1,
      coverage: (countDays(before) + countDays(after)) / (2 * HALF_YEAR_DAYS),
    };
  });
}
