import type { Frequency } from '../../model/entity.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { frequencyOf, type PeriodRule } from './dates.js';
import { parseDefinitions } from './definitions.js';
import { checkMapping, type MappingKeys, mappingError, type NameFrom } from './mapping.js';
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
  const { decimal, thousands } = keys;
  if (decimal === thousands) throw mappingError('thousands', 'must not be the decimal mark');
  return {
    ...keys,
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
  if (from === undefined || 'column' in from) return from;
  if (from.equal_to === 'end_date') return from.equal_to;
  if (reporting_date !== undefined) return reporting_date;
  throw mappingError('available_date', 'is equal to reporting_date, which is missing: name its column');
}

function readPeriods({ frequency: name, start_date, end_date, first_month }: MappingKeys): PeriodRule {
  const isLastDay = 'last_day' in start_date && start_date.last_day === true;
  const format = 'header' in start_date ? start_date.header : start_date.format;
  const frequency: Frequency = FREQUENCIES.find((one) => one.name === name) ?? frequencyOf(format);
  if (typeof first_month === 'number' && frequency.periodLength.years === undefined)
    throw mappingError('first_month', `is for years, and the frequency is ${frequency.name}`);
  if (isLastDay && end_date !== undefined)
    throw mappingError('start_date', 'must not be the last day of a period that has an end_date');
  // Periods with a column of ends begin on their dates, unless the mapping gives the month.
  const given = first_month ?? (end_date === undefined ? 1 : 'of_date');
  return { frequency, format, firstMonth: given === 'of_date' ? null : given, isLastDay };
}
