import { Dictionary, Int32, Utf8, type Vector } from 'apache-arrow';
import type { PointSeries } from '../../columns/point-columns.js';
import type { EntityNames } from '../../model/entity.js';
import type { SeriesKey } from '../../model/series.js';
import { textVector } from './frame-table.js';

/** The name columns of a long frame, each with the map of its names and the id column that it names. */
export const NAME_COLUMNS = [
  { column: 'metric_name', names: 'metrics', id: 'metric_id' },
  { column: 'item_name', names: 'items', id: 'item_id' },
  { column: 'region_name', names: 'regions', id: 'region_id' },
  { column: 'partner_region_name', names: 'regions', id: 'partner_region_id' },
  { column: 'frequency_name', names: 'frequencies', id: 'frequency_id' },
  { column: 'source_name', names: 'sources', id: 'source_id' },
] as const satisfies readonly { column: string; names: NamedEntities; id: keyof SeriesKey }[];

/** The names that short labels may have after the region's, in the order in which they are left out. */
export const LABELLED_NAMES = [
  'source_name',
  'frequency_name',
  'partner_region_name',
  'unit_name',
  'metric_name',
  'item_name',
] as const;

/** The name of an id, or the id itself when it has none. */
function nameOf(names: ReadonlyMap<number, string>, id: number): string {
  return names.get(id) ?? String(id);
}

/** Distinct names, with the code of each id's name. */
export interface EncodedNames {
  type: Dictionary<Utf8, Int32>;
  values: Vector<Utf8>;
  codes: ReadonlyMap<number, number>;
}

/** The dictionary of the names of `ids`. */
export function encodeNames(names: ReadonlyMap<number, string>, ids: Iterable<number>): EncodedNames {
  const codeOfName = new Map<string, number>();
  const codes = new Map<number, number>();
  for (const id of ids) {
    if (codes.has(id)) continue;
    const name = nameOf(names, id);
    const code = codeOfName.get(name) ?? codeOfName.size;
    codeOfName.set(name, code);
    codes.set(id, code);
  }
  return {
    type: new Dictionary(new Utf8(), new Int32()),
    values: textVector([...codeOfName.keys()]),
    codes,
  };
}

export const NAME_SEPARATOR = ' | ';

/** Whether a column of a series is named otherwise than by all names of the series, such as by a short name. */
export function hasOwnName(column: string): boolean {
  return column !== 'value' && !column.includes(NAME_SEPARATOR);
}

/** The name of a wide frame's column: the names of its series and unit, in the order of the long frame. */
function columnName(series: PointSeries, unit_id: number | null, names: EntityNames): string {
  const parts = NAME_COLUMNS.map(({ names: kind, id }) => nameOf(names[kind], series[id]));
  if (unit_id !== null) parts.push(nameOf(names.units, unit_id));
  return parts.join(NAME_SEPARATOR);
}

/** A column of a wide frame: one series in one unit. */
export interface NamedColumn {
  series: PointSeries;
  unit_id: number | null;
}

/** Distinct names for the columns of a wide frame, from the names of entities; see `distinctNames`. */
export function uniqueColumnNames(columns: readonly NamedColumn[], names: EntityNames): string[] {
  const plain = columns.map(({ series, unit_id }) => columnName(series, unit_id, names));
  return distinctNames(plain, {
    reserved: [],
    keys: columns.map(({ series, unit_id }) => ({ ...series, unit_id })),
  });
}

/**
 * The names made distinct. Where several columns have the same name, the ids are appended to each of them, so that the
 * name of a column does not depend on the order of the others.
 */
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

/** The metadata of a wide frame's field, from the names of entities; see `fieldMetadata`. */
export function columnMetadata({ series, unit_id }: NamedColumn, names: EntityNames): Map<string, string> {
  const abbreviation = unit_id === null ? undefined : names.unit_abbreviations?.get(unit_id);
  return fieldMetadata(series, { unit_id, abbreviation }, ({ names: kind }, id) => nameOf(names[kind], id));
}

type NamedEntities = Exclude<keyof EntityNames, 'unit_abbreviations'>;

const UNIT_COLUMN = { column: 'unit_name', names: 'units' } as const;

/** The metadata of a wide frame's field: every id and name of its series, as texts, then its unit's abbreviation. */
export function fieldMetadata(
  key: SeriesKey,
  { unit_id, abbreviation }: { unit_id: number | null; abbreviation: string | undefined },
  nameById: (column: { column: string; names: NamedEntities }, id: number) => string,
): Map<string, string> {
  const metadata = new Map<string, string>();
  for (const column of NAME_COLUMNS) {
    const id = key[column.id];
    metadata.set(column.id, String(id));
    metadata.set(column.column, nameById(column, id));
  }
  if (unit_id !== null) {
    metadata.set('unit_id', String(unit_id));
    metadata.set(UNIT_COLUMN.column, nameById(UNIT_COLUMN, unit_id));
  }
  if (abbreviation !== undefined) metadata.set('unit_abbreviation', abbreviation);
  return metadata;
}
