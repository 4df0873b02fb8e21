import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { turns } from '../../turns.js';
import type { TableColumns } from '../engine/column-types.js';
import { DuckDBDataChunk } from '../engine/library.js';

/** Rows of a chunk of DuckDB. */
export const CHUNK_ROWS = 2_048;

/** Rows that are given to the engine at once, which stops the thread for as long. */
const ROWS_A_FLUSH = 16_384;

/** Rows of values of any type that are written between two turns: texts take their time. */
const ROWS_TOGETHER = 256;

/** The rows of a table. */
interface Rows {
  readonly columns: TableColumns;
  readonly rows: readonly (readonly DuckDBValue[])[];
}

/** Replaces the content of a temporary table. */
export async function stageRows(
  connection: DuckDBConnection,
  table: string,
  { columns, rows }: Rows,
): Promise<void> {
  const ddl = columns.map(([name, type]) => `"${name}" ${type}`).join(', ');
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${ddl})`);
  await appendChunks(connection, `temp.main.${table}`, {
    types: columns.map(([, type]) => type),
    length: rows.length,
    together: ROWS_TOGETHER,
    write: (chunk, first, count) => chunk.setRows(rows.slice(first, first + count)),
  });
}

interface Appended {
  readonly types: readonly DuckDBType[];
  readonly length: number;
  /** How many rows are written between two turns; a chunk by default. */
  readonly together?: number;
  /** Writes rows from `first` on into a chunk. */
  readonly write: (chunk: DuckDBDataChunk, first: number, count: number) => void;
}

/**
 * Appends rows to a table, other work having its turn in between.
 * @param table with its catalog and schema
 */
export async function appendChunks(
  connection: DuckDBConnection,
  table: string,
  { types, length, together = CHUNK_ROWS, write }: Appended,
): Promise<void> {
  if (length === 0) return;
  const [catalog, schema, name] = table.split('.') as [string, string, string];
  const appender = await connection.createAppender(name, schema, catalog);
  // Reused for all rows: the memory of a chunk is freed only when its object is collected.
  const chunk = DuckDBDataChunk.create(types);
  for (let first = 0; first < length; first += together) {
    await turns.next();
    chunk.reset();
    chunk.rowCount = Math.min(together, length - first);
    write(chunk, first, chunk.rowCount);
    appender.appendDataChunk(chunk);
    if ((first + together) % ROWS_A_FLUSH === 0) appender.flushSync();
  }
  appender.closeSync();
}
