import { type ArgumentError, badArgument, shownValue } from './errors.js';

export const DAY_MS = 86_400_000;

/**
 * Returns the start of a day in UTC milliseconds. Months are numbered from 1 throughout this file and `calendar.ts`.
 * Month and day may be out of range: month 13 is the next January, and day 0 is the last day of the previous month.
 * Years 0 to 99 are taken literally, unlike in `Date.UTC`.
 */
export function utcDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** Returns the start of the UTC day that contains a time, in UTC milliseconds. */
export function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

/** The range of valid years: the four-digit years of ISO 8601 except year 0, which most calendars lack. */
const [FIRST_YEAR, LAST_YEAR] = [1, 9999];

/** Returns the start of a day in UTC milliseconds, or null if the day does not exist or the year is out of range. */
export function calendarDay(year: number, month: number, day: number): number | null {
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) return null;
  const ms = utcDay(year, month, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : null;
}

export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  return day !== undefined && calendarDay(Number(year), Number(month), Number(day)) !== null;
}

const DATE_TEXT = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:[\d:.]+)(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Parses `YYYY-MM-DD` or an ISO 8601 timestamp (UTC by default). @throws ArgumentError that names `argument` */
export function parseTime(text: string, argument: string): number {
  const [, year, month, day, clock = '00:00', zone = 'Z'] =
    (typeof text === 'string' && DATE_TEXT.exec(text)) || [];
  const midnight = calendarDay(Number(year), Number(month), Number(day));
  const [time, offset] = [parseClock(clock), zoneOffsetMs(zone)];
  if (midnight === null || time === null || offset === null) throw badDate(text, argument);
  const ms = midnight + time - offset;
  if (ms < utcDay(FIRST_YEAR, 1, 1) || ms >= utcDay(LAST_YEAR + 1, 1, 1)) throw badDate(text, argument);
  return ms;
}

const CLOCK_TEXT = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?: ?([AP])M)?$/i;

/**
 * Parses a time of day, `HH:MM` or `HH:MM:SS.sss`, optionally with AM or PM, to milliseconds. `24:00` is midnight at
 * the end of the day, as in ISO 8601.
 * @returns null for other strings, such as `24:01` and `99:99`
 */
export function parseClock(text: string): number | null {
  const [whole, hours, minutes, seconds = 0, fraction = 0, half] = CLOCK_TEXT.exec(text) ?? [];
  if (whole === undefined || Number(minutes) > 59 || Number(seconds) > 60) return null;
  if (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)) return null;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  const ms = ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  const exact = ms + Math.trunc(Number(`0.${fraction}`) * 1000);
  return exact > DAY_MS ? null : exact;
}

/** Parses a period's dates to UTC milliseconds. A missing date becomes null. */
export function parsePeriod({
  start_date,
  end_date,
}: {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}): { startMs: number | null; endMs: number | null } {
  const startMs = start_date === undefined ? null : parseTime(start_date, 'start_date');
  const endMs = end_date === undefined ? null : parseTime(end_date, 'end_date');
  if (startMs !== null && endMs !== null && startMs > endMs)
    throw badArgument('start_date', (nameOf) => `${start_date} is after ${nameOf('end_date')} ${end_date}`);
  return { startMs, endMs };
}

const OFFSET = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/;

/** Parses a UTC offset, such as `+02:00`, `-0330`, `+02` or `Z`, to milliseconds. Returns null for other strings. */
export function zoneOffsetMs(zone: string): number | null {
  if (zone === 'Z') return 0;
  const [whole, sign, hours, minutes = 0] = OFFSET.exec(zone) ?? [];
  if (whole === undefined) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function badDate(text: unknown, argument: string): ArgumentError {
  return badArgument(argument, `${shownValue(text)} is not a date`, {
    remedy: 'write YYYY-MM-DD or an ISO 8601 timestamp',
  });
}

/** Formats a time as an ISO 8601 string in UTC with milliseconds, like all dates in requests and responses. */
export function formatTime(ms: number): string {
  const date = new Date(ms);
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  throw badArgument(
    'date',
    `${ms} ms since 1970 is outside the range of dates; check that the value is in milliseconds and the file is not damaged`,
  );
}

/** Formats the UTC day of a time as `YYYY-MM-DD`. @throws ArgumentError if the time is out of range */
export function formatDay(ms: number): string {
  return formatTime(ms).slice(0, 10);
}

/** Returns the last moment of a day (`YYYY-MM-DD`), so that points that became available on that day are included. */
export function endOfDay(day: string): string {
  return `${day}T23:59:59.999Z`;
}
