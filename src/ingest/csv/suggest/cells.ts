import { RowError } from '../../batch/batch-builder.js';
import { matchesDateFormat, parseMappedDate } from '../dates.js';
import { DATE_FORMATS, type DateFormat } from '../mapping.js';
import { createNumberParser, type NumberParser, trustsLoneGroup } from '../numbers.js';

/** A column of the table's beginning, with its distinct texts that are not empty. */
export interface SampledColumn {
  readonly name: string;
  readonly texts: readonly string[];
}

/** The formats of dates that all texts of a column have. */
export function dateFormatsOf({ texts }: SampledColumn): DateFormat[] {
  if (texts.length === 0) return [];
  return DATE_FORMATS.filter((format) => texts.every((text) => isDate(text, format)));
}

const MIN_YEAR = 1500;
const MAX_YEAR = 2200;

function isDate(text: string, format: DateFormat): boolean {
  if (!matchesDateFormat(text, format)) return false;
  const ms = tryParse(() => parseMappedDate(text, format));
  if (ms === null) return false;
  const year = new Date(ms).getUTCFullYear();
  return year >= MIN_YEAR && year <= MAX_YEAR;
}

/** Null for a text that a row would be rejected for. */
function tryParse(parse: () => number): number | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RowError) return null;
    throw error;
  }
}

/** The marks in the numbers of a table, as the keys of a mapping; or an example of a number that could be two. */
export type Marks =
  | { readonly decimal?: ',' | undefined; readonly thousands?: ' ' | "'" | undefined }
  | { readonly unclear: string };

const DECIMAL_COMMA = /^-?(?:\d+,(?:\d{1,2}|\d{4,})|\d{4,},\d+|0,\d+|\d{1,3}(?:\.\d{3})+,\d+)$/;
const LONE_GROUP = /^-?\d{1,3},\d{3}$/;

/** The marks that a table's numbers show; what they leave open is not guessed where fields are not divided by commas. */
export function marksOf(columns: readonly SampledColumn[], delimiter: string | undefined): Marks {
  const texts = columns.flatMap((column) => column.texts);
  const has = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  const thousands = has(/^-?\d{1,3}(?:[ \u00a0\u202f]\d{3})+\b/)
    ? ' '
    : has(/^-?\d{1,3}(?:['’]\d{3})+\b/)
      ? "'"
      : undefined;
  const decimal = has(DECIMAL_COMMA) ? (',' as const) : undefined;
  const unclear = delimiter === ';' ? texts.find((text) => LONE_GROUP.test(text)) : undefined;
  if (decimal === undefined && unclear !== undefined) return { unclear };
  return { decimal, thousands };
}

export function parserFor(marks: Marks, delimiter: string | undefined): NumberParser {
  const { decimal = '.', thousands } =
    'unclear' in marks ? { decimal: ',' as const, thousands: undefined } : marks;
  return createNumberParser({ decimal, thousands, trustsLoneGroup: trustsLoneGroup(decimal, delimiter) });
}

/** The share of figures that may be missing texts, and how many such texts a column may have. */
const MIN_FIGURES = 0.5;
const MAX_MISSING_TEXTS = 4;

/** The texts of a column of figures that are none; null when it is not a column of figures. */
export function missingTexts({ texts }: SampledColumn, parse: NumberParser): string[] | null {
  const others = texts.filter((text) => tryParse(() => parse(text, 'figure')) === null);
  const isFigures = texts.length > 0 && others.length <= texts.length * (1 - MIN_FIGURES);
  return isFigures && others.length <= MAX_MISSING_TEXTS ? others : null;
}
