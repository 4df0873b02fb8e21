import { yearOf } from '../../model/calendar.js';
import { DAY_MS, utcDay } from '../../model/time.js';

const SATURDAY = 6;
const SUNDAY = 0;

/** The day that is `count` business days of the federal government of the United States after another. */
export function addBusinessDays(ms: number, count: number): number {
  let day = ms;
  for (let left = count; left > 0; ) {
    day += DAY_MS;
    if (isBusinessDay(day)) left--;
  }
  return day;
}

function isBusinessDay(ms: number): boolean {
  const weekday = weekdayOf(ms);
  if (weekday === SATURDAY || weekday === SUNDAY) return false;
  const year = yearOf(ms);
  // New Year's Day on a Saturday is observed in the year before.
  return ![...federalHolidays(year), observed(utcDay(year + 1, 1, 1))].includes(ms);
}

/** The days on which the federal holidays of a year are observed (5 U.S.C. 6103). */
function federalHolidays(year: number): number[] {
  const fixed = [utcDay(year, 1, 1), utcDay(year, 7, 4), utcDay(year, 11, 11), utcDay(year, 12, 25)];
  if (year >= 2021) fixed.push(utcDay(year, 6, 19));
  return [
    ...fixed.map(observed),
    nthWeekday(year, 1, { weekday: 1, nth: 3 }),
    nthWeekday(year, 2, { weekday: 1, nth: 3 }),
    // The last Monday of May is the first one from the 25th on.
    mondayFrom(utcDay(year, 5, 25)),
    nthWeekday(year, 9, { weekday: 1, nth: 1 }),
    nthWeekday(year, 10, { weekday: 1, nth: 2 }),
    nthWeekday(year, 11, { weekday: 4, nth: 4 }),
  ];
}

function weekdayOf(ms: number): number {
  return new Date(ms).getUTCDay();
}

/** Holidays on a Saturday are observed on the Friday before, those on a Sunday on the Monday after. */
function observed(ms: number): number {
  if (weekdayOf(ms) === SATURDAY) return ms - DAY_MS;
  return weekdayOf(ms) === SUNDAY ? ms + DAY_MS : ms;
}

function nthWeekday(year: number, month: number, { weekday, nth }: { weekday: number; nth: number }): number {
  const first = utcDay(year, month, 1);
  return first + (((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1)) * DAY_MS;
}

function mondayFrom(ms: number): number {
  return ms + ((8 - weekdayOf(ms)) % 7) * DAY_MS;
}
