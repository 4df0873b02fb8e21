import { checkNothing } from '../../model/arguments/checks.js';
import { checkRequiredOptions } from '../../model/arguments/option-keys.js';
import { ArgumentError } from '../../model/errors.js';
import type { DegreeDays } from './degree-days.js';
import { countDays } from './missing-days.js';
import { dailyColumns, type NumberColumn } from './temperature-column.js';

const NIGHT_THRESHOLD_C = 4.44;
const DAY_THRESHOLD_C = 10;

/** Corn heat units of each day, their total and coverage. */
export type CornHeatUnits = Pick<DegreeDays, 'daily' | 'total' | 'days' | 'days_counted' | 'coverage'>;

/**
 * Ontario corn heat units: the mean of a night part, 1.8·(Tmin − 4.44), and a day part,
 * 3.33·(Tmax − 10) − 0.084·(Tmax − 10)², each at least 0. The day part peaks near 30 °C. Temperatures are °C. A day
 * without both values counts as 0 and lowers the coverage.
 *
 * Source: Brown, D. M. and A. Bootsma (1993), OMAFRA Factsheet 93-119.
 *
 * @throws ArgumentError when the columns differ in length or are empty
 */
export function cornHeatUnits(options: {
  /** Daily minima in °C of the same days. */
  tmin: NumberColumn;
  /** Daily maxima in °C, one a calendar day. */
  tmax: NumberColumn;
}): CornHeatUnits {
  checkRequiredOptions(options, { tmin: checkNothing, tmax: checkNothing }, 'cornHeatUnits');
  const { tmin, tmax } = dailyColumns(options);
  if (tmin.length === 0) throw new ArgumentError('tmin', 'tmin has no days; pass at least one');
  const daily = tmin.map((low, i) => cornHeatUnitsOfDay(low, tmax[i]!) || 0);
  const total = daily.reduce((sum, value) => sum + value, 0);
  const days_counted = countDays(tmin, tmax);
  return { daily, total, days: daily.length, days_counted, coverage: days_counted / daily.length };
}

/** NaN when a temperature is missing. */
function cornHeatUnitsOfDay(tmin: number, tmax: number): number {
  const night = Math.max(0, 1.8 * (tmin - NIGHT_THRESHOLD_C));
  const excess = Math.max(0, tmax - DAY_THRESHOLD_C);
  const day = Math.max(0, 3.33 * excess - 0.084 * excess ** 2);
  return (night + day) / 2;
}
