import type { LongOperation } from '../../../model/progress.js';
import { describeMissing, missingEntitiesSql } from '../../queries/missing-entities.js';
import { readAll } from '../backup/checksum.js';
import type { Database } from '../engine/database.js';
import { toStoreError } from '../engine/errors.js';
import { interruptOnAbort } from '../engine/interrupts.js';
import { PARTS } from '../engine/sql-values.js';
import { allPoints, type PointTable } from '../point-tables.js';
import { SUMMARIZE, SUMMARY_COLUMNS, summarizeByUnit } from '../series-summary.js';
import { readTables } from './tables.js';

const MAX_FAULTS = 100;

/**
 * The contradictions of a store: ids without an entity, points without a series, and wrong facts of a series. Reads
 * every value.
 * @throws StoreError when a block is damaged
 */
export async function findFaults(database: Database, operation: LongOperation = {}): Promise<string[]> {
  await readValues(database, operation);
  const missing = await database.rows(missingEntitiesSql(PARTS, { limit: MAX_FAULTS }));
  const counted = await database.rows(`
    WITH counted AS (SELECT series AS handle, count(*) AS points FROM point GROUP BY series)
    SELECT handle, series.handle IS NULL AS is_unknown, coalesce(point_count, 0)::DOUBLE AS said,
      coalesce(points, 0)::DOUBLE AS found
    FROM counted FULL JOIN series USING (handle)
    WHERE coalesce(point_count, -1) <> coalesce(points, 0) ORDER BY handle LIMIT ${MAX_FAULTS}`);
  const counts = counted.map(({ handle, is_unknown, said, found }) =>
    is_unknown
      ? `${pointCount(found)} of series ${handle}, but there is no series ${handle}`
      : `series ${handle} should have ${pointCount(said)}, but has ${found}`,
  );
  const backwards = await database.rows(`
    SELECT series, count(*)::DOUBLE AS points FROM (FROM point UNION ALL FROM point_history)
    WHERE end_date < start_date GROUP BY series ORDER BY series LIMIT ${MAX_FAULTS}`);
  const periods = backwards.map(
    ({ series, points }) => `series ${series} has ${pointCount(points)} with an end before the start`,
  );
  const tables = await readTables(database);
  const misplaced = await findMisplaced(database, tables);
  const untrue = await findUntrue(database, tables);
  return [...missing.map(describeMissing), ...counts, ...periods, ...misplaced, ...untrue];
}

/** Points in a table of other series, where nothing finds them. */
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

/** Reads every value, so that a damaged block is found. */
async function readValues(database: Database, operation: LongOperation): Promise<void> {
  const connection = await database.connectToRead();
  const stopWatching = interruptOnAbort(connection, operation.signal);
  try {
    await readAll(connection, 'reading the store', operation);
  } catch (error) {
    operation.signal?.throwIfAborted();
    throw toStoreError(error, database.location, 'reading');
  } finally {
    stopWatching();
    connection.disconnectSync();
  }
}

/** Wrong facts of the points of a series, computed without reading the stored facts. Counts are checked above. */
async function findUntrue(database: Database, tables: readonly PointTable[]): Promise<string[]> {
  const untrue = SUMMARY_COLUMNS.filter((column) => column !== 'point_count').map(
    (column) => `CASE WHEN series.${column} IS DISTINCT FROM found.${column} THEN '${column}' END`,
  );
  const rows = await database.rows(`
    WITH by_unit AS (${summarizeByUnit(allPoints(tables), 'true')}), found AS (${SUMMARIZE}),
    compared AS (
      SELECT handle, concat_ws(', ', ${untrue.join(', ')}) AS untrue FROM series JOIN found USING (handle))
    FROM compared WHERE untrue <> '' ORDER BY handle LIMIT ${MAX_FAULTS}`);
  return rows.map(
    ({ handle, untrue }) => `series ${handle}: ${untrue} of the series is not that of its points`,
  );
}

function pointCount(count: unknown): string {
  return count === 1 ? '1 point' : `${count} points`;
}
