import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { turns } from '../../turns.js';
import { DuckDBDataChunk, type TableColumns } from '../engine/library.js';

export const CHUNK_ROWS = 2_048;

/** The number of rows to pass to the engine at a time. The thread is blocked while rows are passed. */
const ROWS_PER_FLUSH = 16_384;

/** The number of rows to write before other work may run. It is small because writing strings is slow. */
const ROWS_PER_TURN = 256;

export async function stageRows(
  connection: DuckDBConnection,
  table: string,
  { columns, rows }: { columns: TableColumns; rows: readonly (readonly DuckDBValue[])[] },
): Promise<void> {
  const ddl = columns.map(([name, type]) => `"${name}" ${type}`).join(', ');
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${ddl})`);
  await appendChunks(connection, `temp.main.${table}`, {
    types: columns.map(([, type]) => type),
    length: rows.length,
    together: ROWS_PER_TURN,
    write: (chunk, first, count) => chunk.setRows(rows.slice(first, first + count)),
  });
}

interface Appended {
  readonly types: readonly DuckDBType[];
  readonly length: number;
  /** The number of rows to write before other work may run; by default, a full chunk. */
  readonly together?: number;
  readonly write: (chunk: DuckDBDataChunk, first: number, count: number) => void;
}

/** Appends rows to a table, specified by its qualified name. Other work can run between chunks. */
export async function appendChunks(
  connection: DuckDBConnection,
  table: string,
  { types, length, together = CHUNK_ROWS, write }: Appended,
): Promise<void> {
  if (length === 0) return;
  const [catalog, schema, name] = table.split('.') as [string, string, string];
  const appender = await connection.createAppender(name, schema, catalog);
  // One chunk is reused for all rows, because its memory is freed only when the object is garbage-collected.
  const chunk = DuckDBDataChunk.create(types);
  for (let first = 0; first < length; first += together) {
    await turns.next();
    chunk.reset();
    chunk.rowCount = Math.min(together, length - first);
    write(chunk, first, chunk.rowCount);
    appender.appendDataChunk(chunk);
    if ((first + together) % ROWS_PER_FLUSH === 0) appender.flushSync();
  }
  appender.closeSync();
}
