import { yearOf } from '../../model/calendar.js';
import { DAY_MS, utcDay } from '../../model/time.js';

const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

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
    // The third Mondays of January and February, and the last of May.
    weekdayFrom(MONDAY, utcDay(year, 1, 15)),
    weekdayFrom(MONDAY, utcDay(year, 2, 15)),
    weekdayFrom(MONDAY, utcDay(year, 5, 25)),
    // The first Monday of September, the second of October, and the fourth Thursday of November.
    weekdayFrom(MONDAY, utcDay(year, 9, 1)),
    weekdayFrom(MONDAY, utcDay(year, 10, 8)),
    weekdayFrom(THURSDAY, utcDay(year, 11, 22)),
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

/** The first such weekday on or after a day. */
function weekdayFrom(weekday: number, ms: number): number {
  return ms + ((weekday - weekdayOf(ms) + 7) % 7) * DAY_MS;
}
