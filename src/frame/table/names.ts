import { Dictionary, Int32, Utf8, type Vector, vectorFromArray } from 'apache-arrow';
import type { PointSeries } from '../../columns/point-columns.js';
import type { EntityNames } from '../../model/entity.js';
import type { SeriesKey } from '../../model/series.js';

/** The name columns of a long frame, each with the map that gives its names and the id that it names. */
export const NAME_COLUMNS = [
  { column: 'metric_name', names: 'metrics', id: 'metric_id' },
  { column: 'item_name', names: 'items', id: 'item_id' },
  { column: 'region_name', names: 'regions', id: 'region_id' },
  { column: 'partner_region_name', names: 'regions', id: 'partner_region_id' },
  { column: 'frequency_name', names: 'frequencies', id: 'frequency_id' },
  { column: 'source_name', names: 'sources', id: 'source_id' },
] as const satisfies readonly { column: string; names: keyof EntityNames; id: keyof SeriesKey }[];

/** The name of an id; an id without one is shown as its number. */
function nameOf(names: ReadonlyMap<number, string>, id: number): string {
  return names.get(id) ?? String(id);
}

/** Names without repeats, with the place of each id's name among them. */
export interface NameDictionary {
  type: Dictionary<Utf8, Int32>;
  values: Vector<Utf8>;
  codes: ReadonlyMap<number, number>;
}

/** A dictionary of the names of `ids`. */
export function nameDictionary(names: ReadonlyMap<number, string>, ids: Iterable<number>): NameDictionary {
  const places = new Map<string, number>();
  const codes = new Map<number, number>();
  for (const id of ids) {
    if (codes.has(id)) continue;
    const name = nameOf(names, id);
    const place = places.get(name) ?? places.size;
    places.set(name, place);
    codes.set(id, place);
  }
  return {
    type: new Dictionary(new Utf8(), new Int32()),
    values: vectorFromArray([...places.keys()], new Utf8()),
    codes,
  };
}

/** What a wide frame's column is called: the names of what tells it apart, in the order of the long frame. */
function columnName(series: PointSeries, unit_id: number | null, names: EntityNames): string {
  const parts = NAME_COLUMNS.map(({ names: kind, id }) => nameOf(names[kind], series[id]));
  if (unit_id !== null) parts.push(nameOf(names.units, unit_id));
  return parts.join(' | ');
}

/** A column of a wide frame: one series in one unit. */
export interface NamedColumn {
  series: PointSeries;
  unit_id: number | null;
}

/**
 * Names for the columns of a wide frame, each used once: where several columns have the same names, each of them adds
 * its ids, so that what a column is called does not depend on its neighbours' order.
 */
export function uniqueColumnNames(
  columns: readonly NamedColumn[],
  names: EntityNames,
  taken: readonly string[],
): string[] {
  const plain = columns.map(({ series, unit_id }) => columnName(series, unit_id, names));
  const counts = new Map<string, number>(taken.map((name) => [name, 1]));
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  const used = new Set(taken);
  return plain.map((name, at) => {
    const ids = [...NAME_COLUMNS.map(({ id }) => columns[at]!.series[id]), columns[at]!.unit_id ?? '-'];
    let unique = counts.get(name) === 1 ? name : `${name} [${ids.join(' ')}]`;
    while (used.has(unique)) unique += '*';
    used.add(unique);
    return unique;
  });
}

/** What a wide frame's field says of its series by the names of entities; see `fieldMetadata`. */
export function columnMetadata({ series, unit_id }: NamedColumn, names: EntityNames): Map<string, string> {
  return fieldMetadata(series, unit_id, ({ names: kind }, id) => nameOf(names[kind], id));
}

const UNIT_COLUMN = { column: 'unit_name', names: 'units' } as const;

/** What a wide frame's field says of its series: every id and name, as texts. */
export function fieldMetadata(
  key: SeriesKey,
  unit_id: number | null,
  nameOfId: (column: { column: string; names: keyof EntityNames }, id: number) => string,
): Map<string, string> {
  const metadata = new Map<string, string>();
  for (const column of NAME_COLUMNS) {
    const id = key[column.id];
    metadata.set(column.id, String(id));
    metadata.set(column.column, nameOfId(column, id));
  }
  if (unit_id !== null) {
    metadata.set('unit_id', String(unit_id));
    metadata.set(UNIT_COLUMN.column, nameOfId(UNIT_COLUMN, unit_id));
  }
  return metadata;
}
