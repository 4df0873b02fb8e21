import type { Frequency } from '../../model/entity.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { parseDefinitions } from './definitions/parse-definitions.js';
import {
  type DateFormat,
  type Mapping,
  NAME_RULES,
  type NameFrom,
  type NameRule,
  type RegionFrom,
  type RowFilter,
  type ValueColumn,
} from './mapping.js';
import { readAvailableDate, readDate, readStartDate } from './mapping-dates.js';
import {
  assertFilledIn,
  type Json,
  mappingError,
  ROOT,
  readLevel,
  readList,
  readNumber,
  readObject,
  readOneOf,
  readOptionalText,
  readText,
  readTexts,
} from './mapping-json.js';
import { readStation } from './mapping-stations.js';
import { DECIMALS, type NumberFormat, THOUSANDS, trustsLoneGroup } from './numbers.js';
import { findShippedMapping } from './shipped/shipped-mappings.js';

/** The frequency of tables with dates of a format, where it is not daily. */
const FREQUENCY_OF: Readonly<Partial<Record<DateFormat, string>>> = {
  YYYY: 'annual',
  YYYYQn: 'quarterly',
  YYYYWnn: 'weekly',
  'YYYY-MM': 'monthly',
  YYYYMnn: 'monthly',
};

/**
 * Parses a mapping from JSON. Required are `source` (with `name`), `region`, `start_date`, and either `values` or `value`,
 * `metric`, `item` and `unit`. A string is the name of a column, `{ "name": … }` one name for all rows. `names` is
 * `"exact"` (the default) or `"nearest"`. `extends` names a mapping that ships, whose keys apply where there are no own;
 * null takes one away.
 * @throws ArgumentError that names the invalid key
 */
export function parseMapping(json: unknown): Mapping {
  const own = readObject(json, ROOT, MAPPING_KEYS);
  assertFilledIn(own, ROOT);
  const root = own.extends === undefined ? own : extendMapping(readText(own.extends, 'extends'), own);
  const start_date = readStartDate(root.start_date);
  const format = 'header' in start_date ? start_date.header : start_date.format;
  const delimiter = root.delimiter === undefined ? ',' : readDelimiter(root.delimiter);
  const source = readSource(root.source);
  const date = (key: 'end_date' | 'reporting_date') =>
    root[key] === undefined ? null : readDate(root[key], key);
  const hasReporting = root.reporting_date !== undefined;
  return {
    delimiter,
    entry: root.entry === undefined ? null : readText(root.entry, 'entry'),
    sheet: root.sheet === undefined ? null : readText(root.sheet, 'sheet'),
    header_line:
      root.header_line === undefined ? 1 : readNumber(root.header_line, 'header_line', 1, MAX_HEADER_LINE),
    source,
    definitions: parseDefinitions(root.define, source.name),
    filters: [...readFilters(root.only, 'only', true), ...readFilters(root.skip, 'skip', false)],
    region: readStation(root.region) ?? readRegion(root.region, 'region'),
    partner_region:
      root.partner_region === undefined ? null : readRegion(root.partner_region, 'partner_region'),
    values: readValueColumns(root, start_date),
    flag: root.flag === undefined ? null : readFlag(root.flag),
    start_date,
    end_date: date('end_date'),
    reporting_date: date('reporting_date'),
    available_date: readAvailableDate(root.available_date, hasReporting),
    frequency: readFrequency(root.frequency, format),
    first_month: readFirstMonth(root),
    numbers: readNumberFormat(root, delimiter),
    missing: root.missing === undefined ? ['NA'] : readTexts(root.missing, 'missing'),
    empty: root.empty === undefined ? [] : readTexts(root.empty, 'empty'),
    names: root.names === undefined ? 'exact' : readNameRule(root.names),
  };
}

function extendMapping(name: string, own: Json): Json {
  const keys = Object.entries({ ...findShippedMapping(name), ...own });
  return Object.fromEntries(keys.filter(([, value]) => value !== null));
}

const MAX_HEADER_LINE = 1_000_000;

const MAPPING_KEYS = [
  'extends',
  'delimiter',
  'entry',
  'sheet',
  'header_line',
  'source',
  'define',
  'only',
  'skip',
  'region',
  'partner_region',
  'values',
  'value',
  'metric',
  'item',
  'unit',
  'flag',
  'start_date',
  'end_date',
  'reporting_date',
  'available_date',
  'frequency',
  'first_month',
  'decimal',
  'thousands',
  'missing',
  'empty',
  'names',
];

function readSource(value: unknown): Mapping['source'] {
  const source = readObject(value, 'source', ['name', 'longName', 'licence', 'citation', 'url']);
  const name = readText(source.name, 'source.name');
  return {
    name,
    longName: readOptionalText(source.longName, name),
    licence: readOptionalText(source.licence, 'unknown'),
    citation: readOptionalText(source.citation, name),
    url: readOptionalText(source.url, ''),
  };
}

