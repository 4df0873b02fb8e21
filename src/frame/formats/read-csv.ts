import {
  type Bool,
  type DataType,
  type Float64,
  Int64,
  type TimestampMillisecond,
  type TypeMap,
  type Utf8,
} from 'apache-arrow';
import * as v from 'valibot';
import { readFields } from '../../model/delimited-fields.js';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { nearestWord } from '../../model/names/edit-distance.js';
import { plural } from '../../model/names/plural.js';
import { check, checkOptions, type OptionsOf } from '../../model/schema/check.js';
import { isNot, listOf, oneOf, TEXT } from '../../model/schema/schemas.js';
import { calendarDay, formatDay } from '../../model/time.js';
import { type Frame, frameOf } from '../frame.js';
import { buildTable } from '../table/build-table.js';
import { ARROW_SCHEMA } from '../table/check-table.js';
import { LONG_COLUMN_TYPES, namedTypes } from '../table/names.js';
import {
  inferReadType,
  isCode,
  type ReadType,
  readsAsNumber,
  readsAsTime,
  readTexts,
  readTypeOf,
} from '../table/parse-column.js';
import { nameNeedsQuotes } from './csv.js';
import { DELIMITERS } from './frame-formats.js';

const TYPES = {
  string: 'utf8',
  number: 'float64',
  integer: new Int64(),
  boolean: 'bool',
  date: 'timestamp',
} as const satisfies Readonly<Record<string, ReadType>>;

const DATE_FORMAT = v.custom<string>(
  (form) => typeof form === 'string' && datePattern(form) !== null,
  isNot('a date format; write YYYY, MM and DD each once, such as DD.MM.YYYY'),
);

