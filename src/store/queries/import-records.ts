import type { SourceImports, StoredFetch } from '../import-records.js';
import type { EngineTables } from './engine-tables.js';

export async function readSourceImports(tables: EngineTables): Promise<SourceImports[]> {
  const counted = `SELECT source_id, CAST(count(*) AS DOUBLE) AS own, CAST(sum(point_count) AS DOUBLE) AS points
    FROM ${tables.from('series')} GROUP BY source_id`;
  // ClickHouse fills rows without a match with empty strings and zeros.
  const rows = await tables.rows(`SELECT counted.source_id AS "sourceId", own AS series, points,
      nullIf(dataset, '') AS dataset, nullIf(imported, 0) AS "importedMs"
    FROM (${counted}) AS counted
    LEFT JOIN (SELECT source_id, dataset, imported FROM ${tables.from('source_import')}) AS recorded
      ON recorded.source_id = counted.source_id ORDER BY counted.source_id`);
  return rows as unknown as SourceImports[];
}

export async function readFetches(tables: EngineTables): Promise<StoredFetch[]> {
  const rows = await tables.rows(`SELECT dataset, request, settings, files, fetched_at AS "fetchedMs"
    FROM ${tables.from('stored_fetch', 'fetched_at IS NOT NULL')} ORDER BY dataset, request`);
  return rows.map(({ files, ...row }) => ({ ...row, files: JSON.parse(String(files)) }) as StoredFetch);
}
