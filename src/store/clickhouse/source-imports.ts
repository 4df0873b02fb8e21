import { joinSourceImports, type SourceImports } from '../source-imports.js';
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
