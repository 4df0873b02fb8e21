import { type Period, shiftDate, yearOf } from '../../model/calendar.js';
import type { Frequency } from '../../model/entity.js';
import { calendarDay, DAY_MS, utcDay } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import type { DateFormat } from './mapping.js';

const PATTERNS: Readonly<Record<DateFormat, RegExp>> = {
  YYYY: /^(?<year>\d{4})$/,
  'YYYY-MM': /^(?<year>\d{4})-(?<month>\d{2})$/,
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ][\d:.]+Z?)?$/,
  YYYYMMDD: /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  'MM/DD/YYYY': /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/,
  'DD/MM/YYYY': /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/,
  'DD.MM.YYYY': /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
};

/**
 * The first day of a year, month or day, in UTC milliseconds.
 * @throws RowError when the text does not have the format, or the day is not in the calendar
 */
export function parseMappedDate(text: string, format: DateFormat): number {
  const parts = PATTERNS[format].exec(text.trim())?.groups;
  if (parts === undefined) throw new RowError(`the date "${text}" does not have the format ${format}`);
  const ms = calendarDay(Number(parts.year), Number(parts.month ?? 1), Number(parts.day ?? 1));
  if (ms === null) throw new RowError(`the date "${text}" is not in the calendar`);
  return ms;
}

/** The period of a frequency that begins on a day; annual periods begin in `firstMonth` of the day's year. */
export function toMappedPeriod(dayMs: number, { periodLength }: Frequency, firstMonth: number): Period {
  const isOtherYear = (periodLength.years ?? 0) > 0 && firstMonth > 1;
  const startMs = isOtherYear ? utcDay(yearOf(dayMs), firstMonth, 1) : dayMs;
  return { startMs, endMs: shiftDate(startMs, periodLength) - DAY_MS };
}
