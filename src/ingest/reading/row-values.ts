import { MONTH_NAMES } from '../../model/calendar.js';
import { RowError } from '../batch/batch-builder.js';

/**
 * Parses a non-negative integer of up to nine digits, such as a code or a year. Leading zeros are allowed.
 * @throws RowError for any other string
 */
export function parseRowInteger(text: string, what: string): number {
  const trimmed = text.trim();
  if (!/^\d{1,9}$/.test(trimmed)) throw new RowError(`the ${what} "${trimmed}" is not a whole number`);
  return Number(trimmed);
}

/**
 * Formats remarks on a value as the JSON of its metadata, without those that are undefined or empty. Returns null if
 * there are none.
 */
export function remarksJson(remarks: object): string | null {
  const given = Object.entries(remarks).filter(([, remark]) => remark !== undefined && remark !== '');
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given));
}

/** The English abbreviations of the months in capitals, from January on. */
export const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3).toUpperCase());

/**
 * Returns the number of a month (1–12) by the first three letters of its English name, case-insensitive; 0 for other
 * strings.
 */
export function monthByPrefix(text: string): number {
  return MONTHS.indexOf(text.slice(0, 3).toUpperCase()) + 1;
}
