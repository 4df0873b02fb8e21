import { type ArgumentError, badArgument, shownValue } from './errors.js';

export const DAY_MS = 86_400_000;

/**
 * UTC milliseconds at midnight of a day. Months count from 1, as in all functions here and in `calendar.ts`. Month and
 * day may be out of range: month 13 is the next January, day 0 the last day of the month before. Years 0 to 99 are
 * taken as they are, unlike in `Date.UTC`.
 */
export function utcDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** UTC milliseconds at midnight of a day; null when the calendar has no such day, such as 30 February. */
export function calendarDay(year: number, month: number, day: number): number | null {
  const ms = utcDay(year, month, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : null;
}

const DATE_TEXT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * UTC milliseconds of `YYYY-MM-DD` or a full ISO 8601 timestamp; a timestamp without a zone is UTC.
 * @throws ArgumentError that names `argument` when the text is not a calendar date
 */
export function parseTime(text: string, argument: string): number {
  const parts = typeof text === 'string' ? DATE_TEXT.exec(text) : null;
  if (parts === null) throw badDate(text, argument);
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const midnight = calendarDay(year!, month!, day!);
  if (midnight === null || hour! > 24 || minute! > 59 || second! > 60) throw badDate(text, argument);
  const fractionMs = Math.trunc(Number(`0.${parts[7] ?? '0'}`) * 1000);
  return midnight + ((hour! * 60 + minute!) * 60 + second!) * 1000 + fractionMs - zoneOffsetMs(parts[8]);
}

/**
 * The dates of a period in UTC milliseconds; null where it is open.
 * @throws ArgumentError when a date cannot be read, or the start is after the end
 */
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
    throw badArgument('start_date', `${start_date} is after end_date ${end_date}`);
  return { startMs, endMs };
}

function zoneOffsetMs(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))) * 60_000;
}

function badDate(text: unknown, argument: string): ArgumentError {
  return badArgument(
    argument,
    `${shownValue(text)} is not a date; write YYYY-MM-DD or an ISO 8601 timestamp`,
  );
}

/**
 * ISO 8601 UTC with milliseconds and Z, the form of every date on the wire.
 * @throws ArgumentError for a time outside the range of dates, such as a damaged file may contain
 */
export function formatTime(ms: number): string {
  const date = new Date(ms);
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  throw badArgument(
    'date',
    `${ms} ms since 1970 is outside the range of dates; check that it is in milliseconds and that the file is not damaged`,
  );
}

/** The calendar day, `YYYY-MM-DD`. @throws ArgumentError as `formatTime` does */
export function formatDay(ms: number): string {
  return formatTime(ms).slice(0, 10);
}

/** The last moment of a day `YYYY-MM-DD`: points that became available on the day count as known on it. */
export function endOfDay(day: string): string {
  return `${day}T23:59:59.999Z`;
}
