import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { turns } from '../../turns.js';
import { DuckDBDataChunk, INTEGER } from '../engine/library.js';
import { rawVector } from '../engine/vectors.js';

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
  await appendChunks(connection, {
    table,
    types: columns.map(([, type]) => type),
    length: rows.length,
    write: (chunk, first, last) => chunk.setRows(rows.slice(first, last)),
  });
}

/** Replaces the content of a temporary table by columns of whole numbers. */
export async function stageIntegers(
  connection: DuckDBConnection,
  table: string,
  columns: Readonly<Record<string, Int32Array>>,
): Promise<void> {
  const names = Object.keys(columns);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${table} (${names.map((name) => `${name} INTEGER`).join(', ')})`,
  );
  await appendChunks(connection, {
    table,
    types: names.map(() => INTEGER),
    length: columns[names[0]!]!.length,
    write(chunk, first, last) {
      for (const [at, items] of Object.values(columns).entries()) {
        const vector = rawVector<Int32Array>(chunk, at);
        vector.items.set(items.subarray(first, last));
        vector.flush();
      }
    },
  });
}

interface Appended {
  readonly table: string;
  readonly types: readonly DuckDBType[];
  readonly length: number;
  /** Writes rows from `first` to `last` (exclusive) into a chunk. */
  readonly write: (chunk: DuckDBDataChunk, first: number, last: number) => void;
}

/** Appends rows to a temporary table, other work having its turn in between. */
async function appendChunks(
  connection: DuckDBConnection,
  { table, types, length, write }: Appended,
): Promise<void> {
  const appender = await connection.createAppender(table, 'main', 'temp');
  const chunk = DuckDBDataChunk.create(types);
  for (let first = 0; first < length; first += CHUNK_ROWS) {
    await turns.next();
    const last = Math.min(first + CHUNK_ROWS, length);
    chunk.reset();
    chunk.rowCount = last - first;
    write(chunk, first, last);
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}