const FROM_CSV = {
  /** The character between fields (default `','`), such as `';'` or `'\t'`. */
  delimiter: v.custom<string>(
    (value) => typeof value === 'string' && /^[^"\r\n]$/u.test(value),
    isNot(`one character, such as ',', ';' or '\\t'`),
  ),
  /** The decimal separator (default `'.'`). */
  decimal: oneOf(['.', ',']),
  /**
   * Strings that represent missing values, such as `['NA', '-9999']`. Numbers also match in other notations, such as
   * `-9999.0`. Empty fields without quotes always count as missing.
   */
  missing: listOf(v.string()),
  /** Column types by name, such as `{ fips: 'string' }`. Integers are 64-bit, and dates must be in ISO 8601 format. */
  types: v.record(v.string(), oneOf(Object.keys(TYPES) as (keyof typeof TYPES)[])),
  /** The date columns: a list of names, or an object that maps names to formats, such as `{ day: 'DD.MM.YYYY' }`. */
  dates: v.union([listOf(TEXT), v.record(v.string(), DATE_FORMAT)]),
  /** The column types as an Arrow schema. */
  schema: ARROW_SCHEMA,
};

/** Options for `fromCsv`. */
export interface FromCsvOptions extends OptionsOf<typeof FROM_CSV> {}

/** The columns of a CSV file whose types the `types` option specifies. */
export type StatedColumns<Options extends FromCsvOptions> = TypeMap & {
  [Name in keyof Options['types']]: Options['types'][Name] extends 'string'
    ? Utf8
    : Options['types'][Name] extends 'number'
      ? Float64
      : Options['types'][Name] extends 'integer'
        ? Int64
        : Options['types'][Name] extends 'boolean'
          ? Bool
          : TimestampMillisecond;
};

/**
 * Reads CSV (RFC 4180) into a frame. `types`, `dates` or `schema` determines a column's type. If none of them names the
 * column, but the table has all columns of a long frame, the column's name determines the type. The types of all other
 * columns are inferred from the fields:
 * - timestamp if all fields are ISO 8601 dates and the column has the name of a date column, such as `end_date`;
 * - Bool if all fields are true or false;
 * - Float64 if all fields are numbers and Float64 keeps every digit before the decimal point;
 * - Int64 if all fields are 64-bit integers and Float64 would lose digits of some of them;
 * - string in all other cases.
 *
 * Codes such as `01001`, `+49` and `1E5` are strings, and so is `1005.90` in a column whose name suggests codes, such
 * as `hs_code`. A column with quoted fields is a string column unless every field in the file is quoted.
 * @throws ArgumentError that names the row and column that cannot be read, or the delimiter that the file uses
 */
export function fromCsv<const Options extends FromCsvOptions>(
  text: string,
  options?: Options,
): Frame<StatedColumns<Options>>;
export function fromCsv(text: string, options: FromCsvOptions = {}): Frame {
  check(v.string(), text, 'text');
  checkOptions(options, FROM_CSV, 'fromCsv');
  const { delimiter = ',', decimal = '.', missing = [], schema } = options;
  if (delimiter === decimal)
    throw badArgument(
      'delimiter',
      `"${delimiter}" is also the decimal separator; specify a different delimiter, such as ';'`,
    );
  const columns = parseCsv(text, delimiter);
  const typeOf = findStatedTypes(columns, options);
  const isMissing = new Set<string | null>(missing);
  const missingNumbers = numbersOf(decimal === '.' ? missing : missing.map(withPoint));
  const fields = new Map(schema?.fields.map((field) => [field.name, field]));
  const table = columns.map((each) => {
    const { name, texts: all } = each;
    const present = isMissing.size === 0 ? all : all.map((text) => (isMissing.has(text) ? null : text));
    const stated = typeOf({ ...each, texts: present });
    const texts = decimal === '.' || stated.form !== undefined ? present : present.map(withPoint);
    const type = stated.type ?? (isCodeName(name) && texts.some(endsInZero) ? 'utf8' : inferReadType(texts));
    const read = type === 'utf8' || type === 'dictionary' ? present : withoutNumbers(texts, missingNumbers);
    const dates = stated.form === undefined ? read : toIsoDays(read, { name, form: stated.form });
    const column = readTexts(dates, { name, type, shown: present, remedy: remedyFor(name) });
    return { name, column, metadata: fields.get(name)?.metadata };
  });
  return frameOf(buildTable(table, schema?.metadata));
}

function numbersOf(texts: readonly (string | null)[]): ReadonlySet<number> {
  const numbers = texts.map((text) => (text !== null && readsAsNumber(text) ? Number(text) : Number.NaN));
  return new Set(numbers.filter((number) => !Number.isNaN(number)));
}

function withoutNumbers(
  texts: readonly (string | null)[],
  numbers: ReadonlySet<number>,
): readonly (string | null)[] {
  if (numbers.size === 0) return texts;
  return texts.map((text) => (text !== null && text !== '' && numbers.has(Number(text)) ? null : text));
}

/** Checks whether a column's name suggests that it contains codes, such as `hs_code`, `plotId` or `lot`. */
function isCodeName(name: string): boolean {
  return /(?:^|[^a-z])(?:id|code|hs|lot|plot|sample|section|version|barcode|serial)s?$/i.test(
    name.trim().replace(/([a-z])(?=[A-Z][a-z]*$)/, '$1 '),
  );
}

/** Checks whether a decimal fraction ends in 0, as in the code `1005.90`. Reading it as a number would drop the 0. */
function endsInZero(text: string | null): boolean {
  return text !== null && /^\d+\.\d*0$/.test(text);
}

function remedyFor(name: string): string {
  return `; add it to { missing } if it means no value, or read the column with { types: { ${JSON.stringify(name)}: 'string' } }`;
}

/** Swaps points and commas, so that only numbers with a decimal comma are read as numbers. */
function withPoint(text: string | null): string | null {
  return text?.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')) ?? null;
}

interface StatedType {
  readonly type: ReadType | undefined;
  readonly form?: string | undefined;
}

function findStatedTypes(
  columns: readonly CsvColumn[],
  { types = {}, dates = {}, schema }: FromCsvOptions,
): (column: CsvColumn) => StatedType {
  const forms = Array.isArray(dates) ? Object.fromEntries(dates.map((name) => [name, undefined])) : dates;
  const names = columns.map(({ name }) => name);
  for (const [argument, given] of [
    ['types', types],
    ['dates', forms],
  ] as const) {
    const unknown = Object.keys(given).find((name) => !names.includes(name));
    if (unknown === undefined) continue;
    const nearest = nearestWord(unknown, names);
    const remedy =
      nearest === undefined ? `it has ${names.slice(0, 12).join(', ')}` : `did you mean "${nearest}"?`;
    throw badArgument(argument, `the CSV has no column "${unknown}"; ${remedy}`);
  }
  const ofFrame = namedTypes(names);
  const arrow = new Map<string, DataType>(schema?.fields.map(({ name, type }) => [name, type]));
  return ({ name, texts, quotes, quotesNames }) => {
    if (Object.hasOwn(forms, name))
      return { type: 'timestamp', form: (forms as Record<string, string>)[name] };
    if (Object.hasOwn(types, name)) return { type: TYPES[types[name]!] };
    const type = arrow.get(name);
    if (type !== undefined) return { type: readTypeOf(type) };
    const named = LONG_COLUMN_TYPES.get(name);
    const isOfDates = named === 'timestamp' && texts.every((text) => !text || readsAsTime(text));
    const expected = isOfDates ? named : ofFrame.get(name);
    if (expected === undefined) return { type: quotes === 'none' ? undefined : 'utf8' };
    const isText = quotes === 'all' && expected !== 'dictionary' && !(quotesNames && named === 'timestamp');
    const hasCodes = expected === 'int32' && texts.some((text) => text !== null && isCode(text));
    return { type: isText || hasCodes ? 'utf8' : expected };
  };
}

function datePattern(form: string): RegExp | null {
  const parts = [...form.matchAll(/YYYY|MM|DD/g)].map(([part]) => part);
  if (parts.length !== 3 || new Set(parts).size !== 3 || /[A-Za-z0-9]/.test(form.replace(/YYYY|MM|DD/g, '')))
    return null;
  const digits = /[YMD]{5}/.test(form) ? '{2}' : '{1,2}';
  const pattern = form
    .replace(/[^A-Z]/g, (mark) => `\\${mark}`)
    .replace('YYYY', '(?<year>\\d{4})')
    .replace(/MM/, `(?<month>\\d${digits})`)
    .replace(/DD/, `(?<day>\\d${digits})`);
  return new RegExp(`^${pattern}$`);
}

function toIsoDays(
  texts: readonly (string | null)[],
  { name, form }: { name: string; form: string },
): (string | null)[] {
  const pattern = datePattern(form)!;
  return texts.map((text, row) => {
    if (text === null || text === '') return null;
    const { year, month, day } = pattern.exec(text)?.groups ?? {};
    const ms = year === undefined ? null : calendarDay(Number(year), Number(month), Number(day));
    if (ms !== null) return formatDay(ms);
    throw badArgument(
      name,
      `"${text}" in row ${row + 1} does not match the date format ${form}${remedyFor(name)}`,
    );
  });
}

export interface CsvColumn {
  readonly name: string;
  /** The text of each field. Empty fields without quotes are null. */
  readonly texts: (string | null)[];
  /** Which non-empty fields are quoted. This is `none` in a fully quoted file, because its quotes carry no meaning. */
  readonly quotes: 'none' | 'some' | 'all';
  /** Whether the header has needless quotes. R and pandas write such quotes if they quote everything but numbers. */
  readonly quotesNames: boolean;
}

/**
 * Splits CSV (RFC 4180) into columns. Quoted fields may contain delimiters, line endings and doubled quotes. Lines end
 * in CRLF or LF, or all of them end in CR. A byte order mark is skipped. Blank lines are also skipped, except in a
 * table with only one column, where they are empty fields. Splitting a 100 MB file with six columns takes 4.1 s.
 * papaparse takes 4.4 s but does not report quoted fields. csv-parse reports quoted fields but takes 20 times as long.
 * @throws ArgumentError that names the row (counted from 1, including the header)
 */
export function parseCsv(text: string, delimiter = ','): CsvColumn[] {
  let header: CsvRow | undefined;
  let columns: { texts: (string | null)[]; hasQuotes: boolean; hasPlain: boolean }[] = [];
  let row = 0;
  for (const record of csvRows(text, delimiter)) {
    row++;
    const { fields, areQuoted } = record;
    if (header?.fields.length !== 1 && isBlank(record)) continue;
    if (header === undefined) {
      if (fields.length === 1 && !areQuoted[0]) refuseDelimiter(text, delimiter);
      header = record;
      columns = fields.map(() => ({ texts: [], hasQuotes: false, hasPlain: false }));
      continue;
    }
    if (fields.length !== header.fields.length) {
      refuseDelimiter(text, delimiter);
      const found = `${fields.length} ${plural('field', fields.length)}`;
      throw invalidCsv(row, `${found} where the header has ${header.fields.length}`);
    }
    for (let at = 0; at < fields.length; at++) {
      const [value, column] = [fields[at]!, columns[at]!];
      column.texts.push(value === '' && !areQuoted[at] ? null : value);
      if (areQuoted[at]) column.hasQuotes = true;
      else if (value !== '') column.hasPlain = true;
    }
  }
  if (header === undefined) throw badArgument('text', 'the text is empty; CSV needs a header');
  const { fields: names, areQuoted } = header;
  const quotesNames = names.some((name, at) => areQuoted[at] && !nameNeedsQuotes(name));
  const quotesAll = quotesNames && !columns.some(({ hasPlain }) => hasPlain);
  return columns.map(({ texts, hasQuotes, hasPlain }, at) => ({
    name: names[at]!,
    // If a file quotes every field, its empty fields are quoted, too.
    texts: quotesAll ? texts.map((text) => text || null) : texts,
    quotes: !hasQuotes || quotesAll ? 'none' : hasPlain ? 'some' : 'all',
    quotesNames,
  }));
}

/** Rejects a delimiter if another delimiter would split the header and the first row into equally many fields. */
function refuseDelimiter(text: string, delimiter: string): void {
  const found = DELIMITERS.find((other) => {
    if (other === delimiter) return false;
    const rows = csvRows(text, other);
    try {
      const [header, first] = [rows.next().value?.fields, rows.next().value?.fields];
      return header && header.length > 1 && (first === undefined || first.length === header.length);
    } catch {
      return false;
    }
  });
  if (found === undefined) return;
  const [given, other] = [delimiter, found].map((each) => JSON.stringify(each));
  throw badArgument(
    'delimiter',
    `the fields are separated by ${other}, not by ${given}; use { delimiter: ${other} }`,
  );
}

type CsvRow = NonNullable<ReturnType<typeof readFields>>;

function isBlank({ fields: [first = '', ...others], areQuoted }: CsvRow): boolean {
  return others.length === 0 && !areQuoted[0] && first.trim() === '';
}

function* csvRows(text: string, delimiter: string): Generator<CsvRow, undefined> {
  const lines = text.includes('\n') ? text : text.replaceAll('\r', '\n');
  const whole = lines.endsWith('\n') ? lines : `${lines}\n`;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  for (let row = 1; at < lines.length; row++) {
    const record = readFields(whole, at, { delimiter, quotes: true });
    if (record === null) throw invalidCsv(row, 'a quoted field is not closed');
    if (record.hasTail) throw invalidCsv(row, 'text after a closing quote');
    yield record;
    at = record.end;
  }
}

function invalidCsv(row: number, problem: string): ArgumentError {
  return badArgument('text', `row ${row} is not valid CSV: ${problem}`);
}
