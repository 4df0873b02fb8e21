/** English months from January, three letters each. */
export const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

const FULL_NAMES =
  'january february march april may june july august september october november december'.split(' ');

/** The number (1–12) of a month by its first three letters, in any case; 0 when they begin none. */
export function monthByPrefix(text: string): number {
  return MONTHS.indexOf(text.slice(0, 3).toUpperCase()) + 1;
}

/** The number (1–12) of a month by its full name, in any case; 0 when the text is none. */
export function monthByName(text: string): number {
  return FULL_NAMES.indexOf(text.trim().toLowerCase()) + 1;
}
