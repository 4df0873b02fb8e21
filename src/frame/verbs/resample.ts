import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { firstFrom } from '../../columns/series-dates.js';
import { CALENDARS, type Calendar, type Period, periodAt } from '../../model/calendar.js';
import { type Aggregate, DERIVATIONS } from '../../model/derivations.js';
import { badArgument } from '../../model/errors.js';
import { type FrequencyName, frequencyId, frequencyNamed, periodDays } from '../../model/frequency.js';
import { check, checkRequiredOptions, type OptionsOf, required } from '../../model/schema/check.js';
import { functionOf, integer, oneOf, SHARE } from '../../model/schema/schemas.js';
import { seriesKeyText } from '../../model/series.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import { buildFrameLike } from '../series/build-frame.js';
import { deriveSeries, metadataOfDerived } from '../series/map-series.js';
import {
  frequencyOf,
  joinRemarks,
  knownPoints,
  readSeries,
  refusePlainColumns,
  remarkReader,
  type SeriesPoints,
} from '../series/series-points.js';
import { stepText } from '../table/provenance.js';
import { frameShape, type SeriesView, seriesName } from '../table/series-view.js';

const AGGREGATE = oneOf(['sum', 'mean', 'last', 'min', 'max']);

const RESAMPLE = {
  /** The name of the coarser frequency. Weeks begin on Monday. */
  to: required(oneOf(CALENDARS)),
  /**
   * How to aggregate the values in a period: an aggregate, or a function that chooses one for each series, such as
   * `sum` for rainfall and `mean` for temperature.
   */
  how: required(v.union([functionOf<(series: SeriesView) => Aggregate>(), AGGREGATE])),
  /** The minimum share of a period's days that values must cover (default 1). Below it, the period's value is null. */
  min_temporal_coverage: SHARE,
  /** The month (1 to 12) in which years and quarters begin (default 1). Set it, for example, for marketing years. */
  first_month: integer({ min: 1, max: 12 }),
};

/** Options for resampling: the new frequency, and how values are aggregated. */
export interface ResampleOptions extends OptionsOf<typeof RESAMPLE> {}

export function resample(table: Table, options: ResampleOptions): Table {
  checkRequiredOptions(options, RESAMPLE, 'resample');
  refusePlainColumns(table, 'resample');
  const { to, how, min_temporal_coverage = 1, first_month = 1 } = options;
  const calendar: PeriodCalendar = { calendar: to, firstMonth: first_month };
  const aggregates = new Map<string, Aggregate>();
  const remarkOf = remarkReader(table);
  const isLong = frameShape(table) === 'long';
  const all = readSeries(table);
  const series = all.map((own): SeriesPoints => {
    const points = knownPoints(own);
    if (isOfFrequency(points, calendar)) {
      const kept = isLong ? own : points;
      return { ...kept, remarks: remarkOf && Array.from(kept.rows, remarkOf) };
    }
    const chosen = typeof how === 'function' ? how(points.view) : how;
    check(AGGREGATE, chosen, 'how');
    aggregates.set(
      points.view.column === 'value' ? seriesKeyText(points.view.key) : points.view.column,
      chosen,
    );
    const periods = aggregatePeriods(points, { ...calendar, how: chosen, min: min_temporal_coverage });
    return { ...periods, remarks: remarkOf && remarksOfPeriods(periods, own, remarkOf) };
  });
  const shown = typeof how === 'function' ? Object.fromEntries(aggregates) : how;
  const step = stepText('resample', { to, how: shown, min_temporal_coverage, first_month });
  const derived = all.map(({ view }, at) => ({ from: view, to: series[at]!.view }));
  return buildFrameLike(table, series, metadataOfDerived(table, step, derived));
}

function isOfFrequency({ view, start, end }: SeriesPoints, calendar: PeriodCalendar): boolean {
  const frequency = frequencyOf(view);
  const wanted = frequencyNamed(calendar.calendar);
  if (periodDays(frequency) < periodDays(wanted)) return false;
  const name = seriesName(view);
  if (frequency.id !== wanted.id) {
    throw badArgument(
      'to',
      `${name} is ${frequency.name}, which is coarser than ${wanted.name}; exclude it with selectSeries`,
    );
  }
  const other = end.findIndex((date, i) => {
    const { startMs, endMs } = periodAt(date, calendar.calendar, calendar.firstMonth);
    return start[i] !== startMs || date !== endMs;
  });
  if (other < 0) return true;
  throw badArgument(
    'to',
    `${name} is already ${frequency.name}, but with periods such as ${formatDay(start[other]!)} to ${formatDay(end[other]!)}, which are not the requested ones; exclude it with selectSeries${['quarterly', 'annual'].includes(wanted.name) ? ', or specify its first_month' : ''}`,
  );
}

interface PeriodCalendar {
  calendar: Calendar & FrequencyName;
  firstMonth: number;
}

