import type { FetchedFile, SourceImports, StoredFetch } from '../import-records.js';
import type { EngineTables } from './engine-tables.js';

export async function readSourceImports(tables: EngineTables): Promise<SourceImports[]> {
  const [sources, recorded] = await Promise.all([
    tables.rows(`SELECT source_id, count(*) AS own, sum(point_count) AS points
      FROM ${tables.from('series')} GROUP BY source_id ORDER BY source_id`),
    tables.rows(`SELECT source_id, dataset, imported FROM ${tables.from('source_import')}`),
  ]);
  const bySource = new Map(recorded.map((row) => [Number(row.source_id), row]));
  return sources.map((source) => {
    const row = bySource.get(Number(source.source_id));
    return {
      sourceId: Number(source.source_id),
      series: Number(source.own),
      points: Number(source.points),
      dataset: row === undefined ? null : String(row.dataset),
      importedMs: row === undefined ? null : Number(row.imported),
    };
  });
}

export async function readFetches(tables: EngineTables): Promise<StoredFetch[]> {
  const read = await tables.rows(`SELECT dataset, request, settings, files, fetched_at
    FROM ${tables.from('stored_fetch', 'fetched_at IS NOT NULL')} ORDER BY dataset, request`);
  return read.map((row) => ({
    dataset: String(row.dataset),
    request: String(row.request),
    settings: String(row.settings),
    files: JSON.parse(String(row.files)) as FetchedFile[],
    fetchedMs: Number(row.fetched_at),
  }));
}
