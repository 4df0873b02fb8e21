import type { Columns, ColumnType } from './columns.js';

const TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'INTEGER',
  number: 'DOUBLE',
  text: 'VARCHAR',
  boolean: 'BOOLEAN',
  date: 'TIMESTAMP_MS',
};

/** Prints columns as `CREATE TABLE` has them in DuckDB. */
export function duckdbColumns(columns: Columns): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${TYPES[type]}`)
    .join(', ');
}
