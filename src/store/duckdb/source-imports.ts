import type { DuckDBConnection } from '@duckdb/node-api';
import { type ImportedSources, joinSourceImports, type SourceImports } from '../source-imports.js';
import type { Database } from './engine/database.js';

/** The sources that have series, by id. */
export async function readSourceImports(database: Database): Promise<SourceImports[]> {
  const sources = await database.rows(
    `SELECT source_id, count(*)::DOUBLE AS series, sum(point_count)::DOUBLE AS points
    FROM series GROUP BY source_id ORDER BY source_id`,
  );
  const rows = await database.rows('SELECT * FROM source_import');
  return joinSourceImports(sources, rows);
}

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
