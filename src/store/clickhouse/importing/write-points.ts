import type { LongOperation } from '../../../model/progress.js';
import {
  DATED_COLUMNS,
  dateFromMs,
  END_MS,
  LATEST_TABLE,
  STAGED,
  STAGING,
  START_MS,
  SUMMARIZE,
  SUMMARY_COLUMNS,
  summarizeByUnit,
} from '../../duckdb/point-tables.js';
import { COUNT_BY_HANDLE } from '../../duckdb/writing/merge.js';
import { inRange, planRanges, readNumbers, runAll, type SeriesRange } from '../../duckdb/writing/ranges.js';
import type { SettledImport } from '../../duckdb/writing/settle.js';
import { LAYOUT } from '../../schema/tables.js';
import type { ReadOptions } from '../../store.js';
import { type Cluster, runConcurrently } from '../engine/cluster.js';
import { importedCondition, type Snapshot } from '../engine/snapshot.js';
import { byUnitSql, NO_REPORTING_DATE, vintagesSql } from '../reading/points.js';
import { download, upload } from './transfer.js';

interface Writing extends Pick<SettledImport, 'connection' | 'isCopy' | 'importedMs'> {
  readonly cluster: Cluster;
  readonly import: number;
  readonly before: Snapshot;
}

interface WrittenPoints {
  /** The number of added vintages on each shard. */
  readonly rows: readonly number[];
  /** The number of periods that had no vintage before this import. */
  readonly newPeriods: number;
  readonly hasCompared: boolean;
}

/**
 * Writes the staged points, one range of series at a time. Periods after all stored periods of their series are new,
 * and are added directly. Other points go to a staging table on their shard, which compares them with stored vintages.
 */
export async function writePoints(
  writing: Writing,
  { nextHandle, total }: { nextHandle: number; total: number },
  { signal, onProgress }: LongOperation,
): Promise<WrittenPoints> {
  const { connection, cluster } = writing;
  const { shards } = cluster;
  await connection.run(assignHandles(nextHandle));
  const rows = shards.map(() => 0);
  let [newPeriods, done, hasCompared] = [0, 0, false];
  for (const range of await planRanges(connection, COUNT_BY_HANDLE)) {
    signal?.throwIfAborted();
    onProgress?.({ label: 'merging points', done, total, unit: 'rows' });
    const sent = await upload(connection, shards, { sql: stagedRows(range, writing), signal });
    await runConcurrently(
      shards.entries(),
      async ([i, shard], options) => {
        rows[i]! += sent('point', i);
        newPeriods += sent('point', i);
        if (sent('staged_point', i) === 0) return;
        hasCompared = true;
        await shard.run(addCompared(range, writing), options);
        const [counted] = await shard.rows(countCompared(range, writing), options);
        rows[i]! += Number(counted!.added);
        newPeriods += Number(counted!.periods);
      },
      { signal },
    );
    done += range.rows;
  }
  onProgress?.({ label: 'merging points', done, total, unit: 'rows' });
  return { rows, newPeriods, hasCompared };
}

const NEVER_MS = '-9000000000000000000';

/**
 * Assigns a handle (a series' number in the store) to every staged series with points: its stored handle, or the next
 * free one. Points that start after `known_until` belong to new periods, each with one vintage.
 */
const assignHandles = (next: number): string => `
  CREATE TEMP TABLE series_handle AS
  SELECT number,
    coalesce(stored.handle, ${next - 1} + row_number() OVER (PARTITION BY stored.handle IS NULL ORDER BY number))::INTEGER AS handle,
    CASE WHEN number IN (SELECT series FROM ${STAGING}.repeated_period) THEN NULL
      ELSE coalesce(epoch_ms(stored.end_date), ${NEVER_MS}) END AS known_until
  FROM ${STAGING}.staged_series LEFT JOIN stored_series AS stored USING (${LAYOUT.join(', ')})
  WHERE number IN (SELECT series FROM ${STAGING}.staged_summary)`;

/** The SQL condition for staged rows, joined with their handles, that are the only vintage of a new period. */
const IS_FRESH = `coalesce(${START_MS} > known_until, false)`;

