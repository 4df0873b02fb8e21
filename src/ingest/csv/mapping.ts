import { type Frequency, REGION_LEVELS } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { DECIMALS, type NumberFormat, THOUSANDS } from './numbers.js';

/** The origin of a name: a column, or one name for all rows. */
export type NameFrom = { readonly column: string } | { readonly name: string };

/** The origin of a region's name, which can be restricted to one level. */
export type RegionFrom = NameFrom & { readonly level?: keyof typeof REGION_LEVELS | undefined };

/** The columns of a place that the table describes: identifier, coordinates (degrees) and, if any, name. */
export interface StationFrom {
  readonly station: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly name: string | null;
}

/** For a name without an exact match, whether its rows are rejected or the nearest match is used; both add a note. */
const NAME_RULES = ['exact', 'nearest'] as const;
export type NameRule = (typeof NAME_RULES)[number];

/** Formats of dates. */
const DATE_FORMATS = [
  'YYYY',
  'YYYY-MM',
  'YYYY-MM-DD',
  'YYYYMMDD',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'DD.MM.YYYY',
  'spreadsheet',
  'spreadsheet-1904',
] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

/** A column of values. */
interface ValueColumn {
  readonly column: string;
  readonly metric: NameFrom;
  readonly item: NameFrom;
  readonly unit: NameFrom;
}

