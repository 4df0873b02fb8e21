import { mondayOf, type Period, shiftDate, yearOf } from '../../model/calendar.js';
import type { Frequency } from '../../model/entity.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { periodGrid } from '../../model/period-grid.js';
import {
  calendarDay,
  DAY_MS,
  formatDay,
  formatTime,
  parseClock,
  startOfDay,
  utcDay,
} from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';

/** The texts of each format, and the frequency of the periods that they name. */
const PATTERNS = {
  YYYY: [/^(?<year>\d{4})$/, 'annual'],
  'YYYY-MM': [/^(?<year>\d{4})-(?<month>\d{2})$/, 'monthly'],
  'YYYY-MM-DD': [/^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<clock>[\d:.]+)Z?)?$/, 'daily'],
  YYYYMMDD: [/^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/, 'daily'],
  'MM/DD/YYYY': [/^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/, 'daily'],
  'DD/MM/YYYY': [/^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/, 'daily'],
  'DD.MM.YYYY': [/^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/, 'daily'],
  YYYYQn: [/^(?<year>\d{4})-?Q(?<quarter>[1-4])$/, 'quarterly'],
  YYYYMnn: [/^(?<year>\d{4})-?M(?<month>\d{2})$/, 'monthly'],
  YYYYWnn: [/^(?<year>\d{4})-?W(?<week>\d{1,2})$/, 'weekly'],
} as const satisfies Readonly<Record<string, readonly [RegExp, string]>>;
/** Days before the first of the two date systems of spreadsheets; the first counts from 1, the second from 0. */
const EPOCHS = { spreadsheet: utcDay(1899, 12, 30), 'spreadsheet-1904': utcDay(1904, 1, 1) } as const;

export type DateFormat = keyof typeof PATTERNS | keyof typeof EPOCHS;
/** Formats of dates. */
export const DATE_FORMATS = Object.keys({ ...PATTERNS, ...EPOCHS }) as readonly DateFormat[];

const isCalendar = (format: DateFormat): format is keyof typeof PATTERNS => format in PATTERNS;

/** Whether a text is a date of a format by its form. */
export function matchesDateFormat(text: string, format: DateFormat): boolean {
  return isCalendar(format) && PATTERNS[format][0].test(text.trim());
}

/**
 * The first day of a year, quarter, month, week or day, in UTC milliseconds. The day of `24:00` is the next one.
 * @throws RowError when the text does not have the format, or the day is not in the calendar
 */
export function parseMappedDate(text: string, format: DateFormat): number {
  if (!isCalendar(format)) return parseSerialDay(text, format);
  const parts = PATTERNS[format][0].exec(text.trim())?.groups;
  if (parts === undefined) throw new RowError(`the date "${text}" does not have the format ${format}`);
  const { year, quarter = 1, month = 3 * Number(quarter) - 2, day = 1, week, clock = '00:00' } = parts;
  const time = parseClock(clock);
  if (time === null) throw new RowError(`the date "${text}" has no valid time of day`);
  const ms =
    week === undefined
      ? calendarDay(Number(year), Number(month), Number(day))
      : findMonday(Number(year), Number(week));
  if (ms === null) throw new RowError(`the date "${text}" is not in the calendar`);
  return startOfDay(ms + time);
}

/** The Monday of a week of ISO 8601, whose first week of a year has 4 January; null when the year does not have the week. */
function findMonday(year: number, week: number): number | null {
  const first = mondayOf(utcDay(year, 1, 4));
  const ms = first + (week - 1) * 7 * DAY_MS;
  return week >= 1 && ms < mondayOf(utcDay(year + 1, 1, 4)) ? ms : null;
}

/** Spreadsheets count a 29 February 1900, on day 60, and show day 0 before the first of January. */
const DAYS_OF_NO_CALENDAR: Readonly<Record<number, string>> = { 0: '1900-01-00', 60: '1900-02-29' };
const MAX_SERIAL = 2_958_465;

