import { calendarDay, parseClock, parseTime, startOfDay } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';

/**
 * Parses a date, in UTC milliseconds.
 * @throws RowError when the text is not a date in the calendar
 */
export function parseRowDate(text: string, what: string): number {
  try {
    return parseTime(text.trim(), what);
  } catch {
    throw new RowError(`the ${what} "${text}" is not a date`);
  }
}

/** A date as files of agencies of the United States have it, and a time of day. */
const AGENCY_DATE =
  /^(?:(?<year>\d{4})(?<dash>[- ]?)(?<month>\d\d|[A-Z][a-z]{2})\k<dash>(?<day>\d\d)|(?<usMonth>\d{1,2})\/(?<usDay>\d{1,2})\/(?<usYear>\d{4}))(?:[T ](?<clock>.*?)(?:Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Parses a date as files of agencies of the United States have it: `2024-01-02`, `1/2/2024`, `20240102` or `2024 Jan 02`, also
 * with a time of day.
 * @returns midnight of the day in UTC milliseconds; of the next one for `24:00`
 * @throws RowError when the text is not a date in the calendar
 */
export function parseRowDateOfAnyForm(text: string, what: string): number {
  const trimmed = text.trim();
  const {
    year,
    month,
    day,
    usYear,
    usMonth,
    usDay,
    clock = '00:00',
  } = AGENCY_DATE.exec(trimmed)?.groups ?? {};
  const number = monthByPrefix(month ?? '') || Number(month ?? usMonth);
  const ms = calendarDay(Number(year ?? usYear), number, Number(day ?? usDay));
  const time = parseClock(clock);
  if (ms === null || time === null) throw new RowError(`the ${what} "${trimmed}" is not a date`);
  return startOfDay(ms + time);
}

/**
 * Parses a number, with or without thousands separators.
 * @throws RowError when the text is not a number
 */
export function parseRowNumber(text: string, what: string): number {
  const trimmed = text.trim();
  if (!/^-?(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?(e[+-]?\d+)?$/i.test(trimmed) || !/\d/.test(trimmed)) {
    throw new RowError(`the ${what} "${trimmed}" is not a number`);
  }
  return Number(trimmed.replaceAll(',', ''));
}

/**
 * Parses a non-negative whole number, such as a code or a year; leading zeros are allowed.
 * @throws RowError when the text is not such a number
 */
export function parseRowInteger(text: string, what: string): number {
  const trimmed = text.trim();
  if (!/^\d{1,9}$/.test(trimmed)) throw new RowError(`the ${what} "${trimmed}" is not a whole number`);
  return Number(trimmed);
}

/** Remarks on a value as the JSON of its metadata, without those that are undefined or empty; null when there are none. */
export function remarksJson(remarks: object): string | null {
  const given = Object.entries(remarks).filter(([, remark]) => remark !== undefined && remark !== '');
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given));
}

const FULL_NAMES =
  'january february march april may june july august september october november december'.split(' ');

/** English abbreviations of the months, from January. */
export const MONTHS = FULL_NAMES.map((name) => name.slice(0, 3).toUpperCase());

/** The number of a month (1–12) by the first three letters of its English name, in any case; 0 for other texts. */
export function monthByPrefix(text: string): number {
  return MONTHS.indexOf(text.slice(0, 3).toUpperCase()) + 1;
}

/** The number of a month (1–12) by its English name, in any case; 0 for other texts. */
export function monthByName(text: string): number {
  return FULL_NAMES.indexOf(text.trim().toLowerCase()) + 1;
}