interface Aggregation extends PeriodCalendar {
  how: Aggregate;
  min: number;
}

function aggregatePeriods(points: SeriesPoints, aggregation: Aggregation): SeriesPoints {
  const periods = periodsOf(points, aggregation);
  refuseDividedPoints(points, periods);
  const covered = coveredDays(points, periods);
  const value = new Float64Array(periods.length).fill(Number.NaN);
  const available = points.available && value.slice();
  let at = 0;
  periods.forEach(({ startMs, endMs }, i) => {
    const from = at;
    while (at < points.end.length && points.end[at]! < endMs + DAY_MS) at++;
    const days = (endMs - startMs) / DAY_MS + 1;
    if (at === from || covered[i]! < aggregation.min * days) return;
    value[i] = reduce(points.value.subarray(from, at), aggregation.how);
    if (available) available[i] = Math.max(...points.available!.subarray(from, at));
  });
  const { how, calendar, firstMonth } = aggregation;
  return {
    view: deriveSeries(
      withFrequency(points.view, calendar),
      DERIVATIONS.aggregate(how, calendar, firstMonth),
    ),
    rows: Int32Array.from(periods.keys()),
    start: Float64Array.from(periods, ({ startMs }) => startMs),
    end: Float64Array.from(periods, ({ endMs }) => endMs),
    value,
    available,
  };
}

/**
 * Rejects monthly and longer points that overlap two periods, because the whole value would be assigned to the later
 * period. Weekly and dekadal points are accepted, because the misassigned part is small.
 */
function refuseDividedPoints({ view, start, end }: SeriesPoints, periods: readonly Period[]): void {
  const frequency = frequencyOf(view);
  if ('days' in frequency.periodLength) return;
  let at = 0;
  for (const { startMs, endMs } of periods)
    for (; at < end.length && end[at]! < endMs + DAY_MS; at++) {
      if (start[at]! >= startMs) continue;
      throw badArgument(
        'to',
        `${seriesName(view)} is ${frequency.name}, and its period ${formatDay(start[at]!)} to ${formatDay(end[at]!)} overlaps two of the requested periods; specify a different first_month or frequency, or exclude the series with selectSeries`,
      );
    }
}

function remarksOfPeriods(
  { start, end }: SeriesPoints,
  all: SeriesPoints,
  remarkOf: (row: number) => string | null,
): (string | null)[] {
  return Array.from(start, (first, period) => {
    const [from, to] = [firstFrom(all.end, first), firstFrom(all.end, end[period]! + DAY_MS)];
    return joinRemarks(Array.from(all.rows.subarray(from, to), remarkOf));
  });
}

function withFrequency(view: SeriesView, frequency: FrequencyName): SeriesView {
  const parts = view.column.split(' · ');
  return {
    ...view,
    key: { ...view.key, frequency_id: frequencyId(frequency) },
    column: parts.map((part) => (part === view.names.get('frequency_name') ? frequency : part)).join(' · '),
    names: new Map(view.names).set('frequency_name', frequency),
  };
}

function reduce(values: Float64Array, how: Aggregation['how']): number {
  if (how === 'last') return values.at(-1)!;
  if (how === 'min' || how === 'max') return values.reduce((a, b) => Math[how](a, b));
  const sum = values.reduce((total, value) => total + value, 0);
  return how === 'sum' ? sum : sum / values.length;
}

function periodsOf({ end }: SeriesPoints, { calendar, firstMonth }: Aggregation): Period[] {
  const periods: Period[] = [];
  if (end.length === 0) return periods;
  let period = periodAt(end[0]!, calendar, firstMonth);
  while (period.startMs <= end.at(-1)!) {
    periods.push(period);
    period = periodAt(period.endMs + DAY_MS, calendar, firstMonth);
  }
  return periods;
}

/** Counts the days in each period that are covered by points with values. Each day counts only once. */
function coveredDays({ start, end, value }: SeriesPoints, periods: readonly Period[]): Float64Array {
  const covered = new Float64Array(periods.length);
  let counted = Number.NEGATIVE_INFINITY;
  let first = 0;
  for (let i = 0; i < end.length; i++) {
    if (Number.isNaN(value[i])) continue;
    const from = Math.max(Math.floor(start[i]! / DAY_MS), counted);
    const to = Math.floor(end[i]! / DAY_MS) + 1;
    while (first < periods.length && periods[first]!.endMs / DAY_MS < from) first++;
    for (let at = first; at < periods.length && periods[at]!.startMs / DAY_MS < to; at++) {
      const overlap =
        Math.min(to, periods[at]!.endMs / DAY_MS + 1) - Math.max(from, periods[at]!.startMs / DAY_MS);
      if (overlap > 0) covered[at] = covered[at]! + overlap;
    }
    counted = Math.max(counted, to);
  }
  return covered;
}
