import { createRequire } from 'node:module';
import type * as DuckDB from '@duckdb/node-api';

const load = createRequire(import.meta.url);

/**
 * DuckDB's library. It is loaded with `require` because it is CommonJS: `import` would first scan the source of each
 * of its files for exported names, which takes longer than loading the files.
 */
export const duckdb = load('@duckdb/node-api') as typeof DuckDB;

export const { DuckDBDataChunk, DuckDBInstance, DuckDBTypeId } = duckdb;
export const { BIGINT, BOOLEAN, DOUBLE, INTEGER, TIMESTAMP_MS, VARCHAR } = duckdb;

export type DuckDBDataChunk = DuckDB.DuckDBDataChunk;
export type DuckDBInstance = DuckDB.DuckDBInstance;
export type DuckDBTypeId = DuckDB.DuckDBTypeId;
