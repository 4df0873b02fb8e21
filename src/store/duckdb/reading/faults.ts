import type { LongOperation } from '../../../model/progress.js';
import {
  describeBackwards,
  describeMissing,
  describeSeries,
  missingEntitiesSql,
  pointCount,
} from '../../queries/faults.js';
import { readAll } from '../backup/backup.js';
import type { Database } from '../engine/database.js';
import { PARTS } from '../engine/sql-values.js';
import { allPoints, type PointTable, SUMMARIZE, SUMMARY_COLUMNS, summarizeByUnit } from '../point-tables.js';
import { readTables } from './points.js';

/** Faults of a kind that are listed. */
export const MAX_FAULTS = 100;

/**
 * Finds the contradictions of a store: ids without an entity, points without a series, and wrong facts of a series.
 * Reads every value.
 * @throws StoreError when a block is damaged
 */
export async function findFaults(database: Database, operation: LongOperation = {}): Promise<string[]> {
  await readAll((sql) => database.rows(sql, operation), { ...operation, label: 'reading the store' });
  const missing = await database.rows(missingEntitiesSql(PARTS, { limit: MAX_FAULTS }));
  const backwards = await database.rows(`
    SELECT series, count(*)::DOUBLE AS points FROM (FROM point UNION ALL FROM point_history)
    WHERE end_date < start_date GROUP BY series ORDER BY series LIMIT ${MAX_FAULTS}`);
  const tables = await readTables(database);
  const misplaced = await findMisplaced(database, tables);
  const untrue = await database.rows(untrueSql(summarizeByUnit(allPoints(tables))));
  return [
    ...missing.map(describeMissing),
    ...backwards.map(describeBackwards),
    ...misplaced,
    ...untrue.flatMap(describeSeries),
  ];
}

/** Finds points in a table of other series, where no query looks for them. */
async function findMisplaced(database: Database, tables: readonly PointTable[]): Promise<string[]> {
  const selects = tables.map(({ name, first }, i) => {
    const before = tables[i + 1] === undefined ? '' : `OR series >= ${tables[i + 1]!.first}`;
    return `SELECT '${name}' AS name, series FROM ${name} WHERE series < ${first} ${before}`;
  });
  const rows = await database.rows(`
    SELECT name, series, count(*)::DOUBLE AS points FROM (${selects.join(' UNION ALL ')})
    GROUP BY ALL ORDER BY ALL LIMIT ${MAX_FAULTS}`);
  return rows.map(
    ({ name, series, points }) =>
      `${pointCount(points)} of series ${series} in the table ${name} of other series`,
  );
}

/**
 * Writes the query for wrong facts of a series' points as `describeSeries` takes them, computed without reading the
 * stored facts.
 * @param byUnit the query of the points of each series and unit
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
