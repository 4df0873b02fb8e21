import { mondayOf, yearOf } from '../../model/calendar.js';
import { DAY_MS, utcDay } from '../../model/time.js';

export const HOLIDAYS = ['US'] as const;
type Holidays = (typeof HOLIDAYS)[number];

/** Returns the day that is `count` business days after another, in UTC milliseconds. */
export function addBusinessDays(ms: number, count: number, holidays?: Holidays): number {
  let day = ms;
  for (let left = count; left > 0; ) {
    day += DAY_MS;
    const isWeekend = day - mondayOf(day) >= 5 * DAY_MS;
    if (!isWeekend && !(holidays === 'US' && isFederalHoliday(day))) left--;
  }
  return day;
}

/** Checks whether a federal holiday of the United States is observed on a day. */
function isFederalHoliday(ms: number): boolean {
  const year = yearOf(ms);
  // New Year's Day on a Saturday is observed in the year before.
  return [...federalHolidays(year), observed(utcDay(year + 1, 1, 1))].includes(ms);
}

/** Returns the days on which the federal holidays of a year are observed (5 U.S.C. 6103). */
function federalHolidays(year: number): number[] {
  const day = (text: string): number => Date.parse(`${year}-${text}`);
  const fixed = ['01-01', '07-04', '11-11', '12-25', ...(year >= 2021 ? ['06-19'] : [])];
  // The latest dates of the third Mondays of January and February, the last Monday of May, the first of September, and
  // the second of October.
  const mondays = ['01-21', '02-21', '05-31', '09-07', '10-14'];
  const thanksgiving = mondayOf(day('11-25')) + 3 * DAY_MS;
  return [
    ...fixed.map((text) => observed(day(text))),
    ...mondays.map((latest) => mondayOf(day(latest))),
    thanksgiving,
  ];
}

/** Holidays on a Saturday are observed on the Friday before, those on a Sunday on the Monday after. */
function observed(ms: number): number {
  const weekday = new Date(ms).getUTCDay();
  return weekday === 6 ? ms - DAY_MS : weekday === 0 ? ms + DAY_MS : ms;
}
