import { frequencyOf, type SeriesPoints } from '../../frame/series/series-points.js';
import type { SeriesView } from '../../frame/table/series-view.js';
import { yearOf } from '../../model/calendar.js';
import { badArgument } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import { DAY_MS } from '../../model/time.js';
import { checkSeason, type SeasonBounds, seasonOf } from '../degree-days/seasons.js';

/** A series with a value for each consecutive day. */
export interface DailySeries {
  readonly view: SeriesView;
  /** The first day, in UTC milliseconds. */
  readonly startMs: number;
  /** One value a day; NaN where it is missing. */
  readonly values: Float64Array;
}

/**
 * A series of a frame by the day.
 * @throws ArgumentError when it is not daily
 */
export function dailySeries({ view, end, value }: SeriesPoints): DailySeries {
  const frequency = frequencyOf(view);
  if (frequency.id !== frequencyId('daily')) {
    throw badArgument('table', `${seriesName(view)} is ${frequency.name}; give daily series`);
  }
  if (end.length === 0) return { view, startMs: 0, values: new Float64Array(0) };
  const first = dayOf(end[0]!);
  const values = new Float64Array(dayOf(end.at(-1)!) - first + 1).fill(Number.NaN);
  end.forEach((date, i) => {
    values[dayOf(date) - first] = value[i]!;
  });
  return { view, startMs: first * DAY_MS, values };
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** The values of these days of a series; NaN where it has none. */
export function valuesOfDays(
  { startMs, values }: DailySeries,
  { firstMs, days }: { firstMs: number; days: number },
): Float64Array {
  const wanted = new Float64Array(days).fill(Number.NaN);
  const offset = (firstMs - startMs) / DAY_MS;
  const from = Math.max(0, offset);
  const to = Math.min(values.length, offset + days);
  if (from < to) wanted.set(values.subarray(from, to), from - offset);
  return wanted;
}

/** The name of a series in messages. */
export function seriesName({ key, names }: SeriesView): string {
  const region = names.get('region_name') ?? `region ${key.region_id}`;
  const item = names.get('item_name') ?? `item ${key.item_id}`;
  return `${item} of ${region}`;
}

/** The days of one season. */
export interface SeasonSpan {
  /** The year in which it begins. */
  readonly year: number;
  /** The first day, in UTC milliseconds. */
  readonly firstMs: number;
  readonly days: number;
}

/**
 * The seasons of which the series have any day, each whole, in order. Without bounds, the one from the first to the last
 * day.
 */
export function seasonSpans(series: readonly DailySeries[], bounds: SeasonBounds | undefined): SeasonSpan[] {
  const known = series.filter(({ values }) => values.length > 0);
  if (known.length === 0) return [];
  const first = known.reduce((min, { startMs }) => Math.min(min, startMs), Number.POSITIVE_INFINITY);
  const last = known.reduce((max, each) => Math.max(max, lastDay(each)), Number.NEGATIVE_INFINITY);
  if (bounds === undefined)
    return [{ year: yearOf(first), firstMs: first, days: (last - first) / DAY_MS + 1 }];
  const season = checkSeason(bounds);
  const spans: SeasonSpan[] = [];
  for (let year = yearOf(first) - 1; year <= yearOf(last); year++) {
    const { firstMs, lastMs } = seasonOf(year, season);
    if (lastMs >= first && firstMs <= last)
      spans.push({ year, firstMs, days: (lastMs - firstMs) / DAY_MS + 1 });
  }
  return spans;
}

function lastDay({ startMs, values }: DailySeries): number {
  return startMs + (values.length - 1) * DAY_MS;
}