const stagedRows = (range: SeriesRange, { cluster, import: number }: Writing): string => `
  SELECT handle AS series, ${START_MS} AS start_date, ${END_MS} AS end_date, coalesce(value, 'nan'::DOUBLE) AS value,
    unit_id, coalesce(epoch_ms(reporting_date), ${NO_REPORTING_DATE}) AS reporting_date,
    epoch_ms(available_date) AS available_date, coalesce(metadata, '') AS metadata, ${number} AS import,
    handle % ${cluster.shards.length} AS shard,
    CASE WHEN ${IS_FRESH} THEN 'point' ELSE 'staged_point' END AS destination
  FROM ${STAGED} AS staged JOIN series_handle ON number = series WHERE ${inRange('handle', range)}`;

const PERIOD = 'series, start_date, end_date';

const stagedPointsSql = (range: SeriesRange, { import: number }: Writing, columns: string) =>
  `SELECT ${columns} FROM staged_point WHERE import = ${number} AND ${inRange('series', range)}`;

/** Returns the SQL query for the stored vintages that have the same series and start as a staged point. */
const storedPointsSql = (range: SeriesRange, writing: Writing, columns: string) =>
  `SELECT ${columns} FROM point WHERE ${inRange('series', range)} AND ${importedCondition(writing.before)}
    AND (series, start_date) IN (${stagedPointsSql(range, writing, 'series, start_date')})`;

/** Returns the SQL condition that a row's value, unit and metadata equal those at `at` in a tuple. NaN equals NaN. */
const sameContent = (tuple: string, at: number) =>
  `((value = ${tuple}.${at} OR isNaN(value) AND isNaN(${tuple}.${at}))
    AND unit_id = ${tuple}.${at + 1} AND metadata = ${tuple}.${at + 2})`;

/**
 * Adds the new vintages of a range of series, as `resolveVintages` in `duckdb/writing/merge.ts` does. `origin` is 1 for
 * stored and 2 for staged rows. A staged vintage without a reporting date is not a correction if it equals the stored
 * vintage with the same dates.
 */
function addCompared(range: SeriesRange, writing: Writing): string {
  const { import: number, isCopy, importedMs } = writing;
  const isSame = `(before.1 = 1 AND ${sameContent('before', 3)})`;
  const isCorrection = '(before.1 > 0 AND before.2 = available_date)';
  const differs = `NOT ${sameContent('newest', 2)}`;
  const isUndated = `reporting_date = ${NO_REPORTING_DATE}`;
  return `INSERT INTO point (${DATED_COLUMNS}, import)
    SELECT series, start_date, end_date, value, unit_id, reporting_date,
      if(${isCorrection}, greatest(${importedMs}, newest.1 + 1), available_date), metadata, ${number}
    FROM (
      SELECT *, lagInFrame((origin, available_date, value, unit_id, metadata)) OVER vintages AS before,
        maxIf(available_date, origin = 2) OVER report AS newest_staged,
        argMaxIf((available_date, value, unit_id, metadata), available_date, origin = 1) OVER report AS newest
      FROM (${storedPointsSql(range, writing, `${DATED_COLUMNS}, 1 AS origin`)} UNION ALL ${stagedPointsSql(range, writing, `${DATED_COLUMNS}, 2 AS origin`)})
      WINDOW report AS (PARTITION BY ${PERIOD}, reporting_date),
        vintages AS (PARTITION BY ${PERIOD}, reporting_date ORDER BY available_date, origin
          ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
    WHERE origin = 2 AND if(${isCorrection},
      newest_staged = available_date AND ${differs} AND NOT (${isSame} AND ${isUndated}),
      ${isCopy} OR NOT (${isSame} AND available_date = ${importedMs}))`;
}

const countCompared = (range: SeriesRange, writing: Writing): string => `
  SELECT count() AS added, uniqExactIf((${PERIOD}), (${PERIOD}) NOT IN (${storedPointsSql(range, writing, PERIOD)})) AS periods
  FROM point WHERE ${inRange('series', range)} AND import = ${writing.import}
    AND (series, start_date) IN (${stagedPointsSql(range, writing, 'series, start_date')})`;

/** Returns the SQL query for a shard's series to which the comparison with stored points has added vintages. */
const comparedSeries = (number: number): string => `SELECT DISTINCT series FROM point
  WHERE import = ${number} AND (series, start_date) IN (
    SELECT series, start_date FROM staged_point WHERE import = ${number})`;

/**
 * Writes a `series` row for each series with added vintages. If a series got only later periods, its stored row is
 * combined with a summary of the new points. Otherwise, shards summarize all points of the series, because a revision
 * may replace its only point in a unit.
 */
