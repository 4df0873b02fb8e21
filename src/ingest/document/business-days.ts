import { mondayOf, yearOf } from '../../model/calendar.js';
import { DAY_MS, utcDay } from '../../model/time.js';

export const HOLIDAYS = ['US'] as const;
type Holidays = (typeof HOLIDAYS)[number];

/** Returns the date that is `count` business days after `ms`, as UTC milliseconds. */
export function addBusinessDays(ms: number, count: number, holidays?: Holidays): number {
  let day = ms;
  for (let left = count; left > 0; ) {
    day += DAY_MS;
    const isWeekend = day - mondayOf(day) >= 5 * DAY_MS;
    if (!isWeekend && !(holidays === 'US' && isFederalHoliday(day))) left--;
  }
  return day;
}

function isFederalHoliday(ms: number): boolean {
  const year = yearOf(ms);
  // New Year's Day is observed in the previous year if it falls on a Saturday.
  return [...federalHolidays(year), observed(utcDay(year + 1, 1, 1))].includes(ms);
}

/** Returns the dates on which a year's US federal holidays are observed (5 U.S.C. 6103). */
function federalHolidays(year: number): number[] {
  const day = (text: string): number => Date.parse(`${year}-${text}`);
  const fixed = ['01-01', '07-04', '11-11', '12-25', ...(year >= 2021 ? ['06-19'] : [])];
  // The latest possible dates of the third Mondays in January and February, the last Monday in May, the first Monday in
  // September and the second Monday in October.
  const mondays = ['01-21', '02-21', '05-31', '09-07', '10-14'];
  const thanksgiving = mondayOf(day('11-25')) + 3 * DAY_MS;
  return [
    ...fixed.map((text) => observed(day(text))),
    ...mondays.map((latest) => mondayOf(day(latest))),
    thanksgiving,
  ];
}

/** Moves a holiday from a Saturday to the Friday before, and from a Sunday to the Monday after. */
function observed(ms: number): number {
  const weekday = new Date(ms).getUTCDay();
  return weekday === 6 ? ms - DAY_MS : weekday === 0 ? ms + DAY_MS : ms;
}
