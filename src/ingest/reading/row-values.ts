import { parseTime } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';

/**
 * A date of a row in UTC milliseconds.
 * @throws RowError when the text is no date of the calendar
 */
export function parseRowDate(text: string, what: string): number {
  try {
    return parseTime(text.trim(), what);
  } catch {
    throw new RowError(`the ${what} "${text}" is not a date`);
  }
}

/**
 * A number of a row, with thousands separators or without.
 * @throws RowError when the text is no number
 */
export function parseRowNumber(text: string, what: string): number {
  const trimmed = text.trim();
  if (!/^-?(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?(e[+-]?\d+)?$/i.test(trimmed) || !/\d/.test(trimmed)) {
    throw new RowError(`the ${what} "${trimmed}" is no number`);
  }
  return Number(trimmed.replaceAll(',', ''));
}

/**
 * A whole number of a row, such as a code or a year, with leading zeros or without.
 * @throws RowError when the text is none
 */
export function parseRowInteger(text: string, what: string): number {
  const trimmed = text.trim();
  if (!/^\d{1,9}$/.test(trimmed)) throw new RowError(`the ${what} "${trimmed}" is no whole number`);
  return Number(trimmed);
}
