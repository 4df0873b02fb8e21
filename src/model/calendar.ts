import type { PeriodLength } from './entity.js';
import { DAY_MS } from './time.js';

/** A date moved by `times` period lengths; a day that its month lacks becomes the month's last. */
export function shiftDate(ms: number, { days = 0, months = 0, years = 0 }: PeriodLength, times = 1): number {
  const byMonths = (months + years * 12) * times;
  return (byMonths === 0 ? ms : shiftMonths(ms, byMonths)) + days * times * DAY_MS;
}

function shiftMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  date.setUTCDate(Math.min(day, monthDays(date.getUTCFullYear(), date.getUTCMonth())));
  return date.getTime();
}

function monthDays(year: number, month: number): number {
  return new Date(dayOf(year, month + 1, 0)).getUTCDate();
}

/** Milliseconds of a day; also for the years 0–99, which `Date.UTC` would move into the 20th century. */
export function dayOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

/** The calendars into which a series can be gathered. */
export const CALENDARS = ['weekly', '10-day', 'monthly', 'quarterly', 'annual'] as const;
/** A calendar into which a series can be resampled. */
export type Calendar = (typeof CALENDARS)[number];

/** A calendar's period: its first and its last day. */
export interface CalendarPeriod {
  start: number;
  end: number;
}

/**
 * The period that holds a date. Weeks run from Monday to Sunday, 10-day periods from the 1st, 11th and 21st of a
 * month; quarters and years begin with `firstMonth` (1 to 12).
 */
export function periodAt(ms: number, calendar: Calendar, firstMonth = 1): CalendarPeriod {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  if (calendar === 'weekly') {
    const start = dayOf(year, month, date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
    return { start, end: start + 6 * DAY_MS };
  }
  if (calendar === '10-day') {
    const first = Math.min(Math.floor((date.getUTCDate() - 1) / 10), 2) * 10 + 1;
    const start = dayOf(year, month, first);
    return { start, end: first === 21 ? dayOf(year, month + 1, 0) : start + 9 * DAY_MS };
  }
  const length = { monthly: 1, quarterly: 3, annual: 12 }[calendar];
  const since = (month - (firstMonth - 1) + 12) % length;
  return { start: dayOf(year, month - since, 1), end: dayOf(year, month - since + length, 0) };
}

/**
 * The day of a 365-day year, from 0; the 29th of February counts as the 28th, so that a day keeps its number in every
 * year.
 */
export function dayOfCommonYear(ms: number): number {
  const date = new Date(ms);
  const month = date.getUTCMonth();
  const day = month === 1 ? Math.min(date.getUTCDate(), 28) : date.getUTCDate();
  return (dayOf(2001, month, day) - dayOf(2001, 0, 1)) / DAY_MS;
}