/** How the columns of a table are read. */
export interface Mapping {
  readonly delimiter: string;
  /** The sheet of a workbook; null for the only one that is not empty. */
  readonly sheet: string | null;
  /** The line of the header, counted from 1; those before it are not read. */
  readonly header_line: number;
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
  /** Null: the end follows from the frequency. */
  readonly end_date: { readonly column: string; readonly format: DateFormat } | null;
  readonly reporting_date: { readonly column: string; readonly format: DateFormat } | null;
  readonly frequency: Frequency;
  /** First month of annual periods: 9 for marketing years of corn. */
  readonly first_month: number;
  readonly numbers: NumberFormat;
  /** Texts that are read as null; an empty field is not a point. */
  readonly missing: readonly string[];
  readonly names: NameRule;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Parses a mapping from JSON. Required are `source` (with `name`), `region`, `start_date`, and either `values` or `value`,
 * `metric`, `item` and `unit`. A string is the name of a column, `{ "name": … }` one name for all rows. `names` is
 * `"exact"` (the default) or `"nearest"`.
 * @throws ArgumentError that names the invalid key
 */
export function parseMapping(json: unknown): Mapping {
  const root = readObject(json, 'the root');
  rejectUnknownKeys(root, null, MAPPING_KEYS);
  const source = readObject(root.source, 'source');
  rejectUnknownKeys(source, 'source', ['name', 'longName', 'licence', 'citation', 'url']);
  const name = readText(source.name, 'source.name');
  const start_date = readDate(root.start_date, 'start_date');
  const delimiter = root.delimiter === undefined ? ',' : readDelimiter(root.delimiter);
  return {
    delimiter,
    sheet: root.sheet === undefined ? null : readText(root.sheet, 'sheet'),
    header_line: root.header_line === undefined ? 1 : readLine(root.header_line),
    source: {
      name,
      longName: readOptionalText(source.longName, name),
      licence: readOptionalText(source.licence, 'unknown'),
      citation: readOptionalText(source.citation, name),
      url: readOptionalText(source.url, ''),
    },
    region: readStation(root.region) ?? readRegion(root.region, 'region'),
    partner_region:
      root.partner_region === undefined ? null : readRegion(root.partner_region, 'partner_region'),
    values: readValueColumns(root),
    start_date,
    end_date: root.end_date === undefined ? null : readDate(root.end_date, 'end_date'),
    reporting_date:
      root.reporting_date === undefined ? null : readDate(root.reporting_date, 'reporting_date'),
    frequency: readFrequency(root.frequency, start_date.format),
    first_month: root.first_month === undefined ? 1 : readMonth(root.first_month),
    numbers: readNumberFormat(root, delimiter),
    missing:
      root.missing === undefined
        ? ['NA']
        : readList(root.missing, 'missing').map((entry) => readText(entry, 'missing')),
    names: root.names === undefined ? 'exact' : readNameRule(root.names),
  };
}

const MAPPING_KEYS = [
  'delimiter',
  'sheet',
  'header_line',
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
  'decimal',
  'thousands',
  'missing',
  'names',
];

/** Otherwise a mistyped key would be ignored, and its default used. */
function rejectUnknownKeys(given: Json, where: string | null, known: readonly string[]): void {
  const unknownKey = Object.keys(given).find((key) => !known.includes(key));
  if (unknownKey !== undefined)
    throw mappingError(
      `"${unknownKey}"`,
      `is not a key${where === null ? '' : ` of ${where}`}; the keys are ${known.join(', ')}`,
    );
}

function readValueColumns(root: Json): ValueColumn[] {
  const shared = { metric: root.metric, item: root.item, unit: root.unit };
  const columns =
    root.values === undefined ? [{ column: readText(root.value, 'value') }] : readList(root.values, 'values');
  return columns.map((entry, i) => {
    const key = `values[${i}]`;
    const own = readObject(entry, key);
    rejectUnknownKeys(own, key, ['column', 'metric', 'item', 'unit']);
    const column: Json = { ...shared, ...own };
    return {
      column: readText(column.column, `${key}.column`),
      metric: readName(column.metric, 'metric'),
      item: readName(column.item, 'item'),
      unit: readName(column.unit, 'unit'),
    };
  });
}

function readName(value: unknown, key: string): NameFrom {
  if (typeof value === 'string') return { column: value };
  if (value === undefined)
    throw mappingError(key, 'is missing: name a column, or { "name": … } for all rows');
  const from = readObject(value, key);
  rejectUnknownKeys(from, key, ['column', 'name', 'level']);
  if (typeof from.column === 'string') return { column: from.column };
  if (typeof from.name === 'string') return { name: from.name };
  throw mappingError(key, 'must be a column, or { "name": … } for one name for all rows');
}

function readRegion(value: unknown, key: string): RegionFrom {
  const from = readName(value, key);
  const level = typeof value === 'object' ? (value as Json).level : undefined;
  if (level === undefined) return from;
  if (typeof level === 'string' && Object.hasOwn(REGION_LEVELS, level))
    return { ...from, level: level as keyof typeof REGION_LEVELS };
  throw mappingError(`${key}.level`, `must be one of ${Object.keys(REGION_LEVELS).join(', ')}`);
}

/** Null when the region is not described by a station and its coordinates. */
function readStation(value: unknown): StationFrom | null {
  if (typeof value !== 'object' || value === null || !('station' in value)) return null;
  const from: Json = { ...value };
  rejectUnknownKeys(from, 'region', ['station', 'latitude', 'longitude', 'name']);
  return {
    station: readText(from.station, 'region.station'),
    latitude: readText(from.latitude, 'region.latitude'),
    longitude: readText(from.longitude, 'region.longitude'),
    name: from.name === undefined ? null : readText(from.name, 'region.name'),
  };
}

function readDate(value: unknown, key: string): { column: string; format: DateFormat } {
  if (typeof value === 'string') return { column: value, format: 'YYYY-MM-DD' };
  if (value === undefined) throw mappingError(key, 'is missing: name a column');
  const from = readObject(value, key);
  rejectUnknownKeys(from, key, ['column', 'format']);
  const format = from.format ?? 'YYYY-MM-DD';
  if (!DATE_FORMATS.includes(format as DateFormat))
    throw mappingError(`${key}.format`, `must be one of ${DATE_FORMATS.join(', ')}`);
  return { column: readText(from.column, `${key}.column`), format: format as DateFormat };
}

function readFrequency(value: unknown, format: DateFormat): Frequency {
  const name = value ?? (format === 'YYYY' ? 'annual' : format === 'YYYY-MM' ? 'monthly' : 'daily');
  const frequency = FREQUENCIES.find((candidate) => candidate.name === name);
  if (frequency !== undefined) return frequency;
  throw mappingError('frequency', `must be one of ${FREQUENCIES.map((known) => known.name).join(', ')}`);
}

/** A semicolon between fields suggests a decimal comma, so that a comma alone says nothing. */
function readNumberFormat({ decimal = '.', thousands }: Json, delimiter: string): NumberFormat {
  const marks = {
    decimal: readOneOf(decimal, 'decimal', DECIMALS),
    thousands: thousands === undefined ? undefined : readOneOf(thousands, 'thousands', THOUSANDS),
  };
  if (marks.decimal === marks.thousands) throw mappingError('thousands', 'must not be the decimal mark');
  return { ...marks, trustsLoneGroup: decimal === '.' && delimiter !== ';' };
}

function readOneOf<Known extends string>(value: unknown, key: string, known: readonly Known[]): Known {
  const found = known.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw mappingError(key, `must be one of ${known.map((each) => JSON.stringify(each)).join(', ')}`);
}

function readNameRule(value: unknown): NameRule {
  const rule = NAME_RULES.find((known) => known === value);
  if (rule !== undefined) return rule;
  throw mappingError('names', `must be one of ${NAME_RULES.join(', ')}`);
}

function readObject(value: unknown, key: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw mappingError(key, value === undefined ? 'is missing' : 'must be an object');
}

function readList(value: unknown, key: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw mappingError(key, 'must be a list');
}

function readText(value: unknown, key: string): string {
  if (typeof value === 'string') return value;
  throw mappingError(key, value === undefined ? 'is missing' : 'must be a string');
}

function readOptionalText(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

function readDelimiter(value: unknown): string {
  if (typeof value === 'string' && value.length === 1) return value;
  throw mappingError('delimiter', 'must be one character');
}

function readLine(value: unknown): number {
  if (Number.isSafeInteger(value) && Number(value) >= 1) return Number(value);
  throw mappingError('header_line', 'must be the number of a line, counted from 1');
}

function readMonth(value: unknown): number {
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 12) return Number(value);
  throw mappingError('first_month', 'must be a month from 1 to 12');
}

function mappingError(key: string, what: string): ArgumentError {
  return new ArgumentError('mapping', `mapping: ${key} ${what}`);
}
