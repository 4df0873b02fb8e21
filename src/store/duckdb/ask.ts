import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../model/errors.js';
import type { Store } from '../store.js';
import type { Database } from './engine/database.js';
import { openDatabase } from './engine/open-database.js';
import { NAMED_SCHEMA } from './schema.js';

/** A store in DuckDB that this process has open. */
export interface AskedStore extends Store {
  /**
   * Connects to the store for queries, with its views by name. The caller disconnects.
   * @throws StoreError when the engine is not confined
   */
  connectToAsk(): Promise<DuckDBConnection>;
}

/** Checks whether a store answers SQL. */
export function canAsk(store: Store): store is AskedStore {
  return 'connectToAsk' in store;
}

/** Connects to a confined database for queries, with the views of the store by name. */
export async function connectToAsk(database: Database): Promise<DuckDBConnection> {
  if (!database.isConfined)
    throw new StoreError(`${database.location} was not opened for queries in SQL; open it with openEmbedded`);
  const connection = await database.connectToRead();
  await connection.run(`USE store.${NAMED_SCHEMA}`);
  return connection;
}

/** The file of a store that is open for questions in SQL. */
interface AskedFile {
  /** Views and macros, and the columns of the views. */
  readonly names: readonly string[];
  /** Reads the store, and nothing else. */
  readonly connection: DuckDBConnection;
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
