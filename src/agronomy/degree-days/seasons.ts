import * as v from 'valibot';
import { yearOf } from '../../model/calendar.js';
import { badArgument } from '../../model/errors.js';
import { checkRequiredOptions, type OptionKeys, required } from '../../model/schema/check.js';
import { DAY_MS, formatDay, parseTime, utcDay } from '../../model/time.js';
import type { DatedValues, DaySpan } from './daily-values.js';

/** First and last day of a season, both included. A season whose last day is before its first spans the new year. */
export interface SeasonBounds {
  /** First day of the season, `MM-DD`. */
  readonly from: string;
  /**
   * Last day of the season, `MM-DD`. It is in the next year if it is before `from`. `02-29` is the last day of
   * February.
   */
  readonly to: string;
}

export const SEASON_KEYS: OptionKeys<SeasonBounds> = { from: required(v.string()), to: required(v.string()) };

export interface SeasonSpan extends DaySpan {
  /** The year in which the season begins. */
  readonly year: number;
}

/**
 * Lists the complete seasons that overlap the days from `firstMs` to `lastMs`, in order. Without bounds, all of these
 * days form one season.
 * @throws ArgumentError for a bound that is not `MM-DD`, or a season that begins on 29 February
 */
export function listSeasons(
  bounds: SeasonBounds | undefined,
  { firstMs, lastMs }: { firstMs: number; lastMs: number },
): SeasonSpan[] {
  if (bounds === undefined) return [{ year: yearOf(firstMs), firstMs, days: countDays(firstMs, lastMs) }];
  const { from, to } = checkSeason(bounds);
  const seasons: SeasonSpan[] = [];
  for (let year = yearOf(firstMs) - 1; year <= yearOf(lastMs); year++) {
    const first = parseTime(`${year}-${from}`, 'from');
    const lastYear = to < from ? year + 1 : year;
    const last = to === LAST_OF_FEBRUARY ? utcDay(lastYear, 3, 0) : parseTime(`${lastYear}-${to}`, 'to');
    if (last >= firstMs && first <= lastMs)
      seasons.push({ year, firstMs: first, days: countDays(first, last) });
  }
  return seasons;
}

function countDays(firstMs: number, lastMs: number): number {
  return (lastMs - firstMs) / DAY_MS + 1;
}

/** A season with this end runs to the last day of February, even in leap years. */
const LAST_OF_FEBRUARY = '02-29';

/**
 * Cuts a daily series into seasons, one per year, in order. A season that has not ended by the last day of the series
 * is returned incomplete. A season that starts before the series is left out. The values are views, not copies.
 * @throws ArgumentError for a bound that is not `MM-DD`, or a season that begins on 29 February
 */
export function cutSeasons({ start_date, values }: DatedValues, bounds: SeasonBounds): DatedValues[] {
  checkRequiredOptions(bounds, SEASON_KEYS, 'cutSeasons');
  const startMs = parseTime(start_date, 'start_date');
  return listSeasons(bounds, { firstMs: startMs, lastMs: startMs + (values.length - 1) * DAY_MS }).flatMap(
    ({ firstMs, days }) => {
      const at = (firstMs - startMs) / DAY_MS;
      return at < 0 ? [] : [{ start_date: formatDay(firstMs), values: values.subarray(at, at + days) }];
    },
  );
}

/** Finds the position and the time of a calendar day (`MM-DD`) in each year of a series. */
export function daysOfYears(
  { start_date, values }: DatedValues,
  day: string,
): { year: number; at: number; ms: number }[] {
  const startMs = parseTime(start_date, 'start_date');
  const days = { firstMs: startMs, lastMs: startMs + (values.length - 1) * DAY_MS };
  return listSeasons({ from: day, to: day }, days).map(({ year, firstMs }) => ({
    year,
    at: (firstMs - startMs) / DAY_MS,
    ms: firstMs,
  }));
}

function checkSeason(bounds: SeasonBounds): SeasonBounds {
  checkBound(bounds.from, 'from');
  if (bounds.to !== LAST_OF_FEBRUARY) checkBound(bounds.to, 'to');
  return bounds;
}

function checkBound(bound: string, argument: string): void {
  if (!/^\d{2}-\d{2}$/.test(bound) || bound === LAST_OF_FEBRUARY) {
    throw badArgument(argument, `"${bound}" is not a day of every year; write MM-DD, such as 05-01`);
  }
  parseTime(`2001-${bound}`, argument);
}

/** First and last day, both inclusive, as `YYYY-MM-DD`. */
export interface DayInterval {
  /** The first day. */
  readonly start_date: string;
  /** The last day. */
  readonly end_date: string;
}

export function dayInterval({ firstMs, days }: DaySpan): DayInterval {
  return { start_date: formatDay(firstMs), end_date: formatDay(firstMs + (days - 1) * DAY_MS) };
}
