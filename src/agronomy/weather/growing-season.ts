import * as v from 'valibot';
import { shiftDate } from '../../model/calendar.js';
import { checkOptions, type OptionKeys } from '../../model/schema/check.js';
import { FINITE, integer } from '../../model/schema/schemas.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import type { DatedValues } from '../degree-days/daily-values.js';
import { countDays } from '../degree-days/missing-days.js';
import { daysOfYears } from '../degree-days/seasons.js';

/** When a growing season begins and ends. */
export interface GrowingSeasonOptions {
  /** Daily mean above which plants grow; in the unit of the series (default 5, which is for °C). */
  threshold?: number | undefined;
  /** Consecutive days that make a beginning or an end (default 6). */
  days?: number | undefined;
  /** First day of the year, `MM-DD` (default `01-01`; `07-01` on the southern hemisphere). */
  year_start?: string | undefined;
}

const SEASON_KEYS: OptionKeys<GrowingSeasonOptions> = {
  threshold: FINITE,
  days: integer({ min: 1 }),
  year_start: v.string(),
};

/** The growing season of one year. */
export interface GrowingSeason {
  /** The year in which it is looked for. */
  readonly year: number;
  /** The first of the first warm days; null when there is no season. */
  readonly start_date: string | null;
  /** The day before the first of the cold days; the last day of the year when none come; null without a season. */
  readonly end_date: string | null;
  /** Number of days; 0 without a season. */
  readonly days: number;
  /** Days of the year that have a value, as a share. */
  readonly coverage: number;
}

/**
 * Returns the growing season of each whole year of a series of daily means: from the first run of warm days to the
 * first run of cold ones after the middle of the year. This is the index GSL of ETCCDI (Zhang et al. 2011, doi
 * 10.1002/wcc.147): six days above 5 °C, and six days below 5 °C from 1 July on. A missing day belongs to no run, and
 * lowers the coverage.
 * @throws ArgumentError for a first day that is not `MM-DD`
 */
export function growingSeasons(series: DatedValues, options: GrowingSeasonOptions = {}): GrowingSeason[] {
  checkOptions(options, SEASON_KEYS, 'growingSeasons');
  const { threshold = 5, days = 6, year_start = '01-01' } = options;
  return daysOfYears(series, year_start).flatMap(({ year, at, ms: firstMs }) => {
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

/** Finds the first day of the first run of that many days, or -1 if there is none. */
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
