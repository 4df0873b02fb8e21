import { MONTH_NAMES } from '../../model/calendar.js';
import { RowError } from '../batch/batch-builder.js';

/** Parses an integer of up to nine digits, such as a code. @throws RowError if the text is not such an integer */
export function parseRowInteger(text: string, what: string): number {
  const trimmed = text.trim();
  if (!/^\d{1,9}$/.test(trimmed)) throw new RowError(`the ${what} "${trimmed}" is not a whole number`);
  return Number(trimmed);
}

/** Formats remarks as JSON, without empty remarks. Returns null if no remarks remain. */
export function remarksJson(remarks: object): string | null {
  const given = Object.entries(remarks).filter(([, remark]) => remark !== undefined && remark !== '');
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given));
}

/** The upper-case English abbreviations of the months: `JAN` to `DEC`. */
export const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3).toUpperCase());

/** Returns the number of a month from its first three letters, or 0 if there is no such month. */
export function monthByPrefix(text: string): number {
  return MONTHS.indexOf(text.slice(0, 3).toUpperCase()) + 1;
}
