import { yearOf } from '../../model/calendar.js';
import { DAY_MS } from '../../model/time.js';
import { checkSeason, type SeasonBounds, seasonOf } from '../degree-days/seasons.js';
import type { DailySeries } from './daily-series.js';

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