function readFilters(value: unknown, key: string, keep: boolean): RowFilter[] {
  if (value === undefined) return [];
  return Object.entries(readObject(value, key)).map(([column, values]) => {
    return { column, keep, values: new Set(readTexts(values, `${key}.${column}`)) };
  });
}

function readValueColumns(root: Json, start: Mapping['start_date']): ValueColumn[] {
  const shared = { metric: root.metric, item: root.item, unit: root.unit };
  if ('header' in start) {
    if (root.value !== undefined || root.values !== undefined)
      throw mappingError('value', 'must not be named when the columns of values are named by their dates');
    return [readValueColumn({ ...shared, column: '' }, 'values')];
  }
  const columns =
    root.values === undefined ? [{ column: readText(root.value, 'value') }] : readList(root.values, 'values');
  return columns.map((entry, i) => {
    const key = `values[${i}]`;
    return readValueColumn(
      { ...shared, ...readObject(entry, key, ['column', 'metric', 'item', 'unit']) },
      key,
    );
  });
}

function readValueColumn(column: Json, key: string): ValueColumn {
  return {
    column: readText(column.column, `${key}.column`),
    metric: readName(column.metric, 'metric'),
    item: readName(column.item, 'item'),
    unit: readName(column.unit, 'unit'),
  };
}

function readName(value: unknown, key: string): NameFrom {
  if (typeof value === 'string') return { column: value };
  if (value === undefined)
    throw mappingError(key, 'is missing: name a column, or { "name": … } for all rows');
  const from = readObject(value, key, ['column', 'names', 'name', 'level', 'code', 'within']);
  if (typeof from.column === 'string') {
    return from.names === undefined
      ? { column: from.column }
      : { column: from.column, names: readNames(from.names, key) };
  }
  if (typeof from.name === 'string') return { name: from.name };
  throw mappingError(key, 'must be a column, or { "name": … } for one name for all rows');
}

function readNames(value: unknown, key: string): ReadonlyMap<string, string> {
  const names = Object.entries(readObject(value, `${key}.names`));
  return new Map(names.map(([text, name]) => [text, readText(name, `${key}.names.${text}`)]));
}

function readRegion(value: unknown, key: string): RegionFrom {
  const from = readName(value, key);
  const { code, level, within } = typeof value === 'object' ? (value as Json) : {};
  if (code !== undefined) {
    if (!('column' in from)) throw mappingError(`${key}.code`, 'needs a column');
    for (const [name, given] of Object.entries({ names: from.names, within })) {
      if (given !== undefined) throw mappingError(`${key}.${name}`, 'must not be given with code');
    }
    return { column: from.column, code: readOneOf(code, `${key}.code`, ['fips'] as const) };
  }
  return {
    ...from,
    level: level === undefined ? undefined : readLevel(level, `${key}.level`),
    within: within === undefined ? undefined : readName(within, `${key}.within`),
  };
}

function readFlag(value: unknown): Mapping['flag'] {
  if (typeof value === 'string') return { column: value };
  const { after_value } = readObject(value, 'flag', ['after_value']);
  if (after_value === true) return 'after_value';
  throw mappingError('flag', 'must be a column, or { "after_value": true }');
}

function readFrequency(value: unknown, format: DateFormat): Frequency {
  const name = value ?? FREQUENCY_OF[format] ?? 'daily';
  const frequency = FREQUENCIES.find((candidate) => candidate.name === name);
  if (frequency !== undefined) return frequency;
  throw mappingError('frequency', `must be one of ${FREQUENCIES.map((known) => known.name).join(', ')}`);
}

/** Periods with an end of their own begin on their dates, unless the mapping says the month. */
function readFirstMonth({ first_month, end_date }: Json): number | null {
  if (first_month === undefined) return end_date === undefined ? 1 : null;
  return first_month === 'of_date' ? null : readNumber(first_month, 'first_month', 1, 12);
}

function readNumberFormat({ decimal = '.', thousands }: Json, delimiter: string): NumberFormat {
  const marks = {
    decimal: readOneOf(decimal, 'decimal', DECIMALS),
    thousands: thousands === undefined ? undefined : readOneOf(thousands, 'thousands', THOUSANDS),
  };
  if (marks.decimal === marks.thousands) throw mappingError('thousands', 'must not be the decimal mark');
  return { ...marks, trustsLoneGroup: trustsLoneGroup(marks.decimal, delimiter) };
}

function readNameRule(value: unknown): NameRule {
  const rule = NAME_RULES.find((known) => known === value);
  if (rule !== undefined) return rule;
  throw mappingError('names', `must be one of ${NAME_RULES.join(', ')}`);
}

function readDelimiter(value: unknown): string {
  if (typeof value === 'string' && value.length === 1) return value;
  throw mappingError('delimiter', 'must be one character');
}
