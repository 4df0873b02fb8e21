import * as v from 'valibot';
import { yearOf } from '../../model/calendar.js';
import { badArgument } from '../../model/errors.js';
import { checkRequiredOptions, type OptionsOf, required } from '../../model/schema/check.js';
import { DAY_MS, formatDay, parseTime, utcDay } from '../../model/time.js';
import type { DatedValues, DaySpan } from './daily-values.js';

export const SEASON_KEYS = {
  /** The first day of the season, `MM-DD`. */
  from: required(v.string()),
  /** The last day of the season, `MM-DD`. `02-29` stands for the last day of February in any year. */
  to: required(v.string()),
};
/** A season's first and last day, both inclusive. If `to` is before `from`, the season ends in the next year. */
export interface SeasonBounds extends Readonly<OptionsOf<typeof SEASON_KEYS>> {}

export interface SeasonSpan extends DaySpan {
  /** The year in which the season begins. */
  readonly year: number;
}

/**
 * Lists all seasons that overlap the given days, in order and at full length. Without bounds, these days form a single
 * season.
 * @throws ArgumentError if a bound is not `MM-DD`, or if the season begins on 29 February
 */
export function listSeasons(bounds: SeasonBounds | undefined, among: DaySpan): SeasonSpan[] {
  const { firstMs, days } = among;
  if (bounds === undefined) return [{ year: yearOf(firstMs), ...among }];
  const { from, to } = checkSeason(bounds);
  const lastMs = firstMs + (days - 1) * DAY_MS;
  const seasons: SeasonSpan[] = [];
  for (let year = yearOf(firstMs) - 1; year <= yearOf(lastMs); year++) {
    const first = parseTime(`${year}-${from}`, 'from');
    const lastYear = to < from ? year + 1 : year;
    const last = to === LAST_OF_FEBRUARY ? utcDay(lastYear, 3, 0) : parseTime(`${lastYear}-${to}`, 'to');
    if (last >= firstMs && first <= lastMs)
      seasons.push({ year, firstMs: first, days: (last - first) / DAY_MS + 1 });
  }
  return seasons;
}

/** As the end of a season, this stands for the last day of February in any year. */
const LAST_OF_FEBRUARY = '02-29';

/** Lists the seasons of a daily series, each with the position in the series at which it starts. */
export function seasonsIn(
  { start_date, values }: DatedValues,
  bounds: SeasonBounds,
): (SeasonSpan & { at: number })[] {
  const startMs = parseTime(start_date, 'start_date');
  return listSeasons(bounds, { firstMs: startMs, days: values.length }).map((season) => ({
    ...season,
    at: (season.firstMs - startMs) / DAY_MS,
  }));
}

/**
 * Splits a daily series into seasons, one per year, in order. A season that ends after the series is truncated, and a
 * season that starts before the series is omitted. The values are views of the input, not copies.
 * @throws ArgumentError if a bound is not `MM-DD`, or if the season begins on 29 February
 */
export function cutSeasons(series: DatedValues, bounds: SeasonBounds): DatedValues[] {
  checkRequiredOptions(bounds, SEASON_KEYS, 'cutSeasons');
  return seasonsIn(series, bounds).flatMap(({ firstMs, days, at }) =>
    at < 0 ? [] : [{ start_date: formatDay(firstMs), values: series.values.subarray(at, at + days) }],
  );
}

function checkSeason(bounds: SeasonBounds): SeasonBounds {
  checkBound(bounds.from, 'from');
  if (bounds.to !== LAST_OF_FEBRUARY) checkBound(bounds.to, 'to');
  return bounds;
}

function checkBound(bound: string, argument: string): void {
  if (!/^\d{2}-\d{2}$/.test(bound) || bound === LAST_OF_FEBRUARY) {
    throw badArgument(
      argument,
      `"${bound}" is not a day that occurs in every year; use MM-DD, such as 05-01`,
    );
  }
  parseTime(`2001-${bound}`, argument);
}

/** A first and last day, both inclusive, as `YYYY-MM-DD`. */
export interface DayInterval {
  /** The first day. */
  readonly start_date: string;
  /** The last day. */
  readonly end_date: string;
}

export function dayInterval({ firstMs, days }: DaySpan): DayInterval {
  return { start_date: formatDay(firstMs), end_date: formatDay(firstMs + (days - 1) * DAY_MS) };
}
