import { periodDays } from '../../../model/frequency.js';
import { DAY_MS } from '../../../model/time.js';
import { orRowError, RowError } from '../../batch/batch-builder.js';
import {
  COMMON_FORMATS,
  findDateFormat,
  frequencyOfFormat,
  matchesDateFormat,
  parseFormattedDate,
} from '../../reading/dates.js';
import { fieldNames } from '../fields.js';
import type { DateParts } from '../form.js';
import { FILL_IN } from '../key-schemas.js';
import { createNumberParser, type NumberParser } from '../numbers.js';
import { readDateText } from '../parse-form.js';
import columnNames from './column-names.json' with { type: 'json' };

export interface SampledColumn {
  readonly name: string;
  readonly cells: readonly string[];
  /** The distinct strings in the column, except those that usually stand for missing values. */
  readonly texts: readonly string[];
}

/** Checks whether a name is commonly used for columns with this meaning. */
export const isCalled = (name: string, meaning: keyof typeof columnNames): boolean =>
  new RegExp(columnNames[meaning], 'i').test(name);

/** Date formats that numbers may match by chance. They are considered only if the column's name suggests a date. */
const NUMBER_FORMATS: ReadonlySet<string> = new Set(['YYYY', 'YYYYMM', 'YYYYDDD']);

function dateFormatsOf({ name, texts }: SampledColumn): string[] {
  if (texts.length === 0) return [];
  return COMMON_FORMATS.filter(
    (format) =>
      texts.every((text) => isDate(text, format)) && (!NUMBER_FORMATS.has(format) || isCalled(name, 'date')),
  );
}

const MIN_YEAR = 1500;
const MAX_YEAR = 2200;

/** Checks whether a string matches a date format and has a plausible year. */
export function isDate(text: string, format: string): boolean {
  if (!matchesDateFormat(text, format)) return false;
  const ms = orRowError(() => parseFormattedDate(text, format));
  if (ms instanceof RowError) return false;
  const year = new Date(ms).getUTCFullYear();
  return year >= MIN_YEAR && year <= MAX_YEAR;
}

/** Returns a pattern for numbers in which `mark` must be the decimal separator, unlike the point in `1.234`. */
const certainPattern = (mark: string, other: string) =>
  new RegExp(
    `^-?(?:\\d*${mark}(?:\\d{1,2}|\\d{4,})|\\d{4,}${mark}\\d+|0${mark}\\d+|\\d{1,3}(?:${other}\\d{3})+${mark}\\d+)$`,
  );
const CERTAIN = { '.': certainPattern('\\.', ','), ',': certainPattern(',', '\\.') } as const;
const LONE_GROUP = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

