import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { DuckDBDataChunk } from '../engine/library.js';

/** Rows of a chunk of DuckDB. */
export const CHUNK_ROWS = 2_048;

/** The columns of a temporary table. */
export type Columns = readonly (readonly [name: string, type: DuckDBType])[];

/** Replaces the content of a temporary table. */
export async function stageRows(
  connection: DuckDBConnection,
  table: string,
  { columns, rows }: { columns: Columns; rows: readonly (readonly DuckDBValue[])[] },
): Promise<void> {
  const ddl = columns.map(([name, type]) => `"${name}" ${type}`).join(', ');
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${ddl})`);
  const appender = await connection.createAppender(table, 'main', 'temp');
  const types = columns.map(([, type]) => type);
  for (let first = 0; first < rows.length; first += CHUNK_ROWS) {
    const chunk = DuckDBDataChunk.create(types);
    chunk.setRows(rows.slice(first, first + CHUNK_ROWS));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}
