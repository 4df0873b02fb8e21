import type { Table } from 'apache-arrow';
import { dateParts, dayOfCommonYear, dekadOf } from '../../model/calendar.js';
import { DERIVATIONS } from '../../model/derivations.js';
import { ArgumentError } from '../../model/errors.js';
import { checkOptions, type OptionKeys } from '../../model/schema/check.js';
import { DATE, oneOf } from '../../model/schema/schemas.js';
import { parsePeriod } from '../../model/time.js';
import { mapSeries } from '../series/map-series.js';
import { frequencyOf, type SeriesPoints } from '../series/series-points.js';

/** The reference period of an anomaly, and how the difference is expressed. */
export interface AnomalyOptions {
  /** First end date of the reference period; all data by default. */
  start_date?: string | undefined;
  /** Last end date of the reference period. */
  end_date?: string | undefined;
  /**
   * `difference` = value − mean (default), `percent` = difference ÷ mean × 100, `standardised` = difference ÷ sample
   * standard deviation (n − 1), which has no unit.
   */
  as?: 'difference' | 'percent' | 'standardised' | undefined;
}

const ANOMALY_KEYS: OptionKeys<AnomalyOptions> = {
  start_date: DATE,
  end_date: DATE,
  as: oneOf(['difference', 'percent', 'standardised']),
};

export function anomaly(table: Table, options: AnomalyOptions = {}): Table {
  checkOptions(options, ANOMALY_KEYS, 'anomaly');
  const { as = 'difference', start_date, end_date } = options;
  const { startMs, endMs } = parsePeriod(options);
  const [from, to] = [startMs ?? Number.NEGATIVE_INFINITY, endMs ?? Number.POSITIVE_INFINITY];
  const step = `anomaly(${JSON.stringify({ start_date, end_date, as })})`;
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
      `the reference period, ${start_date ?? 'the first date'} to ${end_date ?? 'the last date'}, has no value of any series; choose one that the table covers`,
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
  as: 'difference' | 'percent' | 'standardised';
}

/** Running mean and sum of squared deviations, after Welford (1962). */
interface Climate {
  count: number;
  mean: number;
  squares: number;
}

function anomalies(points: SeriesPoints, { from, to, as }: Reference): Float64Array {
  const { end, value } = points;
  const partOf = partOfYear(points);
  const climates = new Map<number, Climate>();
  for (let i = 0; i < end.length; i++) {
    if (end[i]! < from || end[i]! > to) continue;
    const part = partOf(end[i]!);
    const climate = climates.get(part) ?? { count: 0, mean: 0, squares: 0 };
    const deviation = value[i]! - climate.mean;
    climate.count++;
    climate.mean += deviation / climate.count;
    climate.squares += deviation * (value[i]! - climate.mean);
    climates.set(part, climate);
  }
  return value.map((now, i) => anomalyOf(now, climates.get(partOf(end[i]!)), as));
}

function anomalyOf(now: number, climate: Climate | undefined, as: Reference['as']): number {
  if (climate === undefined) return Number.NaN;
  const difference = now - climate.mean;
  if (as === 'difference') return difference;
  const divisor = as === 'percent' ? climate.mean / 100 : Math.sqrt(climate.squares / (climate.count - 1));
  return divisor === 0 ? Number.NaN : difference / divisor;
}

/** Returns a function that numbers the part of the year of a date: 31 December is in the last of 52 weeks. */
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

/** Returns the dekad of the year, 0 to 35, that contains a date. */
function dekadOfYear(ms: number): number {
  const { month, day } = dateParts(ms);
  return 3 * (month - 1) + dekadOf(day);
}
