import { checkRequiredOptions, type OptionsOf, required } from '../../model/schema/check.js';
import { SHARE } from '../../model/schema/schemas.js';
import { dailyColumns, NUMBER_COLUMN } from './daily-values.js';
import type { DegreeDays } from './degree-days.js';
import { countDays, requireCoverage } from './missing-days.js';

const NIGHT_THRESHOLD_C = 4.44;
const DAY_THRESHOLD_C = 10;

const CORN_HEAT_KEYS = {
  /** Daily minimum temperatures in °C. */
  tmin: required(NUMBER_COLUMN),
  /** Daily maximum temperatures in °C, for the same days as `tmin`. */
  tmax: required(NUMBER_COLUMN),
  /** The minimum share of days that must have both temperatures, from 0 to 1; default 1. */
  min_temporal_coverage: SHARE,
};
/** Daily temperatures in °C, one for each consecutive day; NaN or null if missing. */
export interface CornHeatUnitsOptions extends OptionsOf<typeof CORN_HEAT_KEYS> {}

/** The corn heat units for each day, with the total and the coverage. */
export type CornHeatUnits = Pick<DegreeDays, 'daily' | 'total' | 'days' | 'days_counted' | 'coverage'>;

/**
 * Computes Ontario corn heat units: the mean of a night part, 1.8·(Tmin − 4.44), and a day part,
 * 3.33·(Tmax − 10) − 0.084·(Tmax − 10)², each at least 0. The day part peaks near 30 °C. Temperatures are in °C. A day
 * that is missing either temperature counts as 0 and lowers the coverage.
 *
 * Source: Brown, D. M. and A. Bootsma (1993), OMAFRA Factsheet 93-119.
 *
 * @throws ArgumentError if the columns differ in length or are empty
 * @throws CoverageError if the coverage is below `min_temporal_coverage`
 */
export function cornHeatUnits(options: CornHeatUnitsOptions): CornHeatUnits {
  checkRequiredOptions(options, CORN_HEAT_KEYS, 'cornHeatUnits');
  const { tmin, tmax } = dailyColumns(options);
  const days_counted = countDays(tmin, tmax);
  requireCoverage({ tmin, tmax, startMs: null }, days_counted, options.min_temporal_coverage);
  const daily = tmin.map((low, i) => cornHeatUnitsOfDay(low, tmax[i]!) || 0);
  const total = daily.reduce((sum, value) => sum + value, 0);
  return { daily, total, days: daily.length, days_counted, coverage: days_counted / daily.length };
}

function cornHeatUnitsOfDay(tmin: number, tmax: number): number {
  const night = Math.max(0, 1.8 * (tmin - NIGHT_THRESHOLD_C));
  const excess = Math.max(0, tmax - DAY_THRESHOLD_C);
  const day = Math.max(0, 3.33 * excess - 0.084 * excess ** 2);
  return (night + day) / 2;
}
