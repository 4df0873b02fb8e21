import type { Table } from 'apache-arrow';
import { firstFrom } from '../../columns/series-dates.js';
import {
  dateParts,
  dayOfCommonYear,
  dekadOf,
  monthNumber,
  shiftDate,
  shiftMonthEnd,
} from '../../model/calendar.js';
import { DERIVATIONS } from '../../model/derivations.js';
import type { PeriodLength } from '../../model/entity.js';
import { ArgumentError, badArgument } from '../../model/errors.js';
import { FREQUENCIES, periodDays } from '../../model/frequency.js';
import { getOrCompute } from '../../model/grouping.js';
import {
  checkOptions,
  checkRequiredOptions,
  type OptionsOf,
  optionsOf,
  required,
} from '../../model/schema/check.js';
import { DATE, integer, oneOf } from '../../model/schema/schemas.js';
import { DAY_MS, parsePeriod } from '../../model/time.js';
import { accumulateMoments, accumulateSum, type Moments } from '../groups/accumulators.js';
import { mapSeries } from '../series/map-series.js';
import { frequencyOf, type SeriesPoints } from '../series/series-points.js';
import { stepText } from '../table/provenance.js';
import { type SeriesView, seriesName } from '../table/series-view.js';

const ANOMALY = {
  /** The earliest end date to include in the reference period (default: the earliest in the data). */
  start_date: DATE,
  /** The latest end date to include in the reference period (default: the latest in the data). */
  end_date: DATE,
  /**
   * How the difference is expressed: `difference` = value − mean (default), `percent` = difference ÷ mean × 100,
   * `standardised` = difference ÷ sample standard deviation (n − 1), which has no unit.
   */
  as: oneOf(['difference', 'percent', 'standardised']),
};

/** Options for anomalies: the reference period, and how the difference is expressed. */
export interface AnomalyOptions extends OptionsOf<typeof ANOMALY> {}

export function anomaly(table: Table, options: AnomalyOptions = {}): Table {
  checkOptions(options, ANOMALY, 'anomaly');
  const { as = 'difference', start_date, end_date } = options;
  const { startMs, endMs } = parsePeriod(options);
  const [from, to] = [startMs ?? Number.NEGATIVE_INFINITY, endMs ?? Number.POSITIVE_INFINITY];
  const step = stepText('anomaly', { start_date, end_date, as });
  let [points, inReference] = [0, 0];
  const derivation = DERIVATIONS[ANOMALIES[as]]([start_date, end_date]);
  const departures = mapSeries(table, { step, derivation }, (series) => {
    points += series.end.length;
    for (const end of series.end) if (end >= from && end <= to) inReference++;
    return anomalies(series, { from, to, as });
  });
  if (points > 0 && inReference === 0) {
    throw new ArgumentError(
      start_date === undefined ? 'end_date' : 'start_date',
      `the reference period, ${start_date ?? 'the first date'} to ${end_date ?? 'the last date'}, contains no values; choose a period that the table covers`,
    );
  }
  return departures;
}

const ANOMALIES = {
  difference: 'anomaly',
  percent: 'percentAnomaly',
  standardised: 'standardisedAnomaly',
} as const;

interface Reference {
  from: number;
  to: number;
  as: keyof typeof ANOMALIES;
}

function anomalies(points: SeriesPoints, { from, to, as }: Reference): Float64Array {
  const { end, value } = points;
  const partOf = partOfYear(points);
  const parts = new Map<number, ReturnType<typeof accumulateMoments<Moments>>>();
  for (let i = 0; i < end.length; i++) {
    if (end[i]! < from || end[i]! > to) continue;
    getOrCompute(parts, partOf(end[i]!), () => accumulateMoments(value, value, (all) => all)).add(i);
  }
  const climates = new Map([...parts].map(([part, moments]) => [part, moments.result()]));
  return value.map((now, i) => anomalyOf(now, climates.get(partOf(end[i]!)), as));
}

function anomalyOf(now: number, climate: Moments | undefined, as: Reference['as']): number {
  if (climate === undefined) return Number.NaN;
  const { count, mean, squares } = climate;
  const difference = now - mean;
  if (as === 'difference') return difference;
  const divisor = as === 'percent' ? mean / 100 : Math.sqrt(squares[0] / (count - 1));
  return divisor === 0 ? Number.NaN : difference / divisor;
}

/** Returns a function that maps dates to numbered parts of the year. The last part may be longer than the others. */
function partOfYear({ view }: SeriesPoints): (ms: number) => number {
  const { name, periodLength } = frequencyOf(view);
  if (name === '10-day') return dekadOfYear;
  if ('days' in periodLength) {
    const last = Math.round(365 / periodLength.days) - 1;
    return (ms) => Math.min(last, Math.floor(dayOfCommonYear(ms) / periodLength.days));
  }
  if ('months' in periodLength) return (ms) => new Date(ms).getUTCMonth();
  return () => 0;
}

