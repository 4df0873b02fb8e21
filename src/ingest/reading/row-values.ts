import { calendarDay, parseTime } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import type { Codes } from './field-texts.js';

/** @throws RowError when a row does not have as many fields as the header */
export function assertFieldCount(fields: readonly string[], header: readonly string[]): void {
  if (fields.length !== header.length) {
    throw new RowError(`the row has ${fields.length} fields, but the header has ${header.length}`);
  }
}

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

/**
 * Parses a date as files of agencies of the United States have it, in UTC milliseconds: `2024-01-02` or `1/2/2024`, with or
 * without a time, which is ignored, or `20240102`.
 * @throws RowError when the text is not a date in the calendar
 */
export function parseRowDateOfAnyForm(text: string, what: string): number {
  const trimmed = text.trim();
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(trimmed) ?? [];
  const [, usMonth, usDay, usYear] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: .*)?$/.exec(trimmed) ?? [];
  if (year === undefined && usYear === undefined) return parseRowDate(trimmed.replace(/[T ].*$/, ''), what);
  const ms = calendarDay(Number(year ?? usYear), Number(month ?? usMonth), Number(day ?? usDay));
  if (ms === null) throw new RowError(`the ${what} "${trimmed}" is not a date`);
  return ms;
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

const ZERO = 48;
const NINE = 57;
const MINUS = 45;
/** So many digits make a whole number that a double holds exactly; powers of ten up to 22 are exact as well. */
const MAX_DIGITS = 15;
const POWERS = Array.from({ length: MAX_DIGITS + 1 }, (_, digits) => 10 ** digits);

/** Character codes of the marks in a number; NaN for none. */
interface Marks {
  readonly decimal: number;
  /** Between groups of three digits. */
  readonly thousands: number;
}

/** A number of `MAX_DIGITS` digits is no longer, with a sign, a decimal mark and marks of thousands. */
const written = new Uint16Array(24);

/** The number that a text of few digits is, as `parsePlainCodes` reads it. */
export function parsePlainNumber(text: string, marks: Marks): number {
  const { length } = text;
  if (length > written.length) return Number.NaN;
  for (let at = 0; at < length; at++) written[at] = text.charCodeAt(at);
  return parsePlainCodes(written, 0, length, marks);
}

/**
 * The number that the character codes from `start` to `end` are, where they have few digits: a quotient of two exact doubles is
 * the double nearest to it (Clinger, How to Read Floating Point Numbers Accurately, 1990). NaN for all other texts, whether they
 * are numbers or not.
 */
export function parsePlainCodes(
  codes: Codes,
  start: number,
  end: number,
  { decimal, thousands }: Marks,
): number {
  const isNegative = codes[start] === MINUS;
  let digits = 0;
  let whole = 0;
  /**
   * Digits since the decimal mark, and between the last mark of thousands and the decimal mark: none where the marks are the
   * other way round. -1 before there is one.
   */
  let fraction = -1;
  let group = -1;
  for (let at = isNegative ? start + 1 : start; at < end; at++) {
    const code = codes[at]!;
    if (code >= ZERO && code <= NINE) {
      whole = whole * 10 + (code - ZERO);
      digits++;
      if (fraction >= 0) fraction++;
      else if (group >= 0) group++;
    } else if (code === thousands && (group < 0 ? digits > 0 && digits <= 3 : group === 3)) {
      group = 0;
    } else if (code === decimal && fraction < 0) {
      fraction = 0;
    } else {
      return Number.NaN;
    }
  }
  const isWhole = digits > 0 && fraction !== 0 && (group < 0 || group === 3);
  if (!isWhole || digits > MAX_DIGITS) return Number.NaN;
  const size = fraction > 0 ? whole / POWERS[fraction]! : whole;
  return isNegative ? -size : size;
}

/** English abbreviations of the months, from January. */
export const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

const FULL_NAMES =
  'january february march april may june july august september october november december'.split(' ');

/** The number of a month (1–12) by the first three letters of its English name, in any case; 0 for other texts. */
export function monthByPrefix(text: string): number {
  return MONTHS.indexOf(text.slice(0, 3).toUpperCase()) + 1;
}

/** The number of a month (1–12) by its English name, in any case; 0 for other texts. */
export function monthByName(text: string): number {
  return FULL_NAMES.indexOf(text.trim().toLowerCase()) + 1;
}
