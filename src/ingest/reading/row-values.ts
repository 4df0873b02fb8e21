import { MONTH_NAMES } from '../../model/calendar.js';
import { RowError } from '../batch/batch-builder.js';

/**
 * Parses a non-negative integer of up to nine digits, such as a code or a year. Leading zeros are allowed.
 * @throws RowError if the string is anything else
 */
export function parseRowInteger(text: string, what: string): number {
  const trimmed = text.trim();
  if (!/^\d{1,9}$/.test(trimmed)) throw new RowError(`the ${what} "${trimmed}" is not a whole number`);
  return Number(trimmed);
}

/**
 * Formats remarks on a value as JSON for the value's metadata, omitting those that are undefined or empty. Returns null
 * if no remarks remain.
 */
export function remarksJson(remarks: object): string | null {
  const given = Object.entries(remarks).filter(([, remark]) => remark !== undefined && remark !== '');
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given));
}

/** The upper-case English abbreviations of the months: `JAN` to `DEC`. */
export const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3).toUpperCase());

/**
 * Returns a month's number (1–12) from the first three letters of its English name, ignoring case, or 0 if there is no
 * such month.
 */
export function monthByPrefix(text: string): number {
  return MONTHS.indexOf(text.slice(0, 3).toUpperCase()) + 1;
}
