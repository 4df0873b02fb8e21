import { DAY_MS } from '../../../model/time.js';
import { RowError } from '../../batch/batch-builder.js';
import { DATE_FORMATS, type DateFormat, matchesDateFormat, parseMappedDate } from '../dates.js';
import { FILL_IN } from '../mapping.js';
import { createNumberParser, type NumberParser } from '../numbers.js';

/** A column of the table's beginning. */
export interface SampledColumn {
  readonly name: string;
  /** Its texts by row, without spaces around them. */
  readonly cells: readonly string[];
  /** Those that are not missing, each once. */
  readonly texts: readonly string[];
}

/** The formats of dates that all texts of a column have. */
function dateFormatsOf({ texts }: SampledColumn): DateFormat[] {
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

const DECIMAL_COMMA = /^-?(?:\d+,(?:\d{1,2}|\d{4,})|\d{4,},\d+|0,\d+|\d{1,3}(?:\.\d{3})+,\d+)$/;
const LONE_GROUP = /^-?\d{1,3},\d{3}$/;

/**
 * The parser of the numbers that a table shows, and the keys of a mapping for their marks; ambiguous marks are not guessed where
 * fields are not divided by commas, and `note` then says so.
 */
export function marksOf(columns: readonly SampledColumn[], delimiter: string | undefined) {
  const texts = columns.flatMap((column) => column.texts);
  const has = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  const parser = (decimal: '.' | ',', thousands?: ' ' | "'") =>
    createNumberParser({ decimal, thousands, delimiter });
  const decimal = has(DECIMAL_COMMA) ? ',' : undefined;
  const unclear = delimiter !== ',' ? texts.find((text) => LONE_GROUP.test(text)) : undefined;
  if (decimal === undefined && unclear !== undefined) {
    const note = `fill in "decimal": "${unclear}" can be read as two numbers`;
    return { keys: { decimal: FILL_IN }, parse: parser(','), note };
  }
  const isSpaced = has(/^-?\d{1,3}(?:[ \u00a0\u202f]\d{3})+\b/);
  const thousands = isSpaced ? ' ' : has(/^-?\d{1,3}(?:['’]\d{3})+\b/) ? "'" : undefined;
  return { keys: { decimal, thousands }, parse: parser(decimal ?? '.', thousands) };
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

const REPORTING = /report|releas|publi|issue|as[ _]?of|vintage|load/i;
const END = /^(period[ _])?(end|to|until)([ _]|$)|[ _]end(ing|ed)?$/i;
const DATE_NAME =
  /date|year|day|month|week|quarter|time|period|jahr|a[nñ]o|ann[ée]e|datum|woche|tag|monat|^begin|^start/i;

/** The keys of a mapping for the dates of a table: the columns all of whose texts are dates; and notes on their gaps. */
export function findDates(columns: readonly SampledColumn[]) {
  const dated = columns
    .map((column) => ({ column, formats: dateFormatsOf(column) }))
    .filter(
      ({ column, formats }) => formats.length > 0 && (formats[0] !== 'YYYY' || DATE_NAME.test(column.name)),
    );
  const role = (pattern: RegExp) => dated.find(({ column }) => pattern.test(column.name));
  const [end, reporting] = [role(END), role(REPORTING)];
  const others = dated.filter((each) => each !== end && each !== reporting);
  const start = others.find(({ column }) => DATE_NAME.test(column.name)) ?? others[0] ?? end;
  const notes: string[] = [];
  const from = ({ column: { name, texts }, formats }: (typeof dated)[number]) => {
    if (formats.length === 1) return { column: name, format: formats[0] };
    notes.push(`fill in the format of "${name}": "${texts[0]}" can be ${formats.join(' or ')}`);
    return { column: name, format: FILL_IN };
  };
  const reported = {
    reporting_date: reporting && from(reporting),
    available_date: reporting && { equal_to: 'reporting_date' },
  };
  const month = columns.find(({ name }) => /^(month|monat|mois|mes)$/i.test(name));
  if (start === undefined)
    notes.push(
      reporting === undefined
        ? 'fill in "start_date": no column is a date throughout'
        : `fill in "start_date": the only date, "${reporting.column.name}", was used as the reporting date`,
    );
  else if (start.formats[0] === 'YYYY' && month !== undefined)
    notes.push(
      `a mapping reads a date from one column: join "${start.column.name}" and "${month.name}" as 2023-05`,
    );
  const keys = {
    start_date: start
      ? { ...from(start), last_day: start === end ? true : undefined }
      : { column: FILL_IN, format: FILL_IN },
    end_date: start && end && start !== end ? from(end) : undefined,
    ...reported,
    frequency: start?.formats.length === 1 ? frequencyOf(start.column, start.formats[0]!) : undefined,
  };
  return { keys, notes };
}

const MIN_DATES = 3;

/** The frequency that days show where the format does not: weeks, first days of months; undefined for daily ones. */
function frequencyOf({ texts }: SampledColumn, format: DateFormat): string | undefined {
  if (!/D/.test(format)) return undefined;
  const days = texts.map((text) => parseMappedDate(text, format)).sort((a, b) => a - b);
  if (days.length < MIN_DATES) return undefined;
  const steps = days.slice(1).map((day, i) => (day - days[i]!) / DAY_MS);
  if (steps.every((step) => step % 7 === 0)) return 'weekly';
  const dates = days.map((day) => new Date(day));
  if (dates.some((date) => date.getUTCDate() !== 1)) return undefined;
  const months = new Set(dates.map((date) => date.getUTCMonth()));
  if (months.size === 1 && months.has(0)) return 'annual';
  return [...months].every((month) => month % 3 === 0) ? 'quarterly' : 'monthly';
}
