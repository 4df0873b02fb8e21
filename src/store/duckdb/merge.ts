import type { DuckDBConnection } from '@duckdb/node-api';
import type { LongOperation } from '../../model/progress.js';
import type { ImportCounts } from '../store.js';
import { POINT_COLUMNS } from './schema.js';
import type { PointStaging } from './staging.js';

const PERIOD = 'series, start_date, end_date';
const CAPTURE = `${PERIOD}, reporting_date`;
const COLUMNS = POINT_COLUMNS.join(', ');
const SAME_CONTENT = ['value', 'unit_id', 'metadata']
  .map((column) => `${column} IS NOT DISTINCT FROM lag(${column}) OVER captures`)
  .join(' AND ');

/** Series of one selection lie together: all regions of one source's metric and item are neighbours. */
const LAYOUT = 'metric_id, item_id, source_id, frequency_id, region_id, partner_region_id';

/** Rows out of order that `point` may hold before it is sorted anew: this many, or this share of it. */
const UNSORTED_ROWS = 100_000;
const UNSORTED_SHARE = 0.05;

/**
 * Merges the staged points into the two point tables, within the transaction under way:
 *
 * - new series get the next handles in layout order; handles never change afterwards;
 * - a capture that says what was known at its available date already is dropped, one that says something else for the
 *   same reporting and available date takes the place of the held one, every other one is added;
 * - the latest capture of each touched period ends up in `point`, all others in `point_history`;
 * - what was added to `point` lies behind it in sorted runs, until a twentieth of it is out of order: then it is
 *   sorted anew.
 */
export async function mergePoints(
  connection: DuckDBConnection,
  staging: PointStaging,
  { signal, onProgress }: LongOperation,
): Promise<Omit<ImportCounts, 'entities'>> {
  await staging.finish();
  if (staging.rows === 0) return { added: 0, revised: 0, unchanged: 0, series: 0 };
  const steps = [...ASSIGN_HANDLES, ...JUDGE, ...APPLY, ...UPDATE_SERIES];
  for (const [done, statement] of steps.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ label: 'merging points', done, total: steps.length, unit: 'steps', rows: staging.rows });
    await connection.run(statement);
  }
  await sortWhenNeeded(connection);
  return countChanges(connection, staging.rows);
}

const ASSIGN_HANDLES = [
  `CREATE TEMP TABLE assigned AS
   SELECT number, staged_series.* EXCLUDE (number), series.handle AS held_handle,
     coalesce(series.handle, (SELECT coalesce(max(handle) + 1, 0) FROM series)
       + (row_number() OVER (PARTITION BY series.handle IS NULL ORDER BY ${LAYOUT.replaceAll(/(\w+)/g, 'staged_series.$1')}) - 1))::INTEGER AS handle
   FROM staged_series LEFT JOIN series USING (metric_id, item_id, region_id, partner_region_id, source_id, frequency_id)
   WHERE number IN (SELECT series FROM staged)`,
  `CREATE TEMP TABLE incoming AS
   SELECT handle AS series, staged.* EXCLUDE (series), held_handle IS NOT NULL AS held_series
   FROM staged JOIN assigned ON assigned.number = staged.series
   QUALIFY row_number() OVER (PARTITION BY handle, start_date, end_date, reporting_date, available_date
     ORDER BY staged.rowid DESC) = 1`,
];

/** `origin`: 0 the latest held, 1 history, 2 the import. `fate`: held, replaced, unchanged, added. */
const JUDGE = [
  `CREATE TEMP TABLE touched AS SELECT DISTINCT ${PERIOD} FROM incoming WHERE held_series`,
  `CREATE TEMP TABLE weighed AS
   WITH together AS (
     SELECT ${COLUMNS}, 0 AS origin FROM point SEMI JOIN touched USING (${PERIOD})
     UNION ALL SELECT ${COLUMNS}, 1 FROM point_history SEMI JOIN touched USING (${PERIOD})
     UNION ALL SELECT ${COLUMNS}, 2 FROM incoming
   ), compared AS (
     SELECT *, lag(origin) OVER captures IS NOT NULL AND ${SAME_CONTENT} AS repeats,
       lead(available_date) OVER captures = available_date AS overtaken
     FROM together WINDOW captures AS (PARTITION BY ${CAPTURE} ORDER BY available_date, origin)
   ), followed AS (
     SELECT *, overtaken AND NOT lead(repeats) OVER captures AS supplanted
     FROM compared WINDOW captures AS (PARTITION BY ${CAPTURE} ORDER BY available_date, origin)
   )
   SELECT * EXCLUDE (repeats, overtaken, supplanted),
     CASE WHEN origin = 2 AND repeats THEN 'unchanged' WHEN origin = 2 THEN 'added'
          WHEN coalesce(supplanted, false) THEN 'replaced' ELSE 'held' END AS fate
   FROM followed`,
  `CREATE TEMP TABLE ranked AS
   SELECT *, row_number() OVER (PARTITION BY ${PERIOD}
     ORDER BY reporting_date DESC NULLS LAST, available_date DESC) = 1 AS latest
   FROM weighed WHERE fate IN ('held', 'added')`,
];

