import type { Frequency } from '../../model/entity.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { findDateFormat, frequencyOfFormat, matchesDateFormat } from '../reading/dates.js';
import { monthByPrefix } from '../reading/row-values.js';
import { SOURCES } from '../vocabulary/entities.js';
import { parseDefinitions } from './definitions.js';
import { readDocument } from './documents.js';
import { checkNamings, placeholdersOf, type Row } from './fields.js';
import {
  checkForm,
  type DateFrom,
  type DateParts,
  documentError,
  type FormKeys,
  type FormSource,
  isLag,
  type Remark,
  type ValueKeys,
} from './form.js';
import type { Hook, HookAnswer, Reader } from './hook.js';
import { HOOKS } from './hooks.js';
import { adviceOnName } from './key-schemas.js';
import type { PeriodRule } from './periods.js';

export type DataSet = ReturnType<typeof parseDataSet>;

/** Parses a document that describes one or more tables. A table's keys override the document's. @throws ArgumentError */
export function parseDataSet(json: unknown, hooks: ReadonlyMap<string, Hook> = HOOKS) {
  const { forms, ...common } = (extendDocument(json) ?? {}) as { forms?: unknown } & Record<string, unknown>;
  const isList = Array.isArray(forms) && forms.every((form) => typeof form === 'object' && form !== null);
  if (forms !== undefined && !(isList && forms.length > 0))
    throw documentError('forms', 'must be a list of objects');
  const shared = SHARED_KEYS.find((key) => isList && forms.some((form) => key in form));
  if (shared !== undefined)
    throw documentError(`forms.${shared}`, 'applies to all forms; move it out of "forms"');
  const each = isList ? (forms as object[]).map((form) => overlay(common, form)) : [json];
  const parsed = each.map((form) => parseForm(form, hooks)) as [Form, ...Form[]];
  const [{ name, summary, settings, fetch, code_list }] = parsed;
  return { name, summary, settings, fetch, code_list, forms: parsed };
}

/** The keys that describe a data set as a whole, rather than one of its forms. */
const SHARED_KEYS = ['name', 'summary', 'settings', 'fetch', 'code_list'] as const;

export type Form = ReturnType<typeof parseForm>;

/** Parses a document that describes one form of table. @throws ArgumentError that names the invalid key */
export function parseForm(json: unknown, hooks: ReadonlyMap<string, Hook> = HOOKS) {
  const { $schema: _, only, skip, define, ...keys } = checkForm(extendDocument(json));
  const { thousands, delimiter } = keys;
  const decimal = keys.decimal ?? (thousands === '.' ? ',' : '.');
  if (decimal === thousands) throw documentError('thousands', 'must not be the decimal separator');
  const { source, ...others } = findSources(keys.source);
  const named = keys.hooks.map((use) => findHook(use, hooks));
  const values = readValueColumns(keys);
  const answers = named.map(({ hook }) => hook.answers);
  checkAnswers({ ...keys, values }, answers);
  if (keys.legend !== undefined && values.every((value) => value.columns === undefined))
    throw documentError('legend', 'describes no columns: specify a pattern for "columns" in "values"');
  const ofLines = keys.repeat ? 'repeat' : keys.line.length > 0 && delimiter !== 'blanks' && 'line';
  if (keys.columns === undefined && ofLines)
    throw documentError(ofLines, 'applies only to lines of fixed width: specify their "columns"');
  checkNamings(keys);
  checkDays(keys);
  return {
    ...keys,
    ...others,
    source,
    decimal,
    isSurePoint: (keys.decimal ?? thousands) !== undefined || delimiter !== ';',
    definitions: parseDefinitions(define, source.name),
    filters: readFilters({ only, skip }),
    values,
    hooks: named,
    reader: keys.reader === undefined ? undefined : findReader(keys.reader, hooks),
    periods: readPeriods(keys),
  };
}

function extendDocument(json: unknown): unknown {
  const name = (json as { extends?: unknown } | null)?.extends;
  if (typeof name !== 'string') return json;
  return overlay(extendDocument(readDocument(name)) as object, { ...(json as object), extends: null });
}

