import { ENTITY_TABLES } from '../../duckdb/entity-tables.js';
import { columnsOf, TABLES } from '../tables.js';

/** A table whose rows an import compares one by one. */
export interface StoredTable {
  readonly name: string;
  /** Its columns in the cluster; those of the workspace have the same names. */
  readonly columns: readonly string[];
  /** The columns that tell its rows apart. */
  readonly key: readonly string[];
}

const storedTable = (name: string, key: readonly string[]): StoredTable => ({
  name,
  columns: columnsOf(name),
  key,
});

/** Tables that are loaded when an import begins: they are small. */
export const SMALL_TABLES: readonly StoredTable[] = [
  ...Object.values(ENTITY_TABLES).map(({ table }) => storedTable(table, ['id'])),
  storedTable('containment', ['entity_type', 'parent', 'child']),
  storedTable('moved_id', ['field', 'old_id', 'source_id']),
  storedTable('stored_fetch', ['dataset', 'request']),
  storedTable('source_import', ['source_id']),
  storedTable('known_batch', ['digest']),
];

/** Loaded for the regions whose shapes an import brings. */
export const SHAPE = storedTable('shape', ['region_id', 'detail']);

/** Loaded for the series of the points of an import. */
export const SERIES = storedTable('series', ['handle']);
export const SERIES_UNIT = storedTable('series_unit', ['series', 'unit_id']);

/** All tables but that of points. */
export const STORED_TABLES = [...SMALL_TABLES, SHAPE, SERIES, SERIES_UNIT];

const TYPE_OF_KEY: Readonly<Record<string, string>> = Object.fromEntries(
  TABLES.flatMap(({ name, columns }) => columns.map(([column, type]) => [`${name}.${column}`, type])),
);

/** The key of a row as ClickHouse and DuckDB compute it, and its type in ClickHouse. */
export function keyOf({ name, key }: StoredTable): { here: string; there: string; type: string } {
  if (key.length === 1) {
    const type = TYPE_OF_KEY[`${name}.${key[0]}`]!.split(' ')[0]!;
    return { here: key[0]!, there: key[0]!, type };
  }
  return {
    here: key.map((column) => `coalesce(${column}::VARCHAR, '')`).join(` || ' ' || `),
    there: `concat(${key.map((column) => `ifNull(toString(${column}), '')`).join(`, ' ', `)})`,
    type: 'String',
  };
}
