import type { Table } from 'apache-arrow';
import { monthNumber, shiftMonthEnd } from '../../model/calendar.js';
import { DERIVATIONS } from '../../model/derivations.js';
import type { PeriodLength } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { checkRequiredOptions, type OptionKeys, optionsOf, required } from '../../model/schema/check.js';
import { integer } from '../../model/schema/schemas.js';
import { RunningSum } from '../groups/running-sum.js';
import { mapSeries } from '../series/map-series.js';
import type { SeriesPoints } from '../series/series-points.js';

/** The window of a rolling mean. */
export interface RollingMeanOptions {
  /**
   * Length of the window in the calendar, such as `{ days: 7 }`, `{ months: 3 }` or `{ years: 5 }`. Gaps do not extend it: a
   * window of three months of a monthly series has the row's month and the two before it.
   */
  window: PeriodLength;
  /** Minimum number of values in a window; with fewer, the mean is null (default 1). */
  min_values?: number | undefined;
}

const WINDOW_KEYS: OptionKeys<PeriodLength> = { days: integer(), months: integer(), years: integer() };
const ROLLING_KEYS: OptionKeys<RollingMeanOptions> = {
  window: required(optionsOf(WINDOW_KEYS)),
  min_values: integer({ min: 1 }),
};

export function rollingMean(table: Table, options: RollingMeanOptions): Table {
  checkRequiredOptions(options, ROLLING_KEYS, 'rollingMean');
  const { window, min_values = 1 } = options;
  if (!(shiftMonthEnd(0, window) > 0)) {
    throw badArgument('window', 'it is empty; give a length, for instance { days: 30 }');
  }
  const step = `rollingMean(${JSON.stringify({ window, min_values })})`;
  const derivation = DERIVATIONS.trailingMean(window);
  return mapSeries(table, { step, derivation }, (points) => trailingMeans(points, window, min_values));
}

function trailingMeans(points: SeriesPoints, window: PeriodLength, min: number): Float64Array {
  const { end, value } = points;
  const { at, before } = windowsOf(points, window);
  const means = new Float64Array(end.length).fill(Number.NaN);
  const sum = new RunningSum();
  let from = 0;
  for (let i = 0; i < end.length; i++) {
    sum.add(value[i]!);
    const last = before(i);
    for (; at[from]! <= last; from++) sum.add(-value[from]!);
    const count = i + 1 - from;
    if (count === 1) {
      sum.clear();
      sum.add(value[i]!);
    }
    if (count >= min) means[i] = sum.value / count;
  }
  return means;
}

/** Returns the position of each point, and a function that returns the last position before its window. */
function windowsOf({ view, end }: SeriesPoints, window: PeriodLength) {
  const { days = 0, months = 0, years = 0 } = window;
  const length = FREQUENCIES.find(({ id }) => id === view.key.frequency_id)?.periodLength ?? { days: 1 };
  if (days > 0 || 'days' in length)
    return { at: end, before: (i: number) => shiftMonthEnd(end[i]!, window, -1) };
  const at = end.map(monthNumber);
  return { at, before: (i: number) => at[i]! - months - 12 * years };
}
