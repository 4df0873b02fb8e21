import { isDay } from './time.js';

/** A chart annotation: a labelled line or band. Dates have the form `YYYY-MM-DD`. For a line, `to` is null. */
export interface Note {
  readonly from: string | null;
  readonly to: string | null;
  /** The value at which a horizontal line is drawn; null for an annotation with dates. */
  readonly value: number | null;
  readonly text: string;
}

const MAX_NOTES = 20;
export const MAX_NOTE_LENGTH = 80;

/** Parses and formats numbers in chart links, with at most nine digits before and nine after the decimal point. */
export const number = {
  read: (written: string): number | undefined =>
    /^-?\d{1,9}(\.\d{1,9})?$/.test(written) ? Number(written) : undefined,
  write: (value: number | null): string => (value === null ? '' : String(value)),
};

/**
 * Parses a chart link's notes, which are separated by `!`. Each note consists of a first date, a last date, a value
 * and a text, separated by tildes. Returns `undefined` if a note is invalid or if there are too many notes.
 */
export function readNotes(written: string): readonly Note[] | undefined {
  const notes = written.split('!').map(readNote);
  return notes.includes(undefined) || notes.length > MAX_NOTES ? undefined : (notes as Note[]);
}

export function writeNotes(notes: readonly Note[]): string {
  const escaped = (text: string) => encodeURIComponent(text).replaceAll('~', '%7E').replaceAll('!', '%21');
  return notes
    .map(({ from, to, value, text }) => [from ?? '', to ?? '', value ?? '', escaped(text)].join('~'))
    .join('!');
}

function readNote(written: string): Note | undefined {
  const [from = '', to = '', value = '', label = '', ...rest] = written.split('~');
  const [isDated, isHeight] = [isDay(from) && value === '', from === '' && to === '' && value !== ''];
  const height = isHeight ? number.read(value) : null;
  if (rest.length > 0 || isDated === isHeight || height === undefined) return undefined;
  if (to !== '' && (!isDay(to) || to < from)) return undefined;
  try {
    const text = decodeURIComponent(label);
    return text.length > MAX_NOTE_LENGTH
      ? undefined
      : { from: from || null, to: to || null, value: height, text };
  } catch {
    return undefined;
  }
}
