import { MONTH_NAMES, mondayOf, shiftDate } from '../../model/calendar.js';
import type { Frequency } from '../../model/entity.js';
import { type FrequencyName, frequencyNamed, periodDays } from '../../model/frequency.js';
import { getOrCompute } from '../../model/grouping.js';
import {
  calendarDay,
  DAY_MS,
  formatTime,
  parseClock,
  startOfDay,
  utcDay,
  zoneOffsetMs,
} from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import commonFormats from './common-formats.json' with { type: 'json' };
import { monthByPrefix } from './row-values.js';

const MONTH = MONTH_NAMES.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|');

/** The parts of date formats, each with its pattern and the data frequency that it implies. */
const PARTS = {
  YYYY: ['(?<year>\\d{4})', 'annual'],
  YY: ['(?<shortYear>\\d{2})', 'annual'],
  MM: ['(?<month>\\d{1,2})', 'monthly'],
  Mon: [`(?<month>sept|${MONTH})`, 'monthly'],
  DD: ['(?<day>\\d{1,2})', 'daily'],
  DDD: ['(?<dayOfYear>\\d{3})', 'daily'],
  Sn: ['[SH](?<half>[12])', '6-month'],
  Qn: ['Q(?<quarter>[1-4])', 'quarterly'],
  Bn: ['B(?<bimester>[1-6])', '2-month'],
  Mnn: ['M(?<month>\\d{1,2})', 'monthly'],
  Wnn: ['W(?<week>\\d{1,2})', 'weekly'],
  Dnnn: ['D(?<dayOfYear>\\d{1,3})', 'daily'],
  DJF: ['(?<season>[JFMASOND]{3})', 'quarterly'],
  DJ: ['(?<season>[JFMASOND]{2})', '2-month'],
} as const satisfies Readonly<Record<string, readonly [expression: string, frequency: FrequencyName]>>;

/** The dates of serial number 0. Before the nonexistent 29 February 1900, the 1900 system's dates are a day later. */
const [EPOCH_1900, EPOCH_1904] = [utcDay(1899, 12, 30), utcDay(1904, 1, 1)];

/** The most common date formats. Other combinations of the same parts are also accepted. */
export const COMMON_FORMATS: readonly string[] = commonFormats;

const formats = new Map<string, ReturnType<typeof readFormat>>();

/** Parses a date format such as `DD/MM/YYYY`. Returns null if the string is not a date format. */
export function findDateFormat(text: string): ReturnType<typeof readFormat> {
  return getOrCompute(formats, text, () => readFormat(text));
}

type Part = keyof typeof PARTS;
const isPart = (text: string | undefined): text is Part => text !== undefined && text in PARTS;
const isSeason = (part: Part): boolean => part === 'DJF' || part === 'DJ';
const isYear = (part: Part): boolean => part === 'YYYY' || part === 'YY';

const TOKENS = /YYYY|YY|Mon|MM|DJF|DJ|DDD|DD|Sn|Qn|Bn|Mnn|Wnn|Dnnn|[-/. ]/g;

/** Matches an optional time of day and time zone after a date. */
const CLOCK =
  '(?:[T ] ?(?<clock>\\d{1,2}:[\\d:.]*(?: ?[AP]M)?) ?(?<zone>Z|[+-]\\d\\d(?::?\\d\\d)?|[A-Z]{2,5})?(?:\\[[\\w/+-]+\\])?)?';

function readFormat(text: string) {
  const tokens: readonly string[] = text.match(TOKENS) ?? [];
  const parts = tokens.filter(isPart);
  const isSplitYear = parts.length === 2 && parts[0] === 'YYYY' && parts.every(isYear);
  if (tokens.join('') !== text || !(isSplitYear || isDate(parts))) return null;
  const expressions = tokens.map((token, at) => {
    if (isSplitYear && at > 0 && isPart(token)) return `(?<nextYear>\\d{${token.length}})`;
    return expressionOf(token, tokens[at - 1], tokens[at + 1]);
  });
  const daysOf = (name: FrequencyName) => periodDays(frequencyNamed(name));
  const [frequency] = parts.map((part) => PARTS[part][1]).sort((a, b) => daysOf(a) - daysOf(b));
  const clock = frequency === 'daily' ? CLOCK : '';
  return {
    pattern: new RegExp(`^${expressions.join('')}${clock}$`, 'i'),
    frequency: frequency!,
    /** Whether the format describes years that end in the following calendar year, such as `2019/20`. */
    isSplitYear,
    isSeason: parts.some(isSeason),
  };
}

/** Checks whether parts form a date: a year alone, with one other part, or with a month and a day. */
function isDate(parts: readonly Part[]): boolean {
  const others = parts.filter((part) => !isYear(part));
  const isMonth = (part: Part) => part === 'MM' || part === 'Mon';
  const isOfMonth = others.length === 2 && others.some(isMonth) && others.includes('DD');
  const isOne = others.length < 2 && !others.includes('DD');
  return parts.length - others.length === 1 && (isOne || isOfMonth);
}

const isNumber = (token: string | undefined): boolean =>
  isPart(token) && token !== 'Mon' && !isSeason(token) && !token.endsWith('n');

/**
 * Returns a regular expression for one token of a date format, such as `MM`. `before` and `after` are the neighbouring
 * tokens. A number next to another number must be zero-padded. A space is optional, except between two numbers.
 */
function expressionOf(token: string, before: string | undefined, after: string | undefined): string {
  if (token === ' ') return isNumber(before) && isNumber(after) ? '[-/., ]{1,2}' : '[-/., ]{0,2}';
  if (!isPart(token)) return `\\${token}`;
  const [expression] = PARTS[token];
  if (token.endsWith('n')) return isPart(before) ? `[- ]?${expression}` : expression;
  return isNumber(before) || isNumber(after) ? expression.replace(/\{1,(\d)\}/, '{$1}') : expression;
}

