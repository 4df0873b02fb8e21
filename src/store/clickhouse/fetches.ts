import { storedFetch } from '../rows/fetch.js';
import type { StoredFetch } from '../store.js';
import type { Cluster } from './engine/cluster.js';
import { visible } from './engine/snapshot.js';

/** What was fetched for the imports of a store, by data set and request. */
export async function readFetches(cluster: Cluster): Promise<StoredFetch[]> {
  const { where, parameters } = visible(await cluster.snapshot());
  const rows = await cluster.first.rows(
    `SELECT dataset, request, settings, files, fetched_at FROM stored_fetch WHERE ${where} ORDER BY dataset, request`,
    parameters,
  );
  return rows.map(storedFetch);
}
