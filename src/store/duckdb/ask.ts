import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../model/errors.js';
import type { Store } from '../store.js';
import type { Database } from './engine/database.js';
import { openDatabase } from './engine/open-database.js';
import { NAMED_SCHEMA } from './schema.js';

/** An open DuckDB store that users can query in SQL. */
export interface AskedStore extends Store {
  /**
   * Opens a connection for SQL queries, in which the views that show names in place of ids are visible. The caller
   * must close it.
   * @throws StoreError if the engine is not confined to the store's files
   */
  connectToAsk(): Promise<DuckDBConnection>;
}

export function canAsk(store: Store): store is AskedStore {
  return 'connectToAsk' in store;
}

/** Implements `AskedStore.connectToAsk`. */
export async function connectToAsk(database: Database): Promise<DuckDBConnection> {
  if (!database.isConfined)
    throw new StoreError(`${database.location} was not opened for SQL queries; open it with openEmbedded`);
  const connection = await database.connectToRead();
  await connection.run(`USE store.${NAMED_SCHEMA}`);
  return connection;
}

interface AskedFile {
  /** The names of the views, of their columns, and of the macros. */
  readonly names: readonly string[];
  /** A connection that can read only the store. */
  readonly connection: DuckDBConnection;
  close(): Promise<void>;
}

const NAMES = `SELECT name FROM (
    SELECT view_name AS name FROM duckdb_views() WHERE schema_name = '${NAMED_SCHEMA}'
    UNION SELECT function_name FROM duckdb_functions() WHERE schema_name = '${NAMED_SCHEMA}'
    UNION SELECT column_name FROM duckdb_columns() WHERE schema_name = '${NAMED_SCHEMA}') ORDER BY name`;

/**
 * Opens a store read-only for users' SQL queries. Statements can use the views that show names in place of ids, but
 * cannot access any other file, any network address or any extension.
 * @throws StoreError if the file is not a store, or is in use
 */
export async function openToAsk(path: string): Promise<AskedFile> {
  const database = await openDatabase(path, { readOnly: true, isConfined: true });
  try {
    const connection = await connectToAsk(database);
    const names = (await connection.runAndReadAll(NAMES)).getRows().map(([name]) => String(name));
    return {
      names,
      connection,
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
