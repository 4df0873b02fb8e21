import * as v from 'valibot';
import { shiftDate } from '../../model/calendar.js';
import { checkOptions, type OptionsOf } from '../../model/schema/check.js';
import { FINITE, integer } from '../../model/schema/schemas.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import type { DatedValues } from '../degree-days/daily-values.js';
import { countDays } from '../degree-days/missing-days.js';
import { seasonsIn } from '../degree-days/seasons.js';

const HALF_YEAR_DAYS = 183;

const FROST_KEYS = {
  /** A day has frost if its minimum is below this threshold, in the unit of the series. Default 0, which suits °C. */
  threshold: FINITE,
  /** The day, `MM-DD`, that divides spring from autumn (default `07-15`; use `01-15` in the southern hemisphere). */
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

const GROWTH_KEYS = {
  /** The daily mean above which plants grow, in the unit of the series. Default 5, which suits °C. */
  threshold: FINITE,
  /** The number of consecutive warm or cold days that begin or end a season (default 6). */
  days: integer({ min: 1 }),
  /** The first day of the year, `MM-DD` (default `01-01`; use `07-01` in the southern hemisphere). */
  year_start: v.string(),
};
/** The conditions that begin and end a growing season. */
export interface GrowingSeasonOptions extends OptionsOf<typeof GROWTH_KEYS> {}

/** The growing season of one year. */
export interface GrowingSeason {
  /** The calendar year in which the twelve-month period begins. */
  readonly year: number;
  /** The first day of the first run of warm days; null if the year has no season. */
  readonly start_date: string | null;
  /** The day before the run of cold days, or the year's last day if there is none; null if the year has no season. */
  readonly end_date: string | null;
  /** The number of days in the season; 0 if the year has none. */
  readonly days: number;
  /** The share of the year's days that have a value. */
  readonly coverage: number;
}

/**
 * Returns the growing season of each complete year in a series of daily means. A season lasts from the first run of
 * warm days until the first run of cold days in the second half of the year. By default, this is the ETCCDI index GSL
 * (Zhang et al. 2011, doi 10.1002/wcc.147): from six days above 5 °C until six days below 5 °C from 1 July on. A
 * missing day interrupts a run and lowers the coverage.
 * @throws ArgumentError if `year_start` is not `MM-DD`
 */
export function growingSeasons(series: DatedValues, options: GrowingSeasonOptions = {}): GrowingSeason[] {
  checkOptions(options, GROWTH_KEYS, 'growingSeasons');
  const { threshold = 5, days = 6, year_start = '01-01' } = options;
  return seasonsIn(series, { from: year_start, to: year_start }).flatMap(({ year, at, firstMs }) => {
    const dayCount = (parseTime(`${year + 1}-${year_start}`, 'year_start') - firstMs) / DAY_MS;
    const values = series.values.subarray(at, at + dayCount);
    if (values.length < dayCount) return [];
    return [{ year, ...seasonOf(values, { threshold, days, firstMs }) }];
  });
}

function seasonOf(
  values: Float64Array,
  { threshold, days, firstMs }: { threshold: number; days: number; firstMs: number },
): Omit<GrowingSeason, 'year'> {
  const coverage = countDays(values) / values.length;
  const first = findRun(values, { from: 0, days, fits: (value) => value > threshold });
  if (first < 0) return { start_date: null, end_date: null, days: 0, coverage };
  const middle = (shiftDate(firstMs, { months: 6 }) - firstMs) / DAY_MS;
  const cold = findRun(values, { from: Math.max(first, middle), days, fits: (value) => value < threshold });
  const end = cold < 0 ? values.length : cold;
  const date = (day: number) => formatDay(firstMs + day * DAY_MS);
  return { start_date: date(first), end_date: date(end - 1), days: end - first, coverage };
}

function findRun(
  values: Float64Array,
  { from, days, fits }: { from: number; days: number; fits: (value: number) => boolean },
): number {
  let run = 0;
  for (let day = from; day < values.length; day++) {
    run = fits(values[day]!) ? run + 1 : 0;
    if (run === days) return day - days + 1;
  }
  return -1;
}