/** Merges two objects. A value in `own` overrides the value in `base`, and null removes the key. */
function overlay(base: object, own: object): object {
  return Object.fromEntries(Object.entries({ ...base, ...own }).filter(([, value]) => value !== null));
}

/** Finds the source, or several sources keyed by the text of a column. The first source stands for the data set. */
function findSources(given: FormKeys['source']) {
  if ('column' in given) {
    const sources = new Map(
      Object.entries(given.names).map(([text, name]) => [text, findSource({ known: name })]),
    );
    const [source] = sources.values();
    if (source === undefined) throw documentError('source.names', 'is empty');
    return { source, sources, source_column: given.column };
  }
  const source = 'known' in given ? findSource(given) : given;
  return { source, sources: new Map([['', source]]), source_column: undefined };
}

function findSource({ known: wanted }: { readonly known: string }): FormSource {
  const known = Object.values(SOURCES).find(({ name }) => name === wanted);
  if (known !== undefined) return known;
  throw documentError(
    'source',
    `"${wanted}" is not a source in the package; describe it as an object with a "name"`,
  );
}

function findHook({ hook: name, columns }: FormKeys['hooks'][number], hooks: ReadonlyMap<string, Hook>) {
  const hook = hooks.get(name);
  if (hook === undefined)
    throw documentError('hooks', `"${name}" is not a hook; the hooks are ${[...hooks.keys()].join(', ')}`);
  const missing = hook.takes.find((text) => columns[text] === undefined);
  if (missing !== undefined) throw documentError(`hooks.${name}`, `needs a column for "${missing}"`);
  const unknown = Object.keys(columns).find((text) => !hook.takes.includes(text));
  if (unknown === undefined) return { hook, columns };
  throw documentError(`hooks.${name}`, `does not read "${unknown}"; ${adviceOnName(unknown, hook.takes)}`);
}

function findReader(name: string, hooks: ReadonlyMap<string, Hook>): Reader {
  const reader = hooks.get(name)?.reader;
  if (reader !== undefined) return reader;
  const known = [...hooks.keys()].filter((one) => hooks.get(one)!.reader !== undefined);
  throw documentError('reader', `"${name}" is not a reader; choose one of ${known.join(', ')}`);
}

/** Checks that the document or a hook provides every field that a point needs. */
function checkAnswers(
  { values, ...keys }: Omit<FormKeys, 'values'> & { readonly values: readonly ValueColumn[] },
  answers: readonly (readonly HookAnswer[])[],
): void {
  const { available_date: from, start_date, frequency } = keys;
  const all: readonly Partial<Record<HookAnswer, unknown>>[] = [keys, ...values, ...keys.cases];
  const twice = answers.flat().find((key, i, each) => {
    const isGiven = all.some((one) => one[key] !== undefined) || each.indexOf(key) < i;
    return isGiven && key !== 'reporting_date' && key !== 'available_date';
  });
  if (twice !== undefined)
    throw documentError(
      twice,
      'is provided by a hook, so neither the document nor another hook may provide it',
    );
  const isAnswered = (...keys: readonly HookAnswer[]) =>
    answers.some((one) => keys.every((key) => one.includes(key)));
  for (const key of ['region', 'start_date'] as const)
    if (keys[key] === undefined && !isAnswered(key)) throw documentError(key, 'is missing: specify a column');
  if ((start_date ?? frequency) === undefined && !isAnswered('frequency'))
    throw documentError('frequency', 'is missing');
  for (const key of ['metric', 'item', 'unit'] as const)
    if (values.some((value) => value[key] === undefined) && !isAnswered(key))
      throw documentError(
        key,
        'is missing: specify a column, or use { "name": … } to set one value for all rows',
      );
  const isAfterReport = (lags: typeof from) =>
    isLag(lags) && lags.some(({ after }) => after === 'reporting_date');
  if (isAfterReport(keys.reporting_date)) throw documentError('reporting_date', 'is after itself');
  if (isAfterReport(from) && keys.reporting_date === undefined && !isAnswered('reporting_date', 'start_date'))
    throw documentError('available_date', 'is after reporting_date, which is missing; specify its column');
}