export function matchesDateFormat(text: string, format: string): boolean {
  return findDateFormat(format)!.pattern.test(text.trim());
}

/** Returns the first day of a date's period. Drops the time of day, but `24:00` means the next day. @throws RowError */
export function parseFormattedDate(text: string, format: string): number {
  const day = readDay(text.trim(), format);
  if (typeof day === 'number') return day;
  throw new RowError(`the date "${text.trim()}" ${day}`);
}

/** Returns the day in UTC milliseconds, or the reason why the text is not a date. */
function readDay(text: string, format: string): number | string {
  const match = findDateFormat(format)!.pattern.exec(text);
  if (match === null) return `is not in the format ${format}`;
  const { clock = '00:00', zone = 'Z', ...parts } = match.groups!;
  const time = parseClock(clock);
  // Time zone names are not checked, because the date is the local day in any case.
  const isZone = !/^[+-]/.test(zone) || zoneOffsetMs(zone.padEnd(5, '0')) !== null;
  if (time === null || !isZone) return 'has no valid time of day';
  const ms = dayOfParts(parts);
  return ms === null ? 'is not in the calendar' : startOfDay(ms + time);
}

/** The first two-digit year that belongs to the 20th century, as in POSIX. Lower years belong to the 21st century. */
const FIRST_SHORT_YEAR = 69;

function dayOfParts(parts: Readonly<Record<string, string | undefined>>): number | null {
  const { half = 1, quarter = 2 * Number(half) - 1, bimester, shortYear, nextYear, week, dayOfYear } = parts;
  const century = Number(shortYear) < FIRST_SHORT_YEAR ? '20' : '19';
  const year = Number(parts.year ?? `${century}${shortYear}`);
  if (year === 0 || (nextYear !== undefined && !String(year + 1).endsWith(nextYear))) return null;
  if (parts.season !== undefined) return findSeason(year, parts.season.toUpperCase());
  if (week !== undefined) return findMonday(year, Number(week));
  if (dayOfYear !== undefined) return findDayOfYear(year, Number(dayOfYear));
  const first = bimester === undefined ? 3 * Number(quarter) - 2 : 2 * Number(bimester) - 1;
  const { month = String(first), day = 1 } = parts;
  return calendarDay(year, monthByPrefix(month) || Number(month), Number(day));
}

const INITIALS = MONTH_NAMES.map((name) => name[0]).join('');

/** Finds a season's first day. A season is in the year of its second month, so DJF 1950 begins in December 1949. */
function findSeason(year: number, initials: string): number | null {
  const first = `${INITIALS}${INITIALS}`.indexOf(initials);
  const isBefore = first + Math.floor(initials.length / 2) >= 12;
  return first < 0 ? null : utcDay(isBefore ? year - 1 : year, first + 1, 1);
}

/** Returns the Monday of an ISO 8601 week, or null if the year has no such week. Week 1 contains 4 January. */
function findMonday(year: number, week: number): number | null {
  const first = mondayOf(utcDay(year, 1, 4));
  const ms = first + (week - 1) * 7 * DAY_MS;
  return week >= 1 && ms < mondayOf(utcDay(year + 1, 1, 4)) ? ms : null;
}

function findDayOfYear(year: number, dayOfYear: number): number | null {
  const ms = utcDay(year, 1, dayOfYear);
  return dayOfYear >= 1 && ms < utcDay(year + 1, 1, 1) ? ms : null;
}

/** Days that exist only in spreadsheets: day 60 is 29 February 1900, and day 0 is the day before 1 January 1900. */
const DAYS_OF_NO_CALENDAR: Readonly<Record<number, string>> = { 0: '1900-01-00', 60: '1900-02-29' };
const MAX_SERIAL = 2_958_465;

/** Converts a serial number, including its time of day, to UTC milliseconds. Returns null if there is no such day. */
function serialTime(serial: number, is1904: boolean): number | null {
  const ms = Math.round(serial * DAY_MS);
  const day = Math.floor(ms / DAY_MS);
  if (!(day >= 0 && day <= MAX_SERIAL)) return null;
  if (is1904) return EPOCH_1904 + ms;
  if (day in DAYS_OF_NO_CALENDAR) return null;
  return EPOCH_1900 + ms + (day < 60 ? DAY_MS : 0);
}

/** Formats a serial number as a date, with the time unless it is midnight; null if spreadsheets show no date for it. */
export function serialDateText(serial: number, is1904: boolean): string | null {
  const ms = serialTime(serial, is1904);
  if (ms !== null) return formatTime(ms).replace(/T00:00:00\.000Z$/, '');
  return (!is1904 && DAYS_OF_NO_CALENDAR[Math.floor(serial)]) || null;
}

export function frequencyOfFormat(format: string): Frequency {
  return frequencyNamed(findDateFormat(format)!.frequency);
}

/** Returns the last day of a date's period, such as a year or a month. @throws RowError if `parseFormattedDate` does */
export function parseLastDay(text: string, format: string): number {
  return shiftDate(parseFormattedDate(text, format), frequencyOfFormat(format).periodLength) - DAY_MS;
}

/** Returns a date's last day at its time of day, or at 00:00. Times without a UTC offset are in UTC. @throws RowError */
export function parseLastTime(text: string, format: string): number {
  const day = parseLastDay(text, format);
  const { clock = '00:00', zone = 'Z' } = findDateFormat(format)!.pattern.exec(text.trim())!.groups!;
  return day + (parseClock(clock)! % DAY_MS) - (zoneOffsetMs(zone.padEnd(5, '0')) ?? 0);
}