const APPLY = [
  `DELETE FROM point USING (
     SELECT ${PERIOD} FROM weighed WHERE origin = 0 AND fate = 'replaced'
     UNION ALL SELECT ${PERIOD} FROM ranked WHERE origin = 0 AND NOT latest) AS gone
   WHERE point.series = gone.series AND point.start_date = gone.start_date AND point.end_date = gone.end_date`,
  `DELETE FROM point_history USING (FROM weighed WHERE origin = 1 AND fate = 'replaced') AS gone
   WHERE point_history.series = gone.series AND point_history.start_date = gone.start_date
     AND point_history.end_date = gone.end_date AND point_history.available_date = gone.available_date
     AND point_history.reporting_date IS NOT DISTINCT FROM gone.reporting_date`,
  `INSERT INTO point_history SELECT ${COLUMNS} FROM ranked WHERE NOT latest AND origin IN (0, 2)
   ORDER BY ${CAPTURE}, available_date`,
  `UPDATE meta SET unsorted_points = unsorted_points + (
     SELECT count(*) FROM ranked WHERE latest AND origin = 2
       AND series <= (SELECT coalesce(max(handle), -1) FROM series))`,
  `INSERT INTO point SELECT ${COLUMNS} FROM ranked WHERE latest AND origin = 2 ORDER BY ${PERIOD}`,
];

const UPDATE_SERIES = [
  `CREATE TEMP TABLE described AS
   SELECT series AS handle, arg_max(unit_id, (start_date, end_date)) AS unit_id, min(start_date) AS start_date,
     max(end_date) AS end_date, count(*)::INTEGER AS point_count
   FROM point WHERE series IN (SELECT series FROM ranked WHERE origin = 2) GROUP BY series`,
  `UPDATE series SET unit_id = described.unit_id, start_date = described.start_date,
     end_date = described.end_date, point_count = described.point_count
   FROM described WHERE described.handle = series.handle`,
  `INSERT INTO series BY NAME
   SELECT assigned.* EXCLUDE (number, held_handle), described.* EXCLUDE (handle)
   FROM assigned JOIN described USING (handle) WHERE held_handle IS NULL ORDER BY handle`,
  'DELETE FROM series_unit WHERE series IN (SELECT handle FROM described)',
  `INSERT INTO series_unit SELECT DISTINCT series, unit_id FROM point
   WHERE series IN (SELECT handle FROM described) ORDER BY ALL`,
];

async function sortWhenNeeded(connection: DuckDBConnection): Promise<void> {
  const sql = 'SELECT unsorted_points::DOUBLE, (SELECT count(*) FROM point)::DOUBLE FROM meta';
  const [unsorted, all] = (await connection.runAndReadAll(sql)).getRows()[0] as [number, number];
  if (unsorted <= Math.max(UNSORTED_ROWS, UNSORTED_SHARE * all)) return;
  await connection.run(`CREATE OR REPLACE TABLE point AS FROM point ORDER BY ${PERIOD}`);
  await connection.run('UPDATE meta SET unsorted_points = 0');
}

async function countChanges(
  connection: DuckDBConnection,
  stagedRows: number,
): Promise<Omit<ImportCounts, 'entities'>> {
  const sql = `SELECT count(*)::DOUBLE,
      (SELECT count(*) FROM (SELECT DISTINCT ${PERIOD} FROM incoming ANTI JOIN
        (SELECT DISTINCT ${PERIOD} FROM weighed WHERE origin < 2) AS held USING (${PERIOD})))::DOUBLE,
      count(DISTINCT series)::DOUBLE
    FROM ranked WHERE origin = 2`;
  const [added, newPeriods, series] = (await connection.runAndReadAll(sql)).getRows()[0] as number[];
  return { added: added!, revised: added! - newPeriods!, unchanged: stagedRows - added!, series: series! };
}