export async function writeSeries(
  { connection, cluster, import: number }: Writing,
  { hasCompared }: WrittenPoints,
  { after, signal }: ReadOptions & { readonly after: Snapshot },
): Promise<number> {
  await runAll(connection, CREATE_SUMMARIES);
  if (hasCompared) {
    const where = `series IN (${comparedSeries(number)})`;
    const answers = cluster.shards.flatMap((shard) => [
      { shard, table: 'found_by_unit', sql: byUnitSql(after, where) },
      { shard, table: 'found_vintages', sql: vintagesSql(after, where) },
    ]);
    await download(connection, answers, { signal });
  }
  await runAll(connection, SUMMARIZE_CHANGED(hasCompared));
  const [series] = await readNumbers(connection, 'SELECT count(DISTINCT series)::DOUBLE FROM by_unit');
  if (series === 0) return 0;
  const sql = `SELECT *, ${number} AS import, 0 AS shard, 'series' AS destination FROM (${CHANGED_SERIES})`;
  await upload(connection, cluster.shards, { sql, signal });
  return series!;
}

const CREATE_SUMMARIES = [
  `CREATE TEMP TABLE found_by_unit AS ${summarizeByUnit(LATEST_TABLE)} LIMIT 0`,
  'CREATE TEMP TABLE found_vintages (series INTEGER, vintages INTEGER)',
];

/** Converts stored series to the columns of `by_unit`. A null, which means that points differ, becomes a range. */
const STORED_BY_UNIT = `
  SELECT handle AS series, unit, epoch_ms(start_date) AS first_start,
    epoch_ms(start_date) - CASE WHEN unit = unit_id THEN 0 ELSE 1 END AS last_start, epoch_ms(end_date) AS last_end,
    CASE WHEN unit = unit_id THEN point_count ELSE 0 END AS points,
    coalesce(period_days, 0) AS min_days, coalesce(period_days, 1) AS max_days, has_times::INTEGER AS max_time,
    has_reporting_dates::INTEGER AS reported, has_metadata::INTEGER AS remarked,
    coalesce(available_date, ${dateFromMs('0')}) AS first_available,
    coalesce(available_date, ${dateFromMs('1')}) AS last_available
  FROM (SELECT *, unnest(units) AS unit FROM stored_series WHERE handle IN (SELECT series FROM fresh_by_unit))`;

const SUMMARIZE_CHANGED = (hasCompared: boolean): string[] => [
  `CREATE TEMP TABLE fresh_by_unit AS
   SELECT handle AS series, summary.* EXCLUDE (series)
   FROM ${hasCompared ? `(${summarizeByUnit(`(SELECT staged.* FROM ${STAGED} AS staged JOIN series_handle ON number = series WHERE ${IS_FRESH})`)})` : `${STAGING}.staged_summary`} AS summary
   JOIN series_handle ON number = series WHERE handle NOT IN (SELECT series FROM found_by_unit)`,
  `CREATE TEMP TABLE by_unit AS
   FROM found_by_unit UNION ALL
   SELECT series, unit_id, min(first_start), max(last_start), max(last_end), sum(points), min(min_days), max(max_days),
     max(max_time), sum(reported), sum(remarked), min(first_available), max(last_available)
   FROM (
     SELECT series, unit_id, first_start, last_start, last_end, points, min_days, max_days, max_time, reported, remarked,
       first_available, last_available FROM fresh_by_unit
     UNION ALL ${STORED_BY_UNIT}) GROUP BY series, unit_id`,
];

/** The SQL query for the new rows of changed series. `replaces` is the import number of the row that is replaced. */
const CHANGED_SERIES = `
  SELECT ${LAYOUT.map((name) => `staged.${name}`).join(', ')}, ${['handle', ...SUMMARY_COLUMNS].map((name) => `summary.${name}`).join(', ')},
    coalesce(found_vintages.vintages, coalesce(stored.vintages, 0) + fresh.points)::INTEGER AS vintages, units.units,
    stored.import AS replaces
  FROM (${SUMMARIZE}) AS summary JOIN series_handle USING (handle) JOIN ${STAGING}.staged_series AS staged USING (number)
  JOIN (SELECT series AS handle, list(unit_id ORDER BY unit_id) AS units FROM by_unit GROUP BY series) AS units USING (handle)
  LEFT JOIN (SELECT series AS handle, vintages FROM found_vintages) AS found_vintages USING (handle)
  LEFT JOIN (SELECT series AS handle, sum(points) AS points FROM fresh_by_unit GROUP BY series) AS fresh USING (handle)
  LEFT JOIN stored_series AS stored USING (handle)`;
