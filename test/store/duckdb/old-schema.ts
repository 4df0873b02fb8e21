import { runSql } from './run-sql.js';

const VERSION_2 = `(
  series INTEGER NOT NULL, start_date TIMESTAMP_MS NOT NULL, end_date TIMESTAMP_MS NOT NULL, value DOUBLE,
  unit_id INTEGER NOT NULL, reporting_date TIMESTAMP_MS, available_date TIMESTAMP_MS NOT NULL, metadata VARCHAR)`;

/** Rewrites the file of a store that is not open as an older cropframe wrote it. */
export async function writeAsVersion(path: string, version: 1 | 2 | 3): Promise<void> {
  await runSql(path, 'DROP TABLE point_table');
  await runSql(path, 'ALTER TABLE meta DROP COLUMN table_points');
  await runSql(path, 'ALTER TABLE meta ADD COLUMN unsorted_points BIGINT DEFAULT 0');
  if (version < 3) await writeWithDates(path, version);
  await runSql(path, `UPDATE meta SET schema_version = ${version}`);
}

async function writeWithDates(path: string, version: number): Promise<void> {
  for (const [table, packed] of [
    ['point', 'packed_point'],
    ['point_history', 'packed_history'],
  ]) {
    await runSql(path, `CREATE TABLE old_${table} ${VERSION_2}`);
    await runSql(path, `INSERT INTO old_${table} FROM ${table}`);
    await runSql(path, `DROP VIEW ${table}`);
    await runSql(path, `DROP TABLE ${packed}`);
    await runSql(path, `ALTER TABLE old_${table} RENAME TO ${table}`);
  }
  await runSql(
    path,
    `CREATE OR REPLACE TABLE series AS SELECT handle, metric_id, item_id, region_id, partner_region_id, source_id,
      frequency_id, unit_id, start_date, end_date, point_count FROM series`,
  );
  if (version === 1)
    for (const table of ['metric', 'item', 'region', 'frequency', 'source', 'unit'])
      await runSql(path, `ALTER TABLE ${table} DROP COLUMN identity`);
}
