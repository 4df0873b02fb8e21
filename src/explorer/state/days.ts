import { formatDay } from '../../model/time.js';

/** UTC milliseconds of a day `YYYY-MM-DD`, or of a timestamp of the service; NaN for other texts. */
export function dayMs(day: string): number {
  return Date.parse(day.length === 10 ? `${day}T00:00:00Z` : day);
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(written: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(written)) return false;
  const ms = dayMs(written);
  return !Number.isNaN(ms) && formatDay(ms) === written;
}