/**
 * Converts the serial number of a day in a spreadsheet to a date, in UTC milliseconds. Its fraction is the time of day.
 * @returns null when the number is no date, or a day that the calendar does not have
 */
function serialTime(serial: number, system: keyof typeof EPOCHS): number | null {
  const ms = Math.round(serial * DAY_MS);
  const day = Math.floor(ms / DAY_MS);
  if (!(day >= 0 && day <= MAX_SERIAL)) return null;
  if (system === 'spreadsheet-1904') return EPOCHS[system] + ms;
  if (day in DAYS_OF_NO_CALENDAR) return null;
  return EPOCHS[system] + ms + (day < 60 ? DAY_MS : 0);
}

/**
 * Returns a cell's serial number as an ISO 8601 date, with the time of day unless that is midnight. The days that spreadsheets
 * have and the calendar does not are `1900-01-00` and `1900-02-29`.
 * @returns null when spreadsheets do not show the number as a date
 */
export function serialDateText(serial: number, is1904: boolean): string | null {
  const ms = serialTime(serial, is1904 ? 'spreadsheet-1904' : 'spreadsheet');
  if (ms !== null) return formatTime(ms).replace(/T00:00:00\.000Z$/, '');
  return (!is1904 && DAYS_OF_NO_CALENDAR[Math.floor(serial)]) || null;
}

/** The day of a serial number in a text. @throws RowError when it is none */
function parseSerialDay(text: string, system: keyof typeof EPOCHS): number {
  const ms = serialTime(/^\d{1,7}(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN, system);
  if (ms === null) throw new RowError(`the date "${text}" is not the number of a day in a spreadsheet`);
  return startOfDay(ms);
}

/** The frequency of the years, quarters, months, weeks or days that a format names. */
export function frequencyOf(format: DateFormat): Frequency {
  const wanted = isCalendar(format) ? PATTERNS[format][1] : 'daily';
  return FREQUENCIES.find(({ name }) => name === wanted)!;
}

/** The last day of the year, quarter, month or week that a text names, or the day. @throws RowError as `parseMappedDate` */
export function parseLastDay(text: string, format: DateFormat): number {
  return shiftDate(parseMappedDate(text, format), frequencyOf(format).periodLength) - DAY_MS;
}

/** How dates become periods. */
export interface PeriodRule {
  readonly frequency: Frequency;
  readonly format: DateFormat;
  /** The month in which years begin; null where periods begin on their dates. */
  readonly firstMonth: number | null;
  /** Whether dates are the last days of their periods. */
  readonly isLastDay: boolean;
}

/**
 * The period of a date: that of the calendar which contains it. Weeks begin on their dates.
 * @throws RowError for a day before the first month of its year, which may mean the year that begins before it, or in it
 */
export function toMappedPeriod(dayMs: number, rule: PeriodRule): Period {
  const anchorMs = anchorOf(dayMs, rule);
  const named = rule.format === 'YYYY' && !rule.isLastDay ? anchorMs : dayMs;
  if (anchorMs > named && !rule.isLastDay) {
    const advice = 'say "first_month": "of_date", or give years alone';
    throw new RowError(`the date ${formatDay(dayMs)} is before the first month of years; ${advice}`);
  }
  const grid = periodGrid(rule.frequency, anchorMs);
  const index = grid.index(named);
  return { startMs: grid.start(index), endMs: grid.start(index + 1) - DAY_MS };
}

/** A day on which a period begins. */
function anchorOf(dayMs: number, { frequency, firstMonth, isLastDay }: PeriodRule): number {
  const { months = 0, years = 0 } = frequency.periodLength;
  if (isLastDay) return dayMs + DAY_MS;
  if (firstMonth === null || months + years === 0) return dayMs;
  return utcDay(yearOf(dayMs), years > 0 ? firstMonth : 1, 1);
}
