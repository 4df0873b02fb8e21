import type { DuckDBConnection } from '@duckdb/node-api';
import { type ImportedSources, joinSourceImports, type SourceImports } from '../source-imports.js';
import type { Database } from './engine/database.js';

/** Created with the first import. Stores without it are of the same schema, and can be read without an upgrade. */
export const SOURCE_IMPORT_DDL = `CREATE TABLE IF NOT EXISTS source_import (
  source_id INTEGER, dataset VARCHAR, vocabulary INTEGER, imported DOUBLE)`;

/** The sources that have series, by id. */
export async function readSourceImports(database: Database): Promise<SourceImports[]> {
  const sources = await database.rows(
    `SELECT source_id, count(*)::DOUBLE AS series, sum(point_count)::DOUBLE AS points
    FROM series GROUP BY source_id ORDER BY source_id`,
  );
  const isRecorded = await database.hasTable('source_import');
  const rows = isRecorded ? await database.rows('SELECT * FROM source_import') : [];
  return joinSourceImports(sources, rows);
}

/**
 * Records an import before its points are merged. A source keeps the oldest version of its imports, as its series may have
 * points of each; one that had series before versions were recorded has version 0.
 */
export async function putImportedSources(
  connection: DuckDBConnection,
  { dataset, sourceIds, vocabulary, importedMs }: ImportedSources,
): Promise<void> {
  await connection.run(SOURCE_IMPORT_DDL);
  for (const id of sourceIds) {
    const oldest = `CASE WHEN EXISTS (FROM series WHERE source_id = ${id})
      THEN least(coalesce((SELECT min(vocabulary) FROM source_import WHERE source_id = ${id}), 0), $1) ELSE $1 END`;
    const read = await connection.runAndReadAll(`SELECT (${oldest})::INTEGER`, [vocabulary]);
    await connection.run(`DELETE FROM source_import WHERE source_id = ${id}`);
    await connection.run('INSERT INTO source_import VALUES ($1, $2, $3, $4)', [
      id,
      dataset,
      Number(read.getRows()[0]![0]),
      importedMs,
    ]);
  }
}
