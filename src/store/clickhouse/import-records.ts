import { joinSourceImports, type SourceImports, type StoredFetch, storedFetch } from '../import-records.js';
import type { Cluster } from './engine/cluster.js';
import { visible } from './engine/snapshot.js';

/** The sources that have series, by id. */
export async function readSourceImports(cluster: Cluster): Promise<SourceImports[]> {
  const { where, parameters } = visible(await cluster.snapshot());
  const [sources, recorded] = await Promise.all([
    cluster.first.rows(
      `SELECT source_id, count() AS series, sum(point_count) AS points FROM series WHERE ${where}
      GROUP BY source_id ORDER BY source_id`,
      parameters,
    ),
    cluster.first.rows(`SELECT source_id, dataset, imported FROM source_import WHERE ${where}`, parameters),
  ]);
  return joinSourceImports(sources, recorded);
}

/** What was fetched for the imports of a store, by data set and request. */
export async function readFetches(cluster: Cluster): Promise<StoredFetch[]> {
  const { where, parameters } = visible(await cluster.snapshot());
  const rows = await cluster.first.rows(
    `SELECT dataset, request, settings, files, fetched_at FROM stored_fetch WHERE ${where} ORDER BY dataset, request`,
    parameters,
  );
  return rows.map(storedFetch);
}
