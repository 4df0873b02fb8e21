import { dateParts, daysInMonth, mondayOf, type Period, shiftDate, yearOf } from '../../model/calendar.js';
import type { Frequency } from '../../model/entity.js';
import { periodGrid } from '../../model/period-grid.js';
import { DAY_MS, formatDay, parseClock, utcDay } from '../../model/time.js';
import { localTimes } from '../../model/time-zone.js';
import { RowError } from '../batch/batch-builder.js';
import type { Lag } from './form.js';

export interface PeriodRule {
  readonly frequency: Frequency;
  readonly areYears: boolean;
  /** The month in which years begin, or null if each period begins on the given date. */
  readonly firstMonth: number | null;
  /** Whether each date is the last day of its period. */
  readonly isLastDay: boolean;
}

/** Returns a date's period. Weeks begin or, if `isLastDay`, end on the date. @throws RowError if the year is unclear */
export function toMappedPeriod(dayMs: number, rule: PeriodRule): Period {
  const anchorMs = anchorOf(dayMs, rule);
  const named = rule.areYears && !rule.isLastDay ? anchorMs : dayMs;
  if (anchorMs > named && !rule.isLastDay) {
    const advice = 'set "first_month": "of_date", or provide only years';
    const year = yearOf(dayMs);
    throw new RowError(
      `the date ${formatDay(dayMs)} may belong to the year that begins in ${year - 1} or to the year that begins in ${year}; ${advice}`,
    );
  }
  const grid = periodGrid(rule.frequency, anchorMs);
  const index = grid.index(named);
  return { startMs: grid.start(index), endMs: grid.start(index + 1) - DAY_MS };
}

function anchorOf(dayMs: number, { frequency, firstMonth, isLastDay }: PeriodRule): number {
  const { months = 0, years = 0 } = frequency.periodLength;
  if (isLastDay) return dayMs + DAY_MS;
  if (firstMonth === null || months + years === 0) return dayMs;
  return utcDay(yearOf(dayMs), years > 0 ? firstMonth : 1, 1);
}

/** Returns the publication time according to the first lag that applies, or null if none applies. */
export function publishedAfter(lags: readonly Lag[], dateOf: (name: Lag['after']) => number | null) {
  for (const lag of lags) {
    const { after, until = Number.POSITIVE_INFINITY, dates } = lag;
    const fromMs = dateOf(after);
    if (fromMs !== null && fromMs <= until && dates?.has(fromMs) !== false) return publicationMs(fromMs, lag);
  }
  return null;
}

/** Returns the publication time in UTC. The lag either lists the publication day or states how to calculate the day. */
function publicationMs(dayMs: number, lag: Lag): number {
  const { months, day_of_month, days, business_days, holidays, dates, time, zone } = lag;
  const shifted = shiftDate(dayMs, { months });
  const inside = day_of_month === undefined ? shifted : inMonth(shifted, day_of_month);
  const day = dates?.get(dayMs) ?? addBusinessDays(inside, business_days, holidays) + days * DAY_MS;
  const local = day + parseClock(time)!;
  const toLocal = localTimes(zone);
  const near = local - (toLocal(local) - local);
  return local - (toLocal(near) - near);
}

function inMonth(dayMs: number, day: number): number {
  const { year, month } = dateParts(dayMs);
  return utcDay(year, month, Math.min(day, daysInMonth(year, month)));
}

/** Returns the date that is `count` business days after `ms`, as UTC milliseconds. */
function addBusinessDays(ms: number, count: number, holidays: Lag['holidays']): number {
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
