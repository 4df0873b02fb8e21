import type { LongOperation } from '../../../model/progress.js';
import { describeMissing, describeSeriesFaults, missingEntitiesSql } from '../../queries/faults.js';
import { readAll } from '../backup/backup.js';
import type { Database } from '../engine/database.js';
import { PARTS } from '../engine/sql-values.js';
import { LATEST_TABLE, SUMMARIZE, SUMMARY_COLUMNS, summarizeByUnit } from '../point-tables.js';

/** The maximum number of faults of each kind to list. */
export const MAX_FAULTS = 100;

/** Finds ids without an entity, and points that contradict their series. @throws StoreError if a block is damaged */
export async function findFaults(database: Database, operation: LongOperation = {}): Promise<string[]> {
  await readAll(database, { ...operation, label: 'reading the store' });
  const missing = await database.rows(missingEntitiesSql(PARTS, { limit: MAX_FAULTS }));
  const untrue = await database.rows(untrueSql(summarizeByUnit(LATEST_TABLE)));
  return [...missing.map(describeMissing), ...untrue.flatMap(describeSeriesFaults)];
}

/**
 * Returns the SQL that finds series whose stored columns do not match their points, for `describeSeriesFaults`.
 * @param byUnit the SQL that summarizes the points of each series and unit
 */
export function untrueSql(byUnit: string): string {
  const facts = SUMMARY_COLUMNS.filter((column) => column !== 'point_count').map(
    (column) => `CASE WHEN series.${column} IS DISTINCT FROM found.${column} THEN '${column}' END`,
  );
  return `
    WITH by_unit AS (${byUnit}), found AS (${SUMMARIZE}),
    compared AS (
      SELECT handle, series.point_count::DOUBLE AS said, coalesce(found.point_count, 0)::DOUBLE AS found,
        CASE WHEN found.handle IS NULL THEN '' ELSE concat_ws(', ', ${facts.join(', ')}) END AS untrue
      FROM series FULL JOIN found USING (handle))
    FROM compared WHERE said IS DISTINCT FROM found OR untrue <> '' ORDER BY handle LIMIT ${MAX_FAULTS}`;
}
