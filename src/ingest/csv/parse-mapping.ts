import type { Frequency } from '../../model/entity.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { findDateFormat, frequencyOfFormat, matchesDateFormat } from '../reading/dates.js';
import { monthByPrefix } from '../reading/row-values.js';
import { parseDefinitions } from './definitions.js';
import { checkMapping, type DateFrom, type MappingKeys, mappingError, type NameFrom } from './mapping.js';
import type { PeriodRule } from './periods.js';
import { findShippedMapping } from './shipped/shipped-mappings.js';

/** How the columns of a table are read. */
export type Mapping = ReturnType<typeof parseMapping>;

/**
 * Parses a mapping from JSON. Required are `source` (with `name`), `region`, `start_date`, and either `values` or `value`,
 * `metric`, `item` and `unit`. A string is the name of a column, `{ "name": … }` one name for all rows. `names` is
 * `"exact"` (the default) or `"nearest"`. `extends` names a mapping that ships, whose keys apply where there are no own;
 * null removes one.
 * @throws ArgumentError that names the invalid key
 */
export function parseMapping(json: unknown) {
  const { $schema: _, only, skip, define, ...keys } = checkMapping(extendMapping(json));
  const { thousands, delimiter } = keys;
  const decimal = keys.decimal ?? (thousands === '.' ? ',' : '.');
  if (decimal === thousands) throw mappingError('thousands', 'must not be the decimal mark');
  return {
    ...keys,
    decimal,
    isSurePoint: (keys.decimal ?? thousands) !== undefined || delimiter !== ';',
    available_date: readAvailableDate(keys),
    definitions: parseDefinitions(define, keys.source.name),
    filters: [...readFilters(only, true), ...readFilters(skip, false)],
    values: readValueColumns(keys),
    periods: readPeriods(keys),
  };
}

function extendMapping(json: unknown): unknown {
  const name = (json as { extends?: unknown } | null)?.extends;
  if (typeof name !== 'string') return json;
  const shipped = extendMapping(findShippedMapping(name)) as object;
  const keys = Object.entries({ ...shipped, ...(json as object) });
  return Object.fromEntries(keys.filter(([, value]) => value !== null));
}

/** Rows are read when the column has one of the values; or, with `keep` false, when it has none of them. */
function readFilters(given: MappingKeys['only'] = {}, keep: boolean) {
  return Object.entries(given).map(([column, values]) => ({ column, keep, values: new Set(values) }));
}

function readValueColumns(keys: MappingKeys): ValueColumn[] {
  const { start_date, value, values } = keys;
  const isNamed = value !== undefined || values !== undefined;
  if ('header' in start_date && isNamed)
    throw mappingError('value', 'must not be named when the columns of values are named by their dates');
  if (!('header' in start_date || isNamed)) throw mappingError('value', 'is missing');
  return (values ?? [{ column: value ?? '' }]).map((column) => readValueColumn(keys, column));
}

/** A column of values; where columns are named by their dates, each of those. */
export type ValueColumn = ReturnType<typeof readValueColumn>;

function readValueColumn(keys: MappingKeys, { column, ...own }: NonNullable<MappingKeys['values']>[number]) {
  const name = (key: 'metric' | 'item' | 'unit'): NameFrom => {
    const from = own[key] ?? keys[key];
    if (from !== undefined) return from;
    throw mappingError(key, 'is missing: name a column, or { "name": … } for all rows');
  };
  return { column, metric: name('metric'), item: name('item'), unit: name('unit') };
}

function readAvailableDate({ available_date: from, reporting_date }: MappingKeys) {
  if (from === undefined || !('equal_to' in from)) return from;
  if (from.equal_to === 'end_date') return from.equal_to;
  if (reporting_date !== undefined) return reporting_date;
  throw mappingError('available_date', 'is equal to reporting_date, which is missing: name its column');
}

function readPeriods(keys: MappingKeys): PeriodRule {
  const { frequency: name, start_date, end_date, first_month } = keys;
  const isLastDay = 'last_day' in start_date && start_date.last_day === true;
  const format = formatOf(start_date, 'start_date');
  const frequency: Frequency = FREQUENCIES.find((one) => one.name === name) ?? frequencyOfFormat(format);
  if (typeof first_month === 'number' && frequency.periodLength.years === undefined)
    throw mappingError('first_month', `is for years, and the frequency is ${frequency.name}`);
  if (isLastDay && end_date !== undefined)
    throw mappingError('start_date', 'must not be the last day of a period that has an end_date');
  if (findDateFormat(format)!.isSplitYear && (isLastDay || typeof first_month !== 'number'))
    throw mappingError('first_month', `is missing: the month in which years of the form ${format} begin`);
  checkSplitYears(keys);
  // Periods with a column of ends begin on their dates, unless the mapping gives the month.
  const given = first_month ?? (end_date === undefined ? 1 : 'of_date');
  const areYears = frequencyOfFormat(format).name === 'annual';
  return { frequency, areYears, firstMonth: given === 'of_date' ? null : given, isLastDay };
}

/** @throws ArgumentError when a date other than `start_date` has split years such as 2019/20 */
function checkSplitYears(keys: MappingKeys): void {
  for (const key of ['end_date', 'reporting_date', 'available_date'] as const) {
    const from = keys[key];
    if (from === undefined || 'equal_to' in from) continue;
    const format = formatOf(from, key);
    if (findDateFormat(format)!.isSplitYear)
      throw mappingError(`${key}.format`, `"${format}" names two years, which only start_date may do`);
  }
}

/** The parts that a mapping may combine with a year: the key, the format of the combined date, and the separator. */
const PARTS = [
  ['month', 'YYYY-MM', '-'],
  ['day', 'YYYY-MM-DD', '-'],
  ['day_of_year', 'YYYY-DDD', '-'],
  ['week', 'YYYYWnn', 'W'],
  ['quarter', 'YYYYQn', 'Q'],
] as const;

/**
 * Returns the format of a date; for a date split over several columns, that of the combined text. @throws ArgumentError
 * when the parts do not form a date
 */
function formatOf(from: DateFrom | { readonly header: string }, key: string): string {
  if ('header' in from) return from.header;
  if ('column' in from) return from.format;
  const named = PARTS.filter(([part]) => from[part] !== undefined);
  const [first, second] = named.map(([part]) => part);
  if (named.length > 2 || first === 'day' || (second !== undefined && second !== 'day'))
    throw mappingError(key, 'must have a year, and at most a month, a month and a day, or one other part');
  return named.at(-1)?.[1] ?? 'YYYY';
}

/** Returns the text of a date with its format. A date split over several columns is joined; it is empty if the year is. */
export function readDateText(from: DateFrom, row: Readonly<Record<string, string>>) {
  if ('column' in from) return { text: row[from.column]!, format: from.format };
  const year = row[from.year.column]!;
  const parts = PARTS.map(([part, , mark]) => {
    const { column } = from[part] ?? {};
    if (column === undefined) return '';
    return mark + partNumber(row[column]!).padStart(part === 'day_of_year' ? 3 : 1, '0');
  });
  return { text: year === '' ? '' : partNumber(year) + parts.join(''), format: formatOf(from, 'date') };
}

/** Extracts the number from a date part such as `Q1`, `WEEK #05`, `59.0` or `FEB`. */
function partNumber(text: string): string {
  return matchesDateFormat(`2000 ${text}`, 'YYYY Mon')
    ? String(monthByPrefix(text))
    : text.replace(/^[a-z #]+(?=\d)/i, '').replace(/(?<=\d)\.0+$/, '');
}
