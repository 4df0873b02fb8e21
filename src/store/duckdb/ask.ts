import type { DuckDBResult } from '@duckdb/node-api';
import { ArgumentError } from '../../model/errors.js';
import type { ReadOptions } from '../store.js';
import { interruptOnAbort } from './engine/interrupts.js';
import { openDatabase } from './engine/open-database.js';
import { NAMED_SCHEMA } from './named-views.js';

/** The file of a store that is open for questions in SQL. */
export interface SqlStore {
  /** Views and macros, and the columns of the views. */
  readonly names: readonly string[];
  /**
   * Hands the result of a statement over while the signal may end it.
   * @throws ArgumentError with the engine's reason
   */
  ask<Result>(
    sql: string,
    read: (result: DuckDBResult) => Promise<Result>,
    options?: ReadOptions,
  ): Promise<Result>;
  /** Closes the file. */
  close(): Promise<void>;
}

const NAMES = `SELECT name FROM (
    SELECT view_name AS name FROM duckdb_views() WHERE schema_name = '${NAMED_SCHEMA}'
    UNION SELECT function_name FROM duckdb_functions() WHERE schema_name = '${NAMED_SCHEMA}'
    UNION SELECT column_name FROM duckdb_columns() WHERE schema_name = '${NAMED_SCHEMA}') ORDER BY name`;

/**
 * Opens a store for questions in SQL, which see its views by their names. It is read alone: a statement writes nothing, and
 * reaches no other file, address or extension.
 * @throws StoreError when it is not a store, or is in use
 */
export async function openSqlStore(path: string): Promise<SqlStore> {
  const database = await openDatabase(path, true);
  try {
    const connection = await database.connectToRead();
    for (const setting of [
      `USE store.${NAMED_SCHEMA}`,
      `SET TimeZone = 'UTC'`,
      'SET enable_external_access = false',
      'SET lock_configuration = true',
    ])
      await connection.run(setting);
    const names = (await connection.runAndReadAll(NAMES)).getRows().map(([name]) => String(name));
    return {
      names,
      async ask(sql, read, { signal } = {}) {
        signal?.throwIfAborted();
        const stop = interruptOnAbort(connection, signal);
        try {
          return await read(await connection.stream(sql));
        } catch (cause) {
          signal?.throwIfAborted();
          throw new ArgumentError('query', cause instanceof Error ? cause.message : String(cause), { cause });
        } finally {
          stop();
        }
      },
      async close() {
        connection.disconnectSync();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
