import { checkString, needed } from '../../model/arguments/checks.js';
import { checkRequiredOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { yearOf } from '../../model/calendar.js';
import { badArgument } from '../../model/errors.js';
import { DAY_MS, formatDay, parseTime, utcDay } from '../../model/time.js';
import type { DatedValues } from './climatology.js';

/** First and last day of a season, both included. A season whose last day is before its first spans the new year. */
export interface SeasonBounds {
  /** First day of the season, `MM-DD`. */
  readonly from: string;
  /** Last day of the season, `MM-DD`; in the next year when it is before `from`. `02-29` is the last day of February. */
  readonly to: string;
}

/** The keys of `SeasonBounds`. */
export const SEASON_KEYS: OptionKeys<SeasonBounds> = { from: needed(checkString), to: needed(checkString) };

/**
 * Cuts a daily series into seasons, one a year, in order. A season that has not ended by the last day of the series is
 * returned as far as it goes; one that starts before the series is left out. The values are views, not copies.
 * @throws ArgumentError for a bound that is not `MM-DD`, or a season that begins on 29 February
 */
export function cutSeasons(series: DatedValues, bounds: SeasonBounds): DatedValues[] {
  checkRequiredOptions(bounds, SEASON_KEYS, 'cutSeasons');
  const season = checkSeason(bounds);
  return Array.from(daysOfYears(series, season.from), ({ year, at, ms }) => {
    const days = (seasonOf(year, season).lastMs - ms) / DAY_MS + 1;
    return { start: formatDay(ms), values: series.values.subarray(at, at + days) };
  });
}

/** A day of each year, `MM-DD`, where the series has it: its position, and its time. */
export function* daysOfYears(
  { start, values }: DatedValues,
  day: string,
): Generator<{ year: number; at: number; ms: number }> {
  const startMs = parseTime(start, 'start');
  const endMs = startMs + (values.length - 1) * DAY_MS;
  for (let year = yearOf(startMs); year <= yearOf(endMs); year++) {
    const ms = parseTime(`${year}-${day}`, 'start');
    if (ms >= startMs && ms <= endMs) yield { year, at: (ms - startMs) / DAY_MS, ms };
  }
}

/**
 * Checks the bounds of a season.
 * @throws ArgumentError for a bound that is not `MM-DD`, or a season that begins on 29 February
 */
export function checkSeason(bounds: SeasonBounds): SeasonBounds {
  checkBound(bounds.from, 'from');
  if (bounds.to !== LAST_OF_FEBRUARY) checkBound(bounds.to, 'to');
  return bounds;
}

/** A season with this end runs to the last day of February, in leap years too. */
const LAST_OF_FEBRUARY = '02-29';

/** Returns the first and the last day of the season that begins in a year. */
export function seasonOf(year: number, { from, to }: SeasonBounds): { firstMs: number; lastMs: number } {
  const last = to < from ? year + 1 : year;
  return {
    firstMs: parseTime(`${year}-${from}`, 'from'),
    lastMs: to === LAST_OF_FEBRUARY ? utcDay(last, 3, 0) : parseTime(`${last}-${to}`, 'to'),
  };
}

function checkBound(bound: string, argument: string): void {
  if (!/^\d{2}-\d{2}$/.test(bound) || bound === LAST_OF_FEBRUARY) {
    throw badArgument(argument, `"${bound}" is not a day of every year; write MM-DD, such as 05-01`);
  }
  parseTime(`2001-${bound}`, argument);
}

/** First and last day, both included, as `YYYY-MM-DD`. */
export interface DayInterval {
  /** The first day. */
  readonly start_date: string;
  /** The last day. */
  readonly end_date: string;
}

/** That many days from the first on. */
export function dayInterval({ firstMs, days }: { firstMs: number; days: number }): DayInterval {
  return { start_date: formatDay(firstMs), end_date: formatDay(firstMs + (days - 1) * DAY_MS) };
}
