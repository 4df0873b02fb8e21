import { SERIES_KEY_FIELDS, type SeriesKey, seriesKeyText } from '../../model/series.js';
import { calendarDay } from '../../model/time.js';

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(written: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(written) ?? [];
  return day !== undefined && calendarDay(Number(year), Number(month), Number(day)) !== null;
}

/** How a part of the state is written in a link; undefined for a text that cannot be read. */
export interface Codec<Value> {
  readonly read: (written: string) => Value | undefined;
  readonly write: (value: Value) => string;
}

/** One of some words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Codec<Word> {
  return {
    read: (written) => words.find((word) => word === written),
    write: (value) => value,
  };
}

/** The id of an entity. */
export const id: Codec<number | null> = {
  read: (written) => readId(written),
  write: (value) => (value === null ? '' : String(value)),
};

/** Ids of entities. */
export const idList: Codec<readonly number[]> = {
  read(written) {
    const ids = written.split(',').map(readId);
    return ids.includes(undefined) ? undefined : [...new Set(ids as number[])];
  },
  write: (ids) => ids.join(','),
};

/** The number of an id; undefined for other texts. */
export function readId(written: string): number | undefined {
  const value = Number(written);
  return /^\d{1,16}$/.test(written) && Number.isSafeInteger(value) ? value : undefined;
}

/** A finite number. */
export const number: Codec<number | null> = {
  read: (written) => (/^-?\d{1,9}(\.\d{1,9})?$/.test(written) ? Number(written) : undefined),
  write: (value) => (value === null ? '' : String(value)),
};

/** A day of the calendar, `YYYY-MM-DD`. */
export const dateText: Codec<string | null> = {
  read: (written) => (isDay(written) ? written : undefined),
  write: (value) => value ?? '',
};

/** A day of every year, `MM-DD`. */
export const seasonDay: Codec<string | null> = {
  read: (written) => (isDay(`2001-${written}`) ? written : undefined),
  write: (value) => value ?? '',
};

/** Yes, or nothing. */
export const flag: Codec<boolean> = {
  read: (written) => (written === '1' ? true : undefined),
  write: (value) => (value ? '1' : ''),
};

/** Series by their keys, separated by commas. */
export const seriesList: Codec<readonly SeriesKey[]> = {
  read(written) {
    const keys = written.split(',').map(readSeries);
    return keys.includes(undefined) ? undefined : (keys as SeriesKey[]);
  },
  write: (keys) => keys.map(seriesKeyText).join(','),
};

/** The key that `seriesKeyText` wrote; undefined for other texts. */
function readSeries(written: string): SeriesKey | undefined {
  const ids = written.split('-').map(readId);
  if (ids.length !== SERIES_KEY_FIELDS.length || ids.includes(undefined)) return undefined;
  return Object.fromEntries(SERIES_KEY_FIELDS.map((field, at) => [field, ids[at]])) as unknown as SeriesKey;
}

/** What a user typed. */
export const text: Codec<string> = { read: (written) => written, write: (value) => value };