function dekadOfYear(ms: number): number {
  const { month, day } = dateParts(ms);
  return 3 * (month - 1) + dekadOf(day);
}

const CHANGE = {
  /**
   * How the change is expressed: `change` = now − then (default; in the series' unit), `ratio` = now ÷ then, `percent`
   * = (ratio − 1) × 100.
   */
  as: oneOf(['change', 'ratio', 'percent']),
  /** The number of years to go back (default 1). */
  years: integer({ min: 1, max: 10_000 }),
};

/** Options for year-over-year changes: how the change is expressed, and the number of years. */
export interface YearOverYearOptions extends OptionsOf<typeof CHANGE> {}

export function yearOverYear(table: Table, options: YearOverYearOptions = {}): Table {
  checkOptions(options, CHANGE, 'yearOverYear');
  const { as = 'change', years = 1 } = options;
  const step = stepText('yearOverYear', { as, years });
  const derivation = DERIVATIONS[CHANGES[as]](years);
  return mapSeries(table, { step, derivation }, (points) => {
    checkWholePeriods(points.view, years);
    const { value } = points;
    return value.map((now, i) => compare(now, value[counterpart(points, i, years)] ?? Number.NaN, as));
  });
}

const CHANGES = { change: 'change', ratio: 'ratio', percent: 'percentChange' } as const;

function checkWholePeriods(view: SeriesView, years: number): void {
  const { name, periodLength } = frequencyOf(view);
  if (!('years' in periodLength) || years % periodLength.years === 0) return;
  throw badArgument(
    'years',
    `${seriesName(view)} is ${name} and has no period that ends ${years === 1 ? 'a year' : `${years} years`} earlier; set years to ${periodLength.years} or a multiple of it, or exclude the series with selectSeries`,
  );
}

function compare(now: number, then: number, as: keyof typeof CHANGES): number {
  if (as === 'change') return now - then;
  if (then === 0) return Number.NaN;
  return as === 'ratio' ? now / then : (now / then - 1) * 100;
}

function counterpart({ view, end }: SeriesPoints, i: number, years: number): number {
  const wanted = shiftDate(end[i]!, { years }, -1);
  const low = firstFrom(end, wanted);
  const distance = (at: number) => Math.abs((end[at] ?? Number.POSITIVE_INFINITY) - wanted);
  const nearest = distance(low - 1) <= distance(low) ? low - 1 : low;
  return distance(nearest) <= (periodDays(frequencyOf(view)) * DAY_MS) / 2 ? nearest : -1;
}

const ROLLING_MEAN = {
  /**
   * The calendar length of the window, such as `{ days: 7 }`, `{ months: 3 }` or `{ years: 5 }`. In a monthly series,
   * three months are the row's own month and the two months before it, even if one of them is missing.
   */
  window: required(optionsOf<PeriodLength>({ days: integer(), months: integer(), years: integer() })),
  /** The minimum number of values in a window (default 1). If a window has fewer values, its mean is null. */
  min_values: integer({ min: 1 }),
};

/** Options for the window of a rolling mean. */
export interface RollingMeanOptions extends OptionsOf<typeof ROLLING_MEAN> {}

export function rollingMean(table: Table, options: RollingMeanOptions): Table {
  checkRequiredOptions(options, ROLLING_MEAN, 'rollingMean');
  const { window, min_values = 1 } = options;
  if (!(shiftMonthEnd(0, window) > 0))
    throw badArgument('window', 'the window is empty; specify a length, such as { days: 30 }');
  const step = stepText('rollingMean', { window, min_values });
  const derivation = DERIVATIONS.trailingMean(window);
  return mapSeries(table, { step, derivation }, (points) => trailingMeans(points, window, min_values));
}

function trailingMeans(points: SeriesPoints, window: PeriodLength, min: number): Float64Array {
  const { end, value } = points;
  const { at, before } = windowsOf(points, window);
  const means = new Float64Array(end.length).fill(Number.NaN);
  const mean = accumulateSum(value, true);
  let [from, added] = [0, 0];
  for (let i = 0; i < end.length; i++) {
    for (const last = before(i); at[from]! <= last; from++) mean.remove?.(from);
    if (from === i || mean.remove === undefined) {
      mean.clear();
      added = from;
    }
    while (added <= i) mean.add(added++);
    if (i + 1 - from >= min) means[i] = mean.result(i + 1 - from);
  }
  return means;
}

/** Returns each point's time, in ms or months, and a function that returns the last time before a point's window. */
function windowsOf({ view, end }: SeriesPoints, window: PeriodLength) {
  const { days = 0, months = 0, years = 0 } = window;
  const length = FREQUENCIES.find(({ id }) => id === view.key.frequency_id)?.periodLength ?? { days: 1 };
  if (days > 0 || 'days' in length)
    return { at: end, before: (i: number) => shiftMonthEnd(end[i]!, window, -1) };
  const at = end.map(monthNumber);
  return { at, before: (i: number) => at[i]! - months - 12 * years };
}
