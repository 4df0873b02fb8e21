import { DAY_MS } from '../model/time.js';

/** A period of time: both dates belong to it; UTC milliseconds at midnight. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

/** UTC milliseconds at midnight of a calendar day; `month` counts from 1 and may run over, as day 0 of the next month. */
export function dayMs(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
}

export function dayPeriod(startMs: number): Period {
  return { startMs, endMs: startMs };
}

/** `months` whole months from the first day of a month. */
export function monthsPeriod(year: number, month: number, months: number): Period {
  return { startMs: dayMs(year, month, 1), endMs: dayMs(year, month + months, 1) - DAY_MS };
}

/** `years` whole calendar years. */
export function yearsPeriod(year: number, years = 1): Period {
  return monthsPeriod(year, 1, 12 * years);
}
