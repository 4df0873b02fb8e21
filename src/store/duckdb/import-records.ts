import type { DuckDBConnection } from '@duckdb/node-api';
import type { ImportedSources, StoredFetch } from '../import-records.js';

/** Records an import. */
export async function putImportedSources(
  connection: DuckDBConnection,
  { dataset, sourceIds, importedMs }: ImportedSources,
): Promise<void> {
  for (const id of sourceIds) {
    await connection.run('DELETE FROM source_import WHERE source_id = $1', [id]);
    await connection.run('INSERT INTO source_import VALUES ($1, $2, $3)', [id, dataset, importedMs]);
  }
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
