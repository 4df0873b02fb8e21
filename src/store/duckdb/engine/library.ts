import { createRequire } from 'node:module';
import type * as DuckDB from '@duckdb/node-api';

const load = createRequire(import.meta.url);

/**
 * DuckDB's library. It is CommonJS: an `import` would first search the source of each of its files for the names that it
 * exports, which takes longer than loading them.
 */
export const {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTimestampValue,
  DuckDBTypeId,
  ENUM,
  FLOAT,
  INTEGER,
  LIST,
  SMALLINT,
  StatementType,
  TIMESTAMP,
  TIMESTAMP_MS,
  TIMESTAMP_NS,
  TIMESTAMP_S,
  TINYINT,
  UBIGINT,
  UINTEGER,
  USMALLINT,
  UTINYINT,
  VARCHAR,
  listValue,
} = load('@duckdb/node-api') as typeof DuckDB;

export type DuckDBDataChunk = DuckDB.DuckDBDataChunk;
export type DuckDBInstance = DuckDB.DuckDBInstance;
export type DuckDBTypeId = DuckDB.DuckDBTypeId;