/** Detects separators in numbers. Returns document keys, a number parser and, if the separators are unclear, a note. */
export function marksOf(columns: readonly SampledColumn[], delimiter: string | undefined) {
  const texts = columns.flatMap((column) => column.texts);
  const having = (pattern: RegExp): string[] => texts.filter((text) => pattern.test(text));
  const parser = (decimal: '.' | ',', thousands?: ' ' | "'" | '') =>
    createNumberParser({ decimal, thousands, delimiter });
  const [points, commas] = [having(CERTAIN['.']), having(CERTAIN[','])];
  const unclear = having(LONE_GROUP).find((text) => isUnclear(text, delimiter));
  if (points.length === commas.length && (points.length > 0 || unclear !== undefined)) {
    const what =
      points.length > 0
        ? `"${points[0]}" and "${commas[0]}" use different decimal separators`
        : `"${unclear}" is ambiguous`;
    const parse = parser(unclear?.includes('.') ? '.' : ',', '');
    return { keys: { decimal: FILL_IN }, parse, note: `fill in "decimal": ${what}` };
  }
  const decimal = commas.length > points.length ? ',' : '.';
  const isSpaced = having(/^-?\d{1,3}(?:[ \u00a0\u202f]\d{3})+\b/).length > 0;
  const isQuoted = having(/^-?\d{1,3}(?:['’]\d{3})+\b/).length > 0;
  const thousands = isSpaced ? ' ' : isQuoted ? "'" : undefined;
  const isStated = decimal === ',' || (delimiter === ';' && points.length > 0);
  return { keys: { decimal: isStated ? decimal : undefined, thousands }, parse: parser(decimal, thousands) };
}

/** Checks for ambiguous numbers: `1,234` unless the delimiter is `,`, and `1.234` if the delimiter is `;`. */
function isUnclear(text: string, delimiter: string | undefined): boolean {
  return text.includes(',') ? delimiter !== ',' : delimiter === ';';
}

const MIN_FIGURES = 0.5;
/** The maximum number of distinct words in a value column. The words are taken to stand for missing values. */
const MAX_MISSING_TEXTS = 4;
const MAX_FAULTS = 0.1;

/** Matches strings that contain a digit or consist of letters mistyped for digits, such as `lO` for 10. */
const MEANT_AS_NUMBER = /\d|^[-+]?[OoIl]+[.,]?[OoIl]+$/;

/** Lists the words among a column's numbers, or returns null if the column is not a value column. */
export function wordsAmongFigures({ texts }: SampledColumn, parse: NumberParser): string[] | null {
  const others = texts.filter((text) => orRowError(() => parse(text, 'figure')) instanceof RowError);
  const words = others.filter((text) => !MEANT_AS_NUMBER.test(text));
  const isFigures = texts.length > 0 && others.length <= texts.length * (1 - MIN_FIGURES);
  const faults = others.length - words.length;
  const areFew = faults <= Math.max(MAX_MISSING_TEXTS, MAX_FAULTS * texts.length);
  return isFigures && areFew && words.length <= MAX_MISSING_TEXTS ? words : null;
}

const DATES_OF_PARTS = [['month', 'day'], ['day_of_year'], ['month'], ['week'], ['quarter']] as const;

/** Finds the columns that contain the parts of a date, if every row with a year has a valid date. */
function findParts(columns: readonly SampledColumn[]) {
  const columnOf = (part: 'year' | (typeof DATES_OF_PARTS)[number][number]) =>
    columns.find(({ name }) => isCalled(name.replaceAll(/[ .-]/g, '_'), part));
  const year = columnOf('year');
  if (year === undefined) return undefined;
  for (const parts of DATES_OF_PARTS) {
    const found = [['year', year] as const, ...parts.map((part) => [part, columnOf(part)] as const)];
    const names = Object.fromEntries(found.map(([part, column]) => [part, column?.name]));
    if (
      found.every(([, column]) => column !== undefined) &&
      areDates(found.map(([part, column]) => [part, column!]))
    )
      return names;
  }
  return undefined;
}

/** Checks that each row with a year has a valid date. */
function areDates(parts: readonly (readonly [part: string, column: SampledColumn])[]): boolean {
  const from = Object.fromEntries(parts.map(([part, { name }]) => [part, { column: name }])) as DateParts;
  const rows = parts[0]![1].cells.map((_, at) =>
    Object.fromEntries(parts.map(([, { name, cells }]) => [name, cells[at]!])),
  );
  const dates = rows.map((row) => readDateText(from, row)).filter(({ text }) => text !== '');
  return dates.length > 0 && dates.every(({ text, format }) => isDate(text, format));
}

export const SPLIT_YEARS =
  'fill in "first_month": the month, from 1 to 12, in which years such as 2019/20 begin';

/** Returns the keys for a table's dates, with notes on what to fill in. A date column must contain only dates. */
export function findDates(columns: readonly SampledColumn[]) {
  const dated = columns
    .map((column) => ({ column, formats: dateFormatsOf(column) }))
    .filter(({ formats }) => formats.length > 0);
  const role = (meaning: 'endDate' | 'reportingDate') =>
    dated.find(({ column }) => isCalled(column.name, meaning));
  const [end, reporting] = [role('endDate'), role('reportingDate')];
  const others = dated.filter((each) => each !== end && each !== reporting);
  const named = others.find(({ column }) => isCalled(column.name, 'date')) ?? others[0];
  // A year cannot be the start date of a period whose end date is a day.
  const start =
    named !== undefined && (end === undefined || daysOf(named) <= daysOf(end)) ? named : (end ?? named);
  const notes: string[] = [];
  const from = ({ column: { name, texts }, formats }: Dated) => {
    if (formats.length === 1) return { column: name, format: formats[0] };
    notes.push(`fill in the format of "${name}": "${texts[0]}" could be ${formats.join(' or ')}`);
    return { column: name, format: FILL_IN };
  };
  const reported = {
    reporting_date: reporting && from(reporting),
    available_date: reporting && { after: 'reporting_date' },
  };
  const parts = start === undefined || start.formats[0] === 'YYYY' ? findParts(columns) : undefined;
  if (parts?.week !== undefined)
    notes.push(`"${parts.week}" is read as ISO 8601 weeks, which begin on Monday`);
  if (parts !== undefined)
    return { keys: { start_date: parts, ...reported }, columns: Object.values(parts) as string[], notes };
  if (start === undefined)
    notes.push(
      reporting === undefined
        ? 'fill in "start_date": no column contains only dates'
        : `fill in "start_date": the only date, "${reporting.column.name}", was used as the reporting date`,
    );
  const isSplit = start?.formats.some((format) => findDateFormat(format)!.isSplitYear) === true;
  if (isSplit) notes.push(SPLIT_YEARS);
  const keys = {
    start_date: start
      ? { ...from(start), last_day: start === end ? true : undefined }
      : { column: FILL_IN, format: FILL_IN },
    first_month: isSplit ? FILL_IN : undefined,
    end_date: start && end && start !== end ? from(end) : undefined,
    ...reported,
    frequency: start?.formats.length === 1 ? frequencyOf(start.column, start.formats[0]!) : undefined,
  };
  return { keys, columns: fieldNames(keys), notes };
}

interface Dated {
  readonly column: SampledColumn;
  readonly formats: readonly string[];
}

const daysOf = ({ formats }: Dated): number => periodDays(frequencyOfFormat(formats[0]!));

const MIN_DATES = 3;

/** Infers a frequency: weekly if dates are whole weeks apart; monthly to annual if each is the first day of a month. */
function frequencyOf({ name, texts }: SampledColumn, format: string): string | undefined {
  if (frequencyOfFormat(format).name !== 'daily') return undefined;
  const days = texts.map((text) => parseFormattedDate(text, format)).sort((a, b) => a - b);
  const steps = days.slice(1).map((day, i) => (day - days[i]!) / DAY_MS);
  const isNamed = /week/i.test(name);
  if ((isNamed || days.length >= MIN_DATES) && steps.every((step) => step % 7 === 0)) return 'weekly';
  if (days.length < MIN_DATES) return undefined;
  const dates = days.map((day) => new Date(day));
  if (dates.some((date) => date.getUTCDate() !== 1)) return undefined;
  const months = new Set(dates.map((date) => date.getUTCMonth()));
  if (months.size === 1 && months.has(0)) return 'annual';
  return [...months].every((month) => month % 3 === 0) ? 'quarterly' : 'monthly';
}
