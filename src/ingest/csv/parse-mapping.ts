import type { Frequency } from '../../model/entity.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { parseDefinitions } from './definitions/parse-definitions.js';
import type {
  DateFormat,
  DateFrom,
  DegreesFrom,
  Mapping,
  NameFrom,
  RegionFrom,
  RowFilter,
  StationFrom,
  ValueColumn,
} from './mapping.js';
import { checkMapping, type MappingJson, mappingError } from './mapping-schema.js';
import { type NumberFormat, trustsLoneGroup } from './numbers.js';
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
  assertFilledIn(json, []);
  const root = checkMapping(extendMapping(json));
  const start_date = readStartDate(root.start_date);
  const format = 'header' in start_date ? start_date.header : start_date.format;
  const { delimiter = ',', partner_region, source } = root;
  const texts = (given: string | string[] | undefined, usual: readonly string[]) =>
    given === undefined ? usual : [given].flat();
  return {
    delimiter,
    entry: root.entry ?? null,
    sheet: root.sheet ?? null,
    header_line: root.header_line ?? 1,
    source: {
      longName: source.name,
      licence: 'unknown',
      citation: source.name,
      url: '',
      ...withoutUndefined(source),
    },
    definitions: parseDefinitions(root.define, source.name),
    filters: [...readFilters(root.only, true), ...readFilters(root.skip, false)],
    region: readPlace(root.region),
    partner_region: partner_region === undefined ? null : readRegion(partner_region),
    values: readValueColumns(root, start_date),
    flag: readFlag(root.flag),
    start_date,
    end_date: readDate(root.end_date),
    reporting_date: readDate(root.reporting_date),
    available_date: readAvailableDate(root),
    frequency: readFrequency(root.frequency, format),
    first_month: readFirstMonth(root),
    numbers: readNumberFormat(root, delimiter),
    missing: texts(root.missing, ['NA']),
    empty: texts(root.empty, []),
    names: root.names ?? 'exact',
  };
}

/** What a suggested mapping leaves to the user. */
export const FILL_IN = '?';
/** Keys whose texts are those of the table. */
const TABLE_TEXTS = ['missing', 'empty', 'only', 'skip', 'names'];
/** Mappings have half as many levels. */
const MAX_DEPTH = 10;

/** @throws ArgumentError that names a part that is still to be filled in, or one with too many levels */
function assertFilledIn(json: unknown, path: readonly string[]): void {
  if (json === FILL_IN) throw mappingError(path.join(''), `is "${FILL_IN}": fill it in`);
  if (typeof json !== 'object' || json === null) return;
  if (path.length > MAX_DEPTH) throw mappingError(path.join(''), 'is within too many levels of a mapping');
  for (const [name, value] of Object.entries(json)) {
    if (TABLE_TEXTS.includes(name)) continue;
    const part = Array.isArray(json) ? `[${name}]` : path.length === 0 ? name : `.${name}`;
    assertFilledIn(value, [...path, part]);
  }
}

function extendMapping(json: unknown): unknown {
  const name = (json as MappingJson | null)?.extends;
  if (typeof name !== 'string') return json;
  const keys = Object.entries({ ...findShippedMapping(name), ...(json as object) });
  return Object.fromEntries(keys.filter(([, value]) => value !== null));
}

function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: NonNullable<Fields[Name]> } {
  return JSON.parse(JSON.stringify(fields));
}

function readFilters(given: MappingJson['only'], keep: boolean): RowFilter[] {
  return Object.entries(given ?? {}).map(([column, values]) => ({
    column,
    keep,
    values: new Set([values].flat()),
  }));
}

type NameJson = NonNullable<MappingJson['metric']>;

function readValueColumns(root: MappingJson, start: Mapping['start_date']): ValueColumn[] {
  if ('header' in start) {
    if (root.value !== undefined || root.values !== undefined)
      throw mappingError('value', 'must not be named when the columns of values are named by their dates');
    return [readValueColumn(root, { column: '' })];
  }
  if (root.values !== undefined) return root.values.map((column) => readValueColumn(root, column));
  if (root.value === undefined) throw mappingError('value', 'is missing');
  return [readValueColumn(root, { column: root.value })];
}

function readValueColumn(
  root: MappingJson,
  { column, ...own }: NonNullable<MappingJson['values']>[number],
): ValueColumn {
  const name = (key: 'metric' | 'item' | 'unit'): NameFrom => {
    const given = own[key] ?? root[key];
    if (given === undefined)
      throw mappingError(key, 'is missing: name a column, or { "name": … } for all rows');
    return readName(given);
  };
  return { column, metric: name('metric'), item: name('item'), unit: name('unit') };
}

function readName(from: NameJson): NameFrom {
  if (typeof from === 'string') return { column: from };
  if ('name' in from) return { name: from.name };
  return from.names === undefined
    ? { column: from.column }
    : { column: from.column, names: new Map(Object.entries(from.names)) };
}

function readRegion(from: NonNullable<MappingJson['partner_region']>): RegionFrom {
  if (typeof from === 'string') return { column: from };
  if ('code' in from) return { column: from.column, code: from.code };
  const { level, within, ...name } = from;
  return { ...readName(name), level, within: within === undefined ? undefined : readName(within) };
}

function readPlace(from: MappingJson['region']): RegionFrom | StationFrom {
  if (typeof from === 'string' || !('station' in from)) return readRegion(from);
  return {
    station: readName(from.station),
    latitude: readDegrees(from.latitude),
    longitude: readDegrees(from.longitude),
    name: from.name === undefined ? null : readName(from.name),
  };
}

function readDegrees(from: string | number | { column: string }): DegreesFrom {
  if (typeof from === 'number') return { degrees: from };
  return typeof from === 'string' ? { column: from } : from;
}

function readFlag(from: MappingJson['flag']): Mapping['flag'] {
  if (from === undefined) return null;
  return typeof from === 'string' ? { column: from } : 'after_value';
}

type DateJson = NonNullable<MappingJson['end_date']>;

function readDate(from: DateJson): DateFrom;
function readDate(from: DateJson | undefined): DateFrom | null;
function readDate(from: DateJson | undefined): DateFrom | null {
  if (from === undefined) return null;
  const { column, format = 'YYYY-MM-DD' } = typeof from === 'string' ? { column: from } : from;
  return { column, format };
}

function readStartDate(from: MappingJson['start_date']): Mapping['start_date'] {
  return typeof from === 'object' && 'header' in from ? from : readDate(from);
}

function readAvailableDate({ available_date: from, reporting_date }: MappingJson): Mapping['available_date'] {
  if (typeof from !== 'object' || !('equal_to' in from)) return readDate(from);
  if (from.equal_to === 'reporting_date' && reporting_date === undefined)
    throw mappingError('available_date', 'is equal to reporting_date, which is missing: name its column');
  return from;
}

function readFrequency(name: string | undefined, format: DateFormat): Frequency {
  const wanted = name ?? FREQUENCY_OF[format] ?? 'daily';
  return FREQUENCIES.find((frequency) => frequency.name === wanted)!;
}

/** Periods with an end of their own begin on their dates, unless the mapping says the month. */
function readFirstMonth({ first_month, end_date }: MappingJson): number | null {
  if (first_month === undefined) return end_date === undefined ? 1 : null;
  return first_month === 'of_date' ? null : first_month;
}

function readNumberFormat({ decimal = '.', thousands }: MappingJson, delimiter: string): NumberFormat {
  if (decimal === thousands) throw mappingError('thousands', 'must not be the decimal mark');
  return { decimal, thousands, trustsLoneGroup: trustsLoneGroup(decimal, delimiter) };
}