/** Checks that all rows and columns share `decimal` and `missing` if `days` is set, because `days` is applied first. */
function checkDays({ days, values = [], cases, missing }: FormKeys): void {
  const own = [...values.map((one) => one.decimal ?? one.missing), ...cases.map((one) => one.missing)];
  const fields = [...missing.nulls, ...missing.absent].flatMap(placeholdersOf);
  if (days !== undefined && (fields.length > 0 || own.some((one) => one !== undefined)))
    throw documentError('days', 'needs "decimal" and "missing" that are the same for all figures and files');
}

function readFilters({ only = {}, skip = {} }: Pick<FormKeys, 'only' | 'skip'>) {
  const filtersOf = (given: NonNullable<FormKeys['only']>, keep: boolean) =>
    Object.entries(given).map(([column, values]) => ({ column, keep, values: new Set(values) }));
  return [...filtersOf(only, true), ...filtersOf(skip, false)];
}

function readValueColumns(keys: FormKeys): ValueColumn[] {
  const { start_date = {}, values } = keys;
  const isDated = 'header' in start_date;
  if (isDated && values !== undefined)
    throw documentError('values', 'must be omitted if the value columns are named by dates');
  if (!isDated && values === undefined) throw documentError('values', 'is missing');
  return (values ?? [{}]).map((column) => readValueColumn(keys, column));
}

export type ValueColumn = ReturnType<typeof readValueColumn>;

function readValueColumn(keys: FormKeys, { column = '', columns, ...own }: ValueKeys) {
  if (keys.values !== undefined && (column === '') === (columns === undefined))
    throw documentError('values', 'must each have either "column" or "columns"');
  const { decimal } = own;
  if (decimal !== undefined && decimal === keys.thousands)
    throw documentError('values.decimal', 'must not be the thousands separator');
  const { flag, remarks, divide_by, withhold, metric, item, unit } = { ...keys, ...own };
  const ofFlag = typeof flag === 'object' && { flag: { column: flag.column, number: false } };
  if (ofFlag && remarks?.flag !== undefined)
    throw documentError('remarks.flag', 'has the name of the remark of "flag"; choose another name');
  return {
    ...{ column, columns, decimal, divide_by, withhold, metric, item, unit },
    missing: own.missing ?? keys.missing,
    isFlagged: flag === 'after_value',
    remarks: { ...ofFlag, ...remarks } as Readonly<Record<string, Remark>>,
    filters: readFilters(own),
  };
}

/** Returns the period rules, keyed by `start_date` format, or an empty map if a hook provides the periods. */
function readPeriods(keys: FormKeys): ReadonlyMap<string, PeriodRule> {
  const { start_date, frequency, end_date, first_month } = keys;
  const given = { end_date, first_month, frequency: typeof frequency === 'object' };
  const [unused] = Object.entries(given).find(([, one]) => one) ?? [];
  if (start_date === undefined && unused)
    throw documentError(unused, 'applies only to a start_date, but a hook provides the periods');
  const formats = start_date === undefined ? [] : formatsOf(start_date, 'start_date');
  const named = first_month instanceof Map ? [...first_month.keys()] : [];
  const unknown = named.find((one) => !formats.includes(one));
  if (unknown !== undefined)
    throw documentError(`first_month.${unknown}`, `is not a format of start_date: ${formats.join(', ')}`);
  return new Map(formats.map((format) => [format, readPeriod(keys, format)]));
}

