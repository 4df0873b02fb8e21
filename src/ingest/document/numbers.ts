import { quoteLiteral } from '../../store/duckdb/engine/sql-values.js';
import { orRowError, RowError } from '../batch/batch-builder.js';

/** Checks that parsing an integer, which may be an identifier, lost no digits. @throws RowError if it did */
function checkExact(value: number, text: string, what: string): number {
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(text) || BigInt(text) === BigInt(value)) return value;
  throw new RowError(`the ${what} "${text}" has more digits than can be stored exactly`);
}

export interface NumberFormat {
  readonly decimal: '.' | ',';
  /** The thousands separator ("" if none); by default, a point or comma other than `decimal` in unambiguous numbers. */
  readonly thousands?: (typeof THOUSANDS)[number] | undefined;
  /** The table's field delimiter. A comma in a number may be the decimal separator, unless commas delimit fields. */
  readonly delimiter: string | undefined;
  readonly whole?: boolean | undefined;
  /** Whether the point in a number such as `1.234` is known to be the decimal separator (default: true). */
  readonly isSurePoint?: boolean | undefined;
}

export const THOUSANDS = [',', '.', ' ', "'", ''] as const;

/** Parses a number, called `what` in messages. `other` describes what else is allowed. @throws RowError if invalid */
export type NumberParser = (text: string, what: string, other?: string) => number;

/** A pattern for each separator. A space may be narrow or non-breaking, and an apostrophe may be typographic. */
const WRITTEN: Readonly<Record<string, string>> = {
  ',': ',',
  '.': '\\.',
  ' ': '[ \\u00a0\\u202f]',
  "'": "['’]",
};
const EXPONENT = '(?:e[+-]?\\d+)?';

/** Returns two SQL expressions: one parses a cell as a number, and the other checks whether the engine can parse it. */
export function plainNumberSql(text: string, format: NumberFormat) {
  const { decimal, thousands } = format;
  const bare = thousands ? `replace(${text}, ${quoteLiteral(thousands)}, '')` : text;
  return {
    number: `try_cast(${decimal === ',' ? `replace(${bare}, ',', '.')` : bare} AS DOUBLE)`,
    isPlain: `regexp_full_match(${text}, ${quoteLiteral(` *${plainNumberPattern(format)} *`)})`,
  };
}

/** Returns a pattern for numbers that the engine can parse, excluding `1.234` if the point may separate thousands. */
function plainNumberPattern({ decimal, thousands, whole, isSurePoint = true }: NumberFormat): string {
  if (whole) return '-?[0-9]{1,15}';
  const grouped = thousands ? `|[0-9]{1,3}([${thousands}][0-9]{3}){1,4}` : '';
  return isSurePoint
    ? `-?([0-9]{1,15}${grouped})([${decimal}][0-9]+)?([eE][+-]?[0-9]{1,2})?`
    : '-?([0-9]{1,15}|0[.][0-9]+|[0-9]+[.]([0-9]{1,2}|[0-9]{4,})|[0-9]{4,}[.][0-9]+)';
}

const LONE_POINT = /^-?[1-9]\d{0,2}\.\d{3}$/;

export function createNumberParser(format: NumberFormat): NumberParser {
  const { decimal, thousands, delimiter, whole, isSurePoint = true } = format;
  const otherMark = decimal === '.' ? ',' : '.';
  const fraction = `(?:${WRITTEN[decimal]}\\d+)?`;
  const plain = new RegExp(`^-?(?:\\d+${fraction}|${WRITTEN[decimal]}\\d+)${EXPONENT}$`, 'i');
  const separator = WRITTEN[thousands ?? otherMark];
  const grouped =
    separator === undefined
      ? null
      : new RegExp(`^-?\\d{1,3}(?:${separator}\\d{3})+${fraction}${EXPONENT}$`, 'i');
  const marks = new RegExp(`[${WRITTEN[otherMark]} \\u00a0\\u202f'’]`, 'g');
  const lone = new RegExp(`^-?\\d{1,3}${WRITTEN[otherMark]}\\d{3}$`);
  const isUnsure = thousands === undefined && (decimal === ',' || delimiter !== ',');
  return (text, what, other) => {
    const trimmed = text.trim();
    if (whole && !/^-?\d+$/.test(trimmed))
      throw new RowError(`the ${what} "${trimmed}" is not a whole number`);
    if (!isSurePoint && LONE_POINT.test(trimmed)) throw ambiguousError(trimmed, what, '.');
    if (plain.test(trimmed)) return checkExact(Number(trimmed.replace(decimal, '.')), trimmed, what);
    if (isUnsure && lone.test(trimmed)) throw ambiguousError(trimmed, what, otherMark);
    if (grouped?.test(trimmed)) {
      const bare = trimmed.replace(marks, '').replace(decimal, '.');
      return checkExact(Number(bare), bare, what);
    }
    const no = other === undefined ? 'not a number' : `neither a number nor ${other}`;
    throw new RowError(`the ${what} "${trimmed}" is ${no}${adviceFor(trimmed, decimal)}`);
  };
}

/** Creates a lookup of strings with a special meaning. `-9999` also matches equal numbers, such as `-9999.0`. */
export function createNumberTexts(given: readonly string[], parse: NumberParser) {
  const texts = given.map((text) => text.trim());
  const numberOf = (text: string): number | undefined => {
    const number = orRowError(() => parse(text, 'value'));
    return number instanceof RowError ? undefined : number;
  };
  const numbers = texts.flatMap((text) => numberOf(text) ?? []);
  const find = (text: string): string | undefined => {
    if (texts.includes(text)) return text;
    const number = numberOf(text);
    return number === undefined ? undefined : texts.find((one) => numberOf(one) === number);
  };
  return { numbers, find, has: (text: string): boolean => find(text) !== undefined };
}

function ambiguousError(text: string, what: string, mark: string): RowError {
  return new RowError(
    `the ${what} "${text}" could be ${text.replace(mark, '.')} or ${text.replace(mark, '')}; ` +
      `set "decimal": "${mark}" or "thousands": "${mark}" in the document`,
  );
}

/** Returns advice on separators if a string looks like a number, or else an empty string. */
function adviceFor(text: string, decimal: string): string {
  if (!/^-?\d[\d.,'’ \u00a0\u202f]*\d$/.test(text)) return '';
  const last = text.match(/[.,](?=\d+$)/)?.[0];
  const isOtherDecimal = last !== undefined && last !== decimal && text.split(last).length === 2;
  return isOtherDecimal
    ? `; set "decimal": "${last}" in the document if that is the decimal separator`
    : '; specify the thousands separator in the document ("thousands": " ")';
}
