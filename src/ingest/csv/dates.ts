import { mondayOf, type Period, yearOf } from '../../model/calendar.js';
import type { Frequency } from '../../model/entity.js';
import { periodGrid } from '../../model/period-grid.js';
import { calendarDay, DAY_MS, formatDay, utcDay } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';

const PATTERNS = {
  YYYY: /^(?<year>\d{4})$/,
  'YYYY-MM': /^(?<year>\d{4})-(?<month>\d{2})$/,
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ][\d:.]+Z?)?$/,
  YYYYMMDD: /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  'MM/DD/YYYY': /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/,
  'DD/MM/YYYY': /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/,
  'DD.MM.YYYY': /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  YYYYQn: /^(?<year>\d{4})-?Q(?<quarter>[1-4])$/,
  YYYYMnn: /^(?<year>\d{4})-?M(?<month>\d{2})$/,
  YYYYWnn: /^(?<year>\d{4})-?W(?<week>\d{1,2})$/,
} as const satisfies Readonly<Record<string, RegExp>>;
/** Days before the first of the two date systems of spreadsheets; the first counts from 1, the second from 0. */
const EPOCHS = { spreadsheet: utcDay(1899, 12, 30), 'spreadsheet-1904': utcDay(1904, 1, 1) } as const;

export type DateFormat = keyof typeof PATTERNS | keyof typeof EPOCHS;
/** Formats of dates. */
export const DATE_FORMATS = Object.keys({ ...PATTERNS, ...EPOCHS }) as readonly DateFormat[];

const isCalendar = (format: DateFormat): format is keyof typeof PATTERNS => format in PATTERNS;

/** Whether a text is a date of a format by its form. */
export function matchesDateFormat(text: string, format: DateFormat): boolean {
  return isCalendar(format) && PATTERNS[format].test(text.trim());
}

/**
 * The first day of a year, quarter, month, week or day, in UTC milliseconds.
 * @throws RowError when the text does not have the format, or the day is not in the calendar
 */
export function parseMappedDate(text: string, format: DateFormat): number {
  if (!isCalendar(format)) return parseSerialDay(text, EPOCHS[format]);
  const parts = PATTERNS[format].exec(text.trim())?.groups;
  if (parts === undefined) throw new RowError(`the date "${text}" does not have the format ${format}`);
  const { year, quarter = 1, month = 3 * Number(quarter) - 2, day = 1, week } = parts;
  const ms =
    week === undefined
      ? calendarDay(Number(year), Number(month), Number(day))
      : findMonday(Number(year), Number(week));
  if (ms === null) throw new RowError(`the date "${text}" is not in the calendar`);
  return ms;
}

/** The Monday of a week of ISO 8601, whose first week of a year has 4 January; null when the year does not have the week. */
function findMonday(year: number, week: number): number | null {
  const first = mondayOf(utcDay(year, 1, 4));
  const ms = first + (week - 1) * 7 * DAY_MS;
  return week >= 1 && ms < mondayOf(utcDay(year + 1, 1, 4)) ? ms : null;
}

/** Until this day, the first system is one day behind: it has a 29 February 1900, on day 60. */
const LEAP_DAY_1900 = 60;
const MAX_SERIAL = 2_958_465;

/** The day of a spreadsheet's serial number, whose fraction is the time of day. */
function parseSerialDay(text: string, epochMs: number): number {
  const serial = /^\d{1,7}(\.\d+)?$/.test(text.trim()) ? Math.floor(Number(text)) : Number.NaN;
  const isEarly = epochMs === EPOCHS.spreadsheet && serial <= LEAP_DAY_1900;
  if (!(serial <= MAX_SERIAL) || (isEarly && (serial === 0 || serial === LEAP_DAY_1900)))
    throw new RowError(`the date "${text}" is not the number of a day in a spreadsheet`);
  return epochMs + (isEarly ? serial + 1 : serial) * DAY_MS;
}

/**
 * The period of a frequency that begins on a day. Annual periods begin in `firstMonth` of the day's year, whichever day of
 * the year it is; on the day itself where that is null. They end before the next one of the calendar, or on `lastMs`.
 * @throws RowError when no period of the frequency begins on the day
 */
export function toMappedPeriod(
  dayMs: number,
  frequency: Frequency,
  { firstMonth = 1, lastMs = null }: { firstMonth?: number | null; lastMs?: number | null } = {},
): Period {
  const isYear = firstMonth !== null && (frequency.periodLength.years ?? 0) > 0;
  const startMs = isYear ? utcDay(yearOf(dayMs), firstMonth, 1) : dayMs;
  if (lastMs !== null) return { startMs, endMs: lastMs };
  const grid = periodGrid(frequency, startMs);
  const index = grid.index(startMs);
  if (grid.start(index) === startMs) return { startMs, endMs: grid.start(index + 1) - DAY_MS };
  const advice = 'name the column of its last day as "end_date"';
  throw new RowError(`no ${frequency.name} period begins on ${formatDay(startMs)}; ${advice}`);
}
