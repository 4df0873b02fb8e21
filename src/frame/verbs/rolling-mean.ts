import type { Table, TypeMap } from 'apache-arrow';
import { shiftDate } from '../../model/calendar.js';
import type { PeriodLength } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { mapSeries } from './map-series.js';
import type { SeriesPoints } from './series-points.js';

/** The window of a rolling mean. */
export interface RollingMeanOptions {
  /** Length of the window in the calendar, as `{ days: 7 }` or `{ years: 5 }`; gaps do not make it longer. */
  window: PeriodLength;
  /** Values that a window must hold, else its mean is null (default 1). */
  min_values?: number | undefined;
}

/**
 * The mean of each series over a trailing window: of the values whose end date lies after `end_date − window`, up to
 * and including the row's own. A null value does not count, and stays null; rows and dates stay.
 * @throws ArgumentError when the window is empty, or the table is no frame of series
 */
export function rollingMean<T extends TypeMap>(
  table: Table<T>,
  { window, min_values = 1 }: RollingMeanOptions,
): Table<T> {
  if (!(shiftDate(0, window) > 0)) {
    throw new ArgumentError('window', 'window: it must be longer than nothing, for instance { days: 30 }');
  }
  const step = `rollingMean(${JSON.stringify({ window, min_values })})`;
  return mapSeries(table, step, (points) => trailingMeans(points, window, min_values));
}

/** Sums run along with a compensation for rounding (Neumaier 1974), since values leave the window as they entered. */
function trailingMeans({ end, value }: SeriesPoints, window: PeriodLength, min: number): Float64Array {
  const means = new Float64Array(end.length).fill(Number.NaN);
  let sum = 0;
  let lost = 0;
  let from = 0;
  const add = (term: number) => {
    const next = sum + term;
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  };
  for (let i = 0; i < end.length; i++) {
    add(value[i]!);
    const after = shiftDate(end[i]!, window, -1);
    for (; end[from]! <= after; from++) add(-value[from]!);
    const count = i + 1 - from;
    if (count === 1) {
      sum = value[i]!;
      lost = 0;
    }
    if (count >= min) means[i] = (sum + lost) / count;
  }
  return means;
}