function readPeriod(keys: FormKeys, format: string): PeriodRule {
  const { frequency: name, start_date = {}, end_date } = keys;
  const first_month = keys.first_month instanceof Map ? keys.first_month.get(format) : keys.first_month;
  const isLastDay = 'last_day' in start_date && start_date.last_day === true;
  const frequency: Frequency = FREQUENCIES.find((one) => one.name === name) ?? frequencyOfFormat(format);
  const areYears = frequency.periodLength.years !== undefined;
  const isOfFormat =
    keys.first_month instanceof Map || formatsOf(start_date as DateFrom, 'start_date').length === 1;
  if (typeof first_month === 'number' && !areYears && isOfFormat && typeof name !== 'object')
    throw documentError('first_month', `applies only to years, but the frequency is ${frequency.name}`);
  if (isLastDay && (end_date ?? first_month) !== undefined)
    throw documentError(
      'start_date',
      'must not be the last day of the period if there is an end_date or first_month',
    );
  const { isSplitYear, isSeason } = findDateFormat(format)!;
  if (isSplitYear && (isLastDay || typeof first_month !== 'number'))
    throw documentError(
      'first_month',
      `is missing: specify the month in which years in the format ${format} begin`,
    );
  // Seasons, and periods with an end date, begin on the given date unless the document specifies `first_month`.
  const given = first_month ?? (end_date === undefined && !isSeason ? 1 : 'of_date');
  return {
    frequency,
    areYears: frequencyOfFormat(format).name === 'annual',
    firstMonth: given === 'of_date' ? null : given,
    isLastDay,
  };
}

/** Each date part except the year, with the format of dates that end in the part, and the separator before the part. */
const PARTS = [
  ['month', 'YYYY-MM', '-'],
  ['day', 'YYYY-MM-DD', '-'],
  ['day_of_year', 'YYYY-DDD', '-'],
  ['week', 'YYYYWnn', 'W'],
  ['quarter', 'YYYYQn', 'Q'],
] as const;

/** Lists a date's formats, or the format of its joined parts. @throws ArgumentError if the parts do not form a date */
function formatsOf(from: DateFrom | { readonly header: string }, key: string): readonly string[] {
  if ('header' in from) return [from.header];
  if ('column' in from) return from.formats;
  const named = PARTS.filter(([part]) => from[part] !== undefined);
  const [first, second] = named.map(([part]) => part);
  if (named.length > 2 || first === 'day' || (second !== undefined && second !== 'day'))
    throw documentError(
      key,
      'must have a year and, optionally, a month, a month and a day, or one other part',
    );
  if (from.first_month !== undefined && first !== 'month')
    throw documentError(`${key}.first_month`, 'applies only to a date with a month');
  return [named.at(-1)?.[1] ?? 'YYYY'];
}

/** Returns a date as text, and the first format that matches. Joins date parts. Without a year, the text is "". */
export function readDateText(from: DateFrom, row: Row): { text: string; format: string } {
  const formats = formatsOf(from, 'date');
  const text = 'column' in from ? row[from.column]! : joinParts(from, row);
  return { text, format: formats.find((format) => matchesDateFormat(text, format)) ?? formats[0]! };
}

function joinParts(from: DateParts, row: Row): string {
  const year = row[from.year.column]!;
  const parts = PARTS.map(([part, , mark]) => {
    const { column } = from[part] ?? {};
    if (column === undefined) return '';
    return mark + partNumber(row[column]!).padStart(part === 'day_of_year' ? 3 : 1, '0');
  });
  const month = Number(from.month && partNumber(row[from.month.column]!));
  const named = month < firstMonth(from, row) ? String(Number(year) + 1) : partNumber(year);
  return year === '' ? '' : named + parts.join('');
}

function firstMonth({ first_month = 1 }: DateParts, row: Row): number {
  return typeof first_month === 'number' ? first_month : (first_month.numbers[row[first_month.column]!] ?? 1);
}

/** Extracts the number from a date part such as `Q1`, `WEEK #05`, `59.0` or `FEB`. */
function partNumber(text: string): string {
  return matchesDateFormat(`2000 ${text}`, 'YYYY Mon')
    ? String(monthByPrefix(text))
    : text.replace(/^[a-z #]+(?=\d)/i, '').replace(/(?<=\d)\.0+$/, '');
}
