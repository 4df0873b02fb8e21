import type { DuckDBConnection } from '@duckdb/node-api';
import pLimit from 'p-limit';
import type { LongOperation } from '../../../model/progress.js';
import { SERIES_KEY_FIELDS } from '../../../model/series.js';
import {
  DATED_COLUMNS,
  dateFromMs,
  END_MS,
  LATEST_TABLE,
  STAGED,
  STAGING,
  START_MS,
  SUMMARIZE,
  summarizeByUnit,
} from '../../duckdb/point-tables.js';
import { assignHandles } from '../../duckdb/writing/merge.js';
import {
  inRange,
  type PlannedRange,
  planRanges,
  readNumbers,
  runAll,
  type SeriesRange,
} from '../../duckdb/writing/ranges.js';
import type { SettledImport } from '../../duckdb/writing/settle.js';
import { columnsOf } from '../../schema/clickhouse.js';
import { LAYOUT } from '../../schema/tables.js';
import type { ReadOptions } from '../../store.js';
import { type Cluster, runConcurrently } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { currentCondition, importedCondition } from '../engine/snapshot.js';
import { byUnitSql, NO_REPORTING_DATE } from '../reading/points.js';
import type { Commit } from './commit.js';
import { download, upload } from './transfer.js';

export interface Writing extends SettledImport, Pick<Commit, 'import' | 'before' | 'after'> {
  readonly cluster: Cluster;
}

/**
 * Writes the staged points, one range of series at a time, and then a row for each series with added vintages. Points
 * later than all stored periods of their series are new, and are added directly. All others go to a staging table on
 * their shard, where they are compared with stored vintages.
 * @returns counts, the first handle for new series (null if there are no points), and added vintages by shard
 */
export async function writePoints(writing: Writing, { signal, onProgress }: LongOperation) {
  const { connection, cluster, settled } = writing;
  const { first, shards } = cluster;
  const total = settled.points + settled.nulls;
  if (total === 0) return { rows: [], newFrom: null, added: 0, revised: 0, unchanged: 0, series: 0 };
  const nextHandle = 'SELECT ifNull(maxOrNull(handle) + 1, 0) AS handle FROM series';
  const [next] = await first.rows(nextHandle, { signal });
  const newFrom = Number(next!.handle);
  await loadSeries(writing, { signal });
  await connection.run(assignHandles('stored_series', String(newFrom), `, ${KNOWN_UNTIL}`));
  const comparing = new Set<Shard>();
  const ranges = await planRanges(connection, newFrom);
  let done = 0;
  const writeRange = async (range: PlannedRange, options: ReadOptions) => {
    options.signal?.throwIfAborted();
    onProgress?.({ label: 'merging points', done, total, unit: 'rows' });
    const sent = await upload(connection, shards, { sql: stagedRows(range, writing), ...options });
    const compared = new Set(sent.flatMap(({ table, shard }) => (table === 'staged_point' ? [shard] : [])));
    const compare = (shard: Shard, options: ReadOptions) => shard.run(addCompared(range, writing), options);
    await runConcurrently(compared, compare, options);
    for (const shard of compared) comparing.add(shard);
    done += range.rows;
  };
  // The engine reads the next range while the servers store this one.
  const limit = pLimit(2);
  await runConcurrently(ranges, (range, options) => limit(writeRange, range, options), { signal });
  onProgress?.({ label: 'merging points', done, total, unit: 'rows' });
  const { series, newPeriods, rows } = await writeSeries(writing, comparing, { signal });
  const added = rows.reduce((sum, ofShard) => sum + ofShard, 0);
  return { rows, newFrom, added, revised: added - newPeriods, unchanged: total - added, series };
}

/** The maximum number of ids in a condition on a field. With more, reading all rows is faster than sending ids. */
const MAX_NARROWING_IDS = 10_000;

async function loadSeries({ connection, cluster, before }: Writing, options: ReadOptions): Promise<void> {
  await connection.run(`CREATE TEMP TABLE stored_series AS
    SELECT series.*, 0 AS vintages, []::INTEGER[] AS units, 0 AS import FROM series LIMIT 0`);
  const sql = `SELECT ${columnsOf('series').join(', ')}, import FROM series
    WHERE ${currentCondition('series', before)} AND ${await stagedSelectionSql(connection)}`;
  await download(connection, [{ shard: cluster.first, table: 'stored_series', sql }], options);
}

