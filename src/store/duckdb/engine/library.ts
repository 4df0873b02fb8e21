import { createRequire } from 'node:module';
import type * as DuckDB from '@duckdb/node-api';
import type { Columns, ColumnType } from '../../schema/tables.js';

const load = createRequire(import.meta.url);

/** The DuckDB library. `require` is used, because `import` would scan each of its CommonJS files for exported names. */
export const duckdb = load('@duckdb/node-api') as typeof DuckDB;

export const { DuckDBDataChunk, DuckDBInstance, DuckDBTypeId } = duckdb;
export const { BIGINT, BOOLEAN, DOUBLE, INTEGER, TIMESTAMP_MS, VARCHAR } = duckdb;

export type DuckDBDataChunk = DuckDB.DuckDBDataChunk;
export type DuckDBInstance = DuckDB.DuckDBInstance;
export type DuckDBTypeId = DuckDB.DuckDBTypeId;

const TYPES: Readonly<Record<ColumnType, DuckDB.DuckDBType>> = {
  integer: INTEGER,
  number: DOUBLE,
  text: VARCHAR,
  boolean: BOOLEAN,
  date: TIMESTAMP_MS,
};

export type TableColumns = readonly (readonly [name: string, type: DuckDB.DuckDBType])[];

export const engineColumns = (columns: Columns): TableColumns =>
  Object.entries(columns).map(([name, type]) => [name, TYPES[type]]);

export const columnsSql = (columns: Columns): string =>
  engineColumns(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');
