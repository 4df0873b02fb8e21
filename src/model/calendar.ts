import type { PeriodLength } from './entity.js';
import { DAY_MS, utcDay } from './time.js';

/** A span of whole days. Both dates are inclusive and are given as UTC milliseconds at midnight. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

export const MONTH_NAMES =
  'January February March April May June July August September October November December'.split(' ');

export function dayPeriod(startMs: number): Period {
  return { startMs, endMs: startMs };
}

/** Returns a period of `months` calendar months, beginning with the given month. Months are numbered from 1. */
export function monthsPeriod(year: number, month: number, months: number): Period {
  return { startMs: utcDay(year, month, 1), endMs: utcDay(year, month + months, 1) - DAY_MS };
}

export function yearsPeriod(year: number, years = 1): Period {
  return monthsPeriod(year, 1, 12 * years);
}

/** Splits a date into its year, month (1 to 12) and day. */
export function dateParts(ms: number): { year: number; month: number; day: number } {
  const date = new Date(ms);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}

/** Returns the number of months from January of year 0 to a date's month. */
export function monthNumber(ms: number): number {
  const { year, month } = dateParts(ms);
  return year * 12 + month - 1;
}

export function monthStart(number: number): number {
  return utcDay(0, number + 1, 1);
}

/** Shifts a date by `times` period lengths. If the target month is too short, returns its last day. */
export function shiftDate(ms: number, { days = 0, months = 0, years = 0 }: PeriodLength, times = 1): number {
  const byMonths = (months + years * 12) * times;
  return (byMonths === 0 ? ms : shiftMonths(ms, byMonths)) + days * times * DAY_MS;
}

/** Shifts a period's last day. The end of a month remains the end of a month: 30 April − 3 months is 31 January. */
export function shiftMonthEnd(ms: number, length: PeriodLength, times = 1): number {
  return dateParts(ms + DAY_MS).day > 1
    ? shiftDate(ms, length, times)
    : shiftDate(ms + DAY_MS, length, times) - DAY_MS;
}

function shiftMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  date.setUTCDate(Math.min(day, daysInMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)));
  return date.getTime();
}

/** Returns the number of days in a month. Months are numbered from 1. */
export function daysInMonth(year: number, month: number): number {
  return new Date(utcDay(year, month + 1, 0)).getUTCDate();
}

export function mondayOf(ms: number): number {
  const sinceMonday = (new Date(ms).getUTCDay() + 6) % 7;
  return (Math.floor(ms / DAY_MS) - sinceMonday) * DAY_MS;
}

/** Returns the dekad (0 to 2) that contains a day of the month. Dekads start on the 1st, 11th and 21st. */
export function dekadOf(day: number): number {
  return Math.min(2, Math.floor((day - 1) / 10));
}

/** The calendar frequencies to which a series can be resampled. */
export const CALENDARS = ['weekly', '10-day', 'monthly', 'quarterly', 'annual'] as const;
/** A calendar frequency to which a series can be resampled. */
export type Calendar = (typeof CALENDARS)[number];

/**
 * Returns the calendar period that contains a date. Weeks run from Monday to Sunday. 10-day periods are dekads.
 * Quarters and years are counted from `firstMonth` (1 to 12).
 */
export function periodAt(ms: number, calendar: Calendar, firstMonth = 1): Period {
  if (calendar === 'weekly') {
    const startMs = mondayOf(ms);
    return { startMs, endMs: startMs + 6 * DAY_MS };
  }
  const { year, month, day } = dateParts(ms);
  if (calendar === '10-day') {
    const dekad = dekadOf(day);
    const lastDay = dekad === 2 ? daysInMonth(year, month) : dekad * 10 + 10;
    return { startMs: utcDay(year, month, dekad * 10 + 1), endMs: utcDay(year, month, lastDay) };
  }
  const length = { monthly: 1, quarterly: 3, annual: 12 }[calendar];
  const since = (month - firstMonth + 12) % length;
  return monthsPeriod(year, month - since, length);
}

/** Returns a date's zero-based day in a 365-day year. 29 February counts as 28 February, so later days do not shift. */
export function dayOfCommonYear(ms: number): number {
  const { month, day } = dateParts(ms);
  const commonDay = month === 2 ? Math.min(day, 28) : day;
  return (utcDay(2001, month, commonDay) - utcDay(2001, 1, 1)) / DAY_MS;
}
