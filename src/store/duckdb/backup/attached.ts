import type { DuckDBConnection } from '@duckdb/node-api';
import { interruptOnAbort } from '../engine/interrupts.js';
import { DuckDBInstance } from '../engine/library.js';
import { quoted } from '../engine/sql-values.js';
import { ROW_GROUP_SIZE } from '../schema.js';

/** Runs a step on a file that is attached as `store`, whatever it holds. */
export async function withAttached<Result>(
  path: string,
  { readOnly, signal }: { readOnly: boolean; signal?: AbortSignal | undefined },
  step: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const stopWatching = interruptOnAbort(connection, signal);
  try {
    const options = readOnly ? 'READ_ONLY' : `ROW_GROUP_SIZE ${ROW_GROUP_SIZE}`;
    await connection.run(`ATTACH ${quoted(path)} AS store (TYPE duckdb, ${options})`);
    return await step(connection);
  } finally {
    stopWatching();
    await connection.run('USE memory').catch(() => {});
    await connection.run('DETACH store').catch(() => {});
    connection.disconnectSync();
    instance.closeSync();
  }
}
