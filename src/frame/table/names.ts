import { Dictionary, Int32, Utf8, type Vector } from 'apache-arrow';
import type { EntityNames } from '../../model/entity.js';
import { getOrCompute } from '../../model/grouping.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../model/series.js';
import { textVector } from './frame-table.js';
import { shortLabels } from './short-labels.js';

export const NAME_COLUMNS = [
  { column: 'metric_name', names: 'metrics', id: 'metric_id' },
  { column: 'item_name', names: 'items', id: 'item_id' },
  { column: 'region_name', names: 'regions', id: 'region_id' },
  { column: 'partner_region_name', names: 'regions', id: 'partner_region_id' },
  { column: 'frequency_name', names: 'frequencies', id: 'frequency_id' },
  { column: 'source_name', names: 'sources', id: 'source_id' },
] as const satisfies readonly { column: string; names: keyof EntityNames; id: keyof SeriesKey }[];

function nameOf(names: ReadonlyMap<number, string>, id: number): string {
  return names.get(id) ?? String(id);
}

export interface EncodedNames {
  type: Dictionary<Utf8, Int32>;
  values: Vector<Utf8>;
  codes: ReadonlyMap<number, number>;
}

export function encodeNames(names: ReadonlyMap<number, string>, ids: Iterable<number>): EncodedNames {
  const codeOfName = new Map<string, number>();
  const codes = new Map<number, number>();
  for (const id of new Set(ids))
    codes.set(
      id,
      getOrCompute(codeOfName, nameOf(names, id), () => codeOfName.size),
    );
  return {
    type: new Dictionary(new Utf8(), new Int32()),
    values: textVector([...codeOfName.keys()]),
    codes,
  };
}

const NAME_SEPARATOR = ' | ';

/** Checks whether a column has a custom name, such as a short name. Default names contain all names of the series. */
export function hasOwnName(column: string): boolean {
  return column !== 'value' && !column.includes(NAME_SEPARATOR);
}

/** A series in one unit, with its names. */
export interface NamedSeries {
  /** The ids of the series. */
  key: SeriesKey;
  /** The id of the unit; null for a series without a unit. */
  unit_id: number | null;
  /** The name of the column that contains the series' values. */
  column: string;
  /** The series' names, keyed by column name (such as `metric_name`); empty if the frame has no names. */
  names: ReadonlyMap<string, string>;
}

export function namedSeries(key: SeriesKey, unit_id: number | null, names: EntityNames): NamedSeries {
  const texts = NAME_COLUMNS.map(({ column, names: kind, id }): [string, string] => [
    column,
    nameOf(names[kind], key[id]),
  ]);
  if (unit_id !== null) texts.push(['unit_name', nameOf(names.units, unit_id)]);
  const abbreviation = unit_id === null ? undefined : names.unit_abbreviations?.get(unit_id);
  if (abbreviation !== undefined) texts.push(['unit_abbreviation', abbreviation]);
  return { key, unit_id, column: 'value', names: new Map(texts) };
}

// The kinds of names, in the order in which they are omitted from short names.
const SHORT_NAMES = [
  ...['source_name', 'frequency_name', 'partner_region_name'],
  ...['unit_name', 'metric_name', 'item_name'],
];

/**
 * Returns the shortest names that distinguish the series, such as `Iowa` and `Illinois`. A single series is named after
 * its item and region. Without `regions`, names have no region, and a single series is named after its metric and item.
 */
export function shortNames(series: readonly NamedSeries[], { regions }: { regions: boolean }): string[] {
  const textsOf = (kind: string) => {
    const id = NAME_COLUMNS.find(({ column }) => column === kind)?.id;
    return series.map(
      ({ key, unit_id, names }) =>
        names.get(kind) ?? (id === undefined ? String(unit_id ?? '') : String(key[id])),
    );
  };
  if (series.length === 1)
    return [
      (regions ? ['item_name', 'region_name'] : ['metric_name', 'item_name']).flatMap(textsOf).join(' · '),
    ];
  const kinds = regions ? [...SHORT_NAMES, 'region_name'] : SHORT_NAMES;
  return shortLabels(kinds.map(textsOf), series.length);
}

/** Returns a column name for each series, made up of all its names and its unit. Unique custom names are kept. */
export function columnNames(series: readonly NamedSeries[]): string[] {
  const names = series.map(({ key, unit_id, column, names }) => {
    if (hasOwnName(column) && series.filter((other) => other.column === column).length === 1) return column;
    const parts = NAME_COLUMNS.map(({ column, id }) => names.get(column) ?? String(key[id]));
    const unit = names.get('unit_name') ?? (unit_id === null ? [] : String(unit_id));
    return parts.concat(unit).join(NAME_SEPARATOR);
  });
  const keys = series.map(({ key, unit_id }) => ({ ...key, unit_id }));
  return distinctNames(names, { reserved: ['end_date'], keys });
}

/** Makes names unique. Ids are appended to all copies of a repeated name, so that column order does not matter. */
export function distinctNames(
  names: readonly string[],
  {
    reserved,
    keys,
  }: { reserved: readonly string[]; keys: readonly (SeriesKey & { unit_id: number | null })[] },
): string[] {
  const counts = new Map<string, number>(reserved.map((name) => [name, 1]));
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const used = new Set(reserved);
  return names.map((name, at) => {
    const key = keys[at]!;
    const ids = [...NAME_COLUMNS.map(({ id }) => key[id]), key.unit_id ?? '-'];
    let unique = counts.get(name) === 1 ? name : `${name} [${ids.join(' ')}]`;
    while (used.has(unique)) unique += '*';
    used.add(unique);
    return unique;
  });
}

export function seriesMetadata({ key, unit_id, names }: NamedSeries): Map<string, string> {
  const ids = NAME_COLUMNS.map(({ column, id }): [string, string, number] => [id, column, key[id]]);
  if (unit_id !== null) ids.push(['unit_id', 'unit_name', unit_id]);
  const metadata = new Map<string, string>();
  for (const [id, column, value] of ids) {
    metadata.set(id, String(value));
    metadata.set(column, names.get(column) ?? String(value));
  }
  const abbreviation = names.get('unit_abbreviation');
  return abbreviation === undefined ? metadata : metadata.set('unit_abbreviation', abbreviation);
}

export const REQUIRED_COLUMNS = ['start_date', 'end_date', 'value', 'unit_id', ...SERIES_KEY_FIELDS];

type LongColumnTypes = ReadonlyMap<string, 'timestamp' | 'int32' | 'dictionary' | 'utf8'>;

/** The types of a long frame's columns, except `value`. In other tables, columns with these names may have any type. */
export const LONG_COLUMN_TYPES: LongColumnTypes = new Map([
  ...['start_date', 'end_date', 'reporting_date', 'available_date'].map(
    (name) => [name, 'timestamp'] as const,
  ),
  ...['unit_id', ...SERIES_KEY_FIELDS].map((name) => [name, 'int32'] as const),
  ...['unit_name', ...NAME_COLUMNS.map(({ column }) => column)].map((name) => [name, 'dictionary'] as const),
  ['metadata', 'utf8'],
]);

export function namedTypes(names: readonly string[]): LongColumnTypes {
  return REQUIRED_COLUMNS.every((name) => names.includes(name)) ? LONG_COLUMN_TYPES : new Map();
}
