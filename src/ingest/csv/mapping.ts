import { type Frequency, REGION_LEVELS } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';

/** Where a name comes from: a column, or one name for all rows. */
export type NameFrom = { readonly column: string } | { readonly name: string };

/** A region's name, perhaps known to be of one level. */
export type RegionFrom = NameFrom & { readonly level?: keyof typeof REGION_LEVELS | undefined };

/** A place that the table itself describes: columns of its identifier, its coordinates (degrees) and perhaps its name. */
export interface StationFrom {
  readonly station: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly name: string | null;
}

/**
 * What becomes of a name that nothing bears and something nearly does: its rows are left out, or the nearest is taken. A note
 * says either.
 */
const NAME_RULES = ['exact', 'nearest'] as const;
export type NameRule = (typeof NAME_RULES)[number];

/** How the dates of a column are written. */
const DATE_FORMATS = [
  'YYYY',
  'YYYY-MM',
  'YYYY-MM-DD',
  'YYYYMMDD',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'DD.MM.YYYY',
] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

/** A column of figures; metric, item and unit may be said for it alone. */
interface ValueColumn {
  readonly column: string;
  readonly metric: NameFrom;
  readonly item: NameFrom;
  readonly unit: NameFrom;
}

/** Which columns of a table mean what. */
export interface Mapping {
  readonly delimiter: string;
  readonly source: {
    readonly name: string;
    readonly longName: string;
    readonly licence: string;
    readonly citation: string;
    readonly url: string;
  };
  readonly region: RegionFrom | StationFrom;
  readonly partner_region: RegionFrom | null;
  readonly values: readonly ValueColumn[];
  readonly start_date: { readonly column: string; readonly format: DateFormat };
  /** Absent: the end follows from the frequency. */
  readonly end_date: { readonly column: string; readonly format: DateFormat } | null;
  readonly reporting_date: { readonly column: string; readonly format: DateFormat } | null;
  readonly frequency: Frequency;
  /** Month in which an annual period begins: 9 for marketing years of corn. */
  readonly first_month: number;
  /** Texts that stand for a figure that the source does not have; an empty field is no point at all. */
  readonly missing: readonly string[];
  readonly names: NameRule;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a mapping from JSON: `source` (with `name`), `region`, `start_date` and either `values` or `value`, `metric`,
 * `item` and `unit`; all else has a default. A plain text stands for a column, `{ "name": … }` for one name for all rows.
 * `names` is `"exact"` (the default) or `"nearest"`.
 * @throws ArgumentError that names the key which is wrong
 */
export function parseMapping(json: unknown): Mapping {
  const root = object(json, 'the whole');
  onlyKeys(root, null, MAPPING_KEYS);
  const source = object(root.source, 'source');
  onlyKeys(source, 'source', ['name', 'longName', 'licence', 'citation', 'url']);
  const name = text(source.name, 'source.name');
  const start_date = dateFrom(root.start_date, 'start_date');
  return {
    delimiter: root.delimiter === undefined ? ',' : oneSign(root.delimiter),
    source: {
      name,
      longName: optionalText(source.longName, name),
      licence: optionalText(source.licence, 'unknown'),
      citation: optionalText(source.citation, name),
      url: optionalText(source.url, ''),
    },
    region: stationFrom(root.region) ?? regionFrom(root.region, 'region'),
    partner_region:
      root.partner_region === undefined ? null : regionFrom(root.partner_region, 'partner_region'),
    values: valueColumns(root),
    start_date,
    end_date: root.end_date === undefined ? null : dateFrom(root.end_date, 'end_date'),
    reporting_date:
      root.reporting_date === undefined ? null : dateFrom(root.reporting_date, 'reporting_date'),
    frequency: frequencyOf(root.frequency, start_date.format),
    first_month: root.first_month === undefined ? 1 : month(root.first_month),
    missing:
      root.missing === undefined
        ? ['NA']
        : list(root.missing, 'missing').map((entry) => text(entry, 'missing')),
    names: root.names === undefined ? 'exact' : nameRule(root.names),
  };
}

const MAPPING_KEYS = [
  'delimiter',
  'source',
  'region',
  'partner_region',
  'values',
  'value',
  'metric',
  'item',
  'unit',
  'start_date',
  'end_date',
  'reporting_date',
  'frequency',
  'first_month',
  'missing',
  'names',
];

/** A mistyped key would be passed over, and its default taken in silence. */
function onlyKeys(given: Json, where: string | null, known: readonly string[]): void {
  const stranger = Object.keys(given).find((key) => !known.includes(key));
  if (stranger !== undefined)
    throw wrong(
      `"${stranger}"`,
      `is no key${where === null ? '' : ` of ${where}`}; known are ${known.join(', ')}`,
    );
}

function valueColumns(root: Json): ValueColumn[] {
  const shared = { metric: root.metric, item: root.item, unit: root.unit };
  const columns =
    root.values === undefined ? [{ column: text(root.value, 'value') }] : list(root.values, 'values');
  return columns.map((entry, i) => {
    const key = `values[${i}]`;
    const own = object(entry, key);
    onlyKeys(own, key, ['column', 'metric', 'item', 'unit']);
    const column: Json = { ...shared, ...own };
    return {
      column: text(column.column, `${key}.column`),
      metric: nameFrom(column.metric, 'metric'),
      item: nameFrom(column.item, 'item'),
      unit: nameFrom(column.unit, 'unit'),
    };
  });
}

function nameFrom(value: unknown, key: string): NameFrom {
  if (typeof value === 'string') return { column: value };
  if (value === undefined) throw wrong(key, 'is missing: name a column, or { "name": … } for all rows');
  const from = object(value, key);
  onlyKeys(from, key, ['column', 'name', 'level']);
  if (typeof from.column === 'string') return { column: from.column };
  if (typeof from.name === 'string') return { name: from.name };
  throw wrong(key, 'must be a column, or { "name": … } for one name for all rows');
}

function regionFrom(value: unknown, key: string): RegionFrom {
  const from = nameFrom(value, key);
  const level = typeof value === 'object' ? (value as Json).level : undefined;
  if (level === undefined) return from;
  if (typeof level === 'string' && level in REGION_LEVELS)
    return { ...from, level: level as keyof typeof REGION_LEVELS };
  throw wrong(`${key}.level`, `must be one of ${Object.keys(REGION_LEVELS).join(', ')}`);
}

/** Null when the region is not said by station and coordinates. */
function stationFrom(value: unknown): StationFrom | null {
  if (typeof value !== 'object' || value === null || !('station' in value)) return null;
  const from: Json = { ...value };
  onlyKeys(from, 'region', ['station', 'latitude', 'longitude', 'name']);
  return {
    station: text(from.station, 'region.station'),
    latitude: text(from.latitude, 'region.latitude'),
    longitude: text(from.longitude, 'region.longitude'),
    name: from.name === undefined ? null : text(from.name, 'region.name'),
  };
}

function dateFrom(value: unknown, key: string): { column: string; format: DateFormat } {
  if (typeof value === 'string') return { column: value, format: 'YYYY-MM-DD' };
  if (value === undefined) throw wrong(key, 'is missing: name a column');
  const from = object(value, key);
  onlyKeys(from, key, ['column', 'format']);
  const format = from.format ?? 'YYYY-MM-DD';
  if (!DATE_FORMATS.includes(format as DateFormat))
    throw wrong(`${key}.format`, `must be one of ${DATE_FORMATS.join(', ')}`);
  return { column: text(from.column, `${key}.column`), format: format as DateFormat };
}

function frequencyOf(value: unknown, format: DateFormat): Frequency {
  const name = value ?? (format === 'YYYY' ? 'annual' : format === 'YYYY-MM' ? 'monthly' : 'daily');
  const frequency = FREQUENCIES.find((candidate) => candidate.name === name);
  if (frequency !== undefined) return frequency;
  throw wrong('frequency', `must be one of ${FREQUENCIES.map((known) => known.name).join(', ')}`);
}

function nameRule(value: unknown): NameRule {
  const rule = NAME_RULES.find((known) => known === value);
  if (rule !== undefined) return rule;
  throw wrong('names', `must be one of ${NAME_RULES.join(', ')}`);
}

function object(value: unknown, key: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw wrong(key, value === undefined ? 'is missing' : 'must be an object');
}

function list(value: unknown, key: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw wrong(key, 'must be a list');
}

function text(value: unknown, key: string): string {
  if (typeof value === 'string') return value;
  throw wrong(key, value === undefined ? 'is missing' : 'must be a text');
}

function optionalText(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function oneSign(value: unknown): string {
  if (typeof value === 'string' && value.length === 1) return value;
  throw wrong('delimiter', 'must be one sign');
}

function month(value: unknown): number {
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 12) return Number(value);
  throw wrong('first_month', 'must be a month from 1 to 12');
}

function wrong(key: string, what: string): ArgumentError {
  return new ArgumentError('mapping', `mapping: ${key} ${what}`);
}
