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