/** Returns an SQL condition on series' ids. All staged series meet the condition; other series may meet it too. */
async function stagedSelectionSql(connection: DuckDBConnection): Promise<string> {
  const names = SERIES_KEY_FIELDS.map((field) => `'${field}'`).join(', ');
  const read = await connection.runAndReadAll(`
    SELECT concat(field, ' IN (', string_agg(id::VARCHAR, ', '), ')') FROM (
      SELECT DISTINCT unnest([${names}]) AS field, unnest([${SERIES_KEY_FIELDS.join(', ')}]) AS id
      FROM ${STAGING}.staged_series)
    GROUP BY field HAVING count(*) <= ${MAX_NARROWING_IDS}`);
  return ['true', ...read.getRows().map(([condition]) => String(condition))].join(' AND ');
}

/** SQL for a time in UTC milliseconds. Each staged point that starts later is the only vintage of a new period. */
const KNOWN_UNTIL = `CASE WHEN number IN (SELECT series FROM ${STAGING}.repeated_period) THEN 9000000000000000000
  ELSE coalesce(epoch_ms(stored.end_date), -9000000000000000000) END AS known_until`;

const stagedRows = (range: SeriesRange, { cluster, import: number }: Writing): string => `
  SELECT handle AS series, ${START_MS} AS start_date, ${END_MS} AS end_date, coalesce(value, 'nan'::DOUBLE) AS value,
    unit_id, coalesce(epoch_ms(reporting_date), ${NO_REPORTING_DATE}) AS reporting_date,
    epoch_ms(available_date) AS available_date, coalesce(metadata, '') AS metadata, ${number} AS import,
    handle % ${cluster.shards.length} AS shard, CASE WHEN ${START_MS} > known_until THEN 'point' ELSE 'staged_point' END AS destination
  FROM ${STAGED} AS staged JOIN series_handle ON number = series WHERE ${inRange('handle', range)}`;

const PERIOD = 'series, start_date, end_date';

/** Returns the SQL condition that value, unit and metadata equal a tuple's items from `at` on. NaN equals NaN. */
const sameContent = (tuple: string, at: number) =>
  `((value = ${tuple}.${at} OR isNaN(value) AND isNaN(${tuple}.${at}))
    AND unit_id = ${tuple}.${at + 1} AND metadata = ${tuple}.${at + 2})`;

/**
 * Returns the statement that adds the new vintages in a range of series, like `resolveVintages` in
 * `duckdb/writing/merge.ts`. `origin` is 2 for staged vintages, and 1 for stored vintages with the same series and
 * start. A staged vintage that repeats the stored vintage with the same dates is added only if it has a reporting date.
 */
