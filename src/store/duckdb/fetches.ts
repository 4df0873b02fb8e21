import type { DuckDBConnection } from '@duckdb/node-api';
import { storedFetch } from '../rows/fetch.js';
import type { StoredFetch } from '../store.js';
import type { Database } from './engine/database.js';

/** What was fetched for the imports of a store, by data set and request. */
export async function readFetches(database: Database): Promise<StoredFetch[]> {
  const rows = await database.rows('SELECT * FROM stored_fetch ORDER BY dataset, request');
  return rows.map(storedFetch);
}

/** Adds a fetch, or replaces that of the same data set and request. */
export async function putFetch(connection: DuckDBConnection, fetch: StoredFetch): Promise<void> {
  await removeFetch(connection, fetch);
  const { dataset, request, settings, files, fetchedMs } = fetch;
  const row = [dataset, request, settings, JSON.stringify(files), fetchedMs];
  await connection.run('INSERT INTO stored_fetch VALUES (?, ?, ?, ?, ?)', row);
}

/** Removes a fetch. */
export async function removeFetch(
  connection: DuckDBConnection,
  { dataset, request }: Pick<StoredFetch, 'dataset' | 'request'>,
): Promise<void> {
  await connection.run('DELETE FROM stored_fetch WHERE dataset = ? AND request = ?', [dataset, request]);
}
