import type { DuckDBType } from '@duckdb/node-api';
import type { Columns, ColumnType } from '../../schema/columns.js';
import { BOOLEAN, DOUBLE, INTEGER, TIMESTAMP_MS, VARCHAR } from './library.js';

const TYPES: Readonly<Record<ColumnType, DuckDBType>> = {
  integer: INTEGER,
  number: DOUBLE,
  text: VARCHAR,
  boolean: BOOLEAN,
  date: TIMESTAMP_MS,
};

export type TableColumns = readonly (readonly [name: string, type: DuckDBType])[];

export const engineColumns = (columns: Columns): TableColumns =>
  Object.entries(columns).map(([name, type]) => [name, TYPES[type]]);

export const columnsSql = (columns: Columns): string =>
  engineColumns(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');