function addCompared(range: SeriesRange, writing: Writing): string {
  const { import: number, before, isCopy, importedMs } = writing;
  const staged = `FROM staged_point WHERE import = ${number} AND ${inRange('series', range)}`;
  const stored = `FROM point WHERE ${inRange('series', range)} AND ${importedCondition(before)}
    AND (series, start_date) IN (SELECT series, start_date ${staged})`;
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
      FROM (SELECT ${DATED_COLUMNS}, 1 AS origin ${stored} UNION ALL SELECT ${DATED_COLUMNS}, 2 AS origin ${staged})
      WINDOW report AS (PARTITION BY ${PERIOD}, reporting_date),
        vintages AS (PARTITION BY ${PERIOD}, reporting_date ORDER BY available_date, origin
          ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
    WHERE origin = 2 AND if(${isCorrection},
      newest_staged = available_date AND ${differs} AND NOT (${isSame} AND ${isUndated}),
      ${isCopy} OR NOT (${isSame} AND available_date = ${importedMs}))`;
}

/**
 * Writes a `series` row for each series with added vintages. If a series got only later periods, its stored row is
 * combined with a summary of the new points. Otherwise, shards summarize all points of the series, because a revision
 * may replace the series' only point in a unit.
 */
async function writeSeries(
  { connection, cluster, import: number, after }: Writing,
  comparing: ReadonlySet<Shard>,
  options: ReadOptions,
) {
  const { shards } = cluster;
  const added = `FROM point WHERE import = ${number}`;
  const compared = `SELECT series ${added} AND (series, start_date) IN (
    SELECT series, start_date FROM staged_point WHERE import = ${number})`;
  const counted = `SELECT series, toInt32(count()) AS vintages ${added} AND series IN (${compared}) GROUP BY series`;
  await runAll(connection, [
    `CREATE TEMP TABLE by_unit AS ${summarizeByUnit(LATEST_TABLE)} LIMIT 0`,
    'CREATE TEMP TABLE added (series INTEGER, vintages INTEGER)',
  ]);
  const answers = Array.from(comparing, (shard) => [
    { shard, table: 'by_unit', sql: byUnitSql(after, `series IN (${compared})`) },
    { shard, table: 'added', sql: counted },
  ]);
  await download(connection, answers.flat(), options);
  const points = `(SELECT staged.* FROM ${STAGED} AS staged JOIN series_handle ON number = series WHERE ${START_MS} > known_until)`;
  const fresh = comparing.size > 0 ? `(${summarizeByUnit(points)})` : `${STAGING}.staged_summary`;
  const ofShards = shards.map(
    (_, i) => `coalesce(sum(added) FILTER (handle % ${shards.length} = ${i}), 0)::DOUBLE`,
  );
  const [series, newPeriods, ...rows] = (await readNumbers(
    connection,
    ...summarizeChanged(fresh),
    `SELECT count(*)::DOUBLE, coalesce(sum(new_periods), 0)::DOUBLE, ${ofShards.join(', ')} FROM changed_series`,
  )) as [number, number, ...number[]];
  const sql = `SELECT * EXCLUDE (added, new_periods), ${number} AS import, 0 AS shard, 'series' AS destination FROM changed_series`;
  await upload(connection, shards, { sql, ...options });
  return { series, newPeriods, rows };
}

/** SQL for stored series as rows of `by_unit`. A null means that points differ, so minimum and maximum are unequal. */
const STORED_BY_UNIT = `
  SELECT handle AS series, unit AS unit_id, epoch_ms(start_date) AS first_start,
    epoch_ms(start_date) - CASE WHEN unit = unit_id THEN 0 ELSE 1 END AS last_start, epoch_ms(end_date) AS last_end,
    CASE WHEN unit = unit_id THEN point_count ELSE 0 END AS points,
    coalesce(period_days, 0) AS min_days, coalesce(period_days, 1) AS max_days, has_times::INTEGER AS max_time,
    has_reporting_dates::INTEGER AS reported, has_metadata::INTEGER AS remarked,
    coalesce(available_date, ${dateFromMs('0')}) AS first_available,
    coalesce(available_date, ${dateFromMs('1')}) AS last_available
  FROM (SELECT *, unnest(units) AS unit FROM stored_series WHERE handle IN (SELECT series FROM fresh_by_unit))`;

/**
 * Returns statements that add series with only new periods to `by_unit`, and create `changed_series`. In that table,
 * `replaces` is the import number of the stored row, and `added` is the number of added vintages.
 */
const summarizeChanged = (fresh: string): string[] => [
  `CREATE TEMP TABLE fresh_by_unit AS
   SELECT * REPLACE (handle AS series) FROM ${fresh} JOIN series_handle ON number = series WHERE handle NOT IN (SELECT series FROM by_unit)`,
  `INSERT INTO by_unit
   SELECT series, unit_id, min(first_start), max(last_start), max(last_end), sum(points), min(min_days), max(max_days),
     max(max_time), sum(reported), sum(remarked), min(first_available), max(last_available)
   FROM (FROM fresh_by_unit UNION ALL BY NAME ${STORED_BY_UNIT}) GROUP BY series, unit_id`,
  'INSERT INTO added SELECT series, sum(points) FROM fresh_by_unit GROUP BY series',
  `CREATE TEMP TABLE changed_series AS
   SELECT ${LAYOUT.map((name) => `staged.${name}`).join(', ')}, summary.*,
     (coalesce(stored.vintages, 0) + added.vintages)::INTEGER AS vintages, units.units, stored.import AS replaces,
     added.vintages AS added, summary.point_count - coalesce(stored.point_count, 0) AS new_periods
   FROM (${SUMMARIZE}) AS summary JOIN series_handle USING (handle) JOIN ${STAGING}.staged_series AS staged USING (number)
   JOIN (SELECT series AS handle, list(unit_id ORDER BY unit_id) AS units FROM by_unit GROUP BY series) AS units USING (handle)
   JOIN added ON added.series = handle LEFT JOIN stored_series AS stored USING (handle)`,
];
