import {
  dateFromMs,
  LATEST_TABLE,
  STAGED,
  STAGING,
  SUMMARIZE,
  summarizeByUnit,
} from '../../duckdb/point-tables.js';
import { readNumbers, runAll } from '../../duckdb/writing/ranges.js';
import { columnsOf } from '../../schema/clickhouse.js';
import { LAYOUT } from '../../schema/tables.js';
import type { ReadOptions } from '../../store.js';
import type { Snapshot } from '../engine/snapshot.js';
import { byUnitSql, vintagesSql } from '../reading/point-sql.js';
import { download, upload } from './transfer.js';
import { comparedSeries, IS_FRESH, type Writing, type WrittenPoints } from './write-points.js';

/**
 * Writes a `series` row for each series with added vintages. If only periods after its end were added, its stored row
 * is combined with a summary of them. Otherwise, shards summarize all of its points, because a revision may replace the
 * last point in a unit.
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

/** Converts stored series to the columns of `by_unit`. A null, for points that differ, becomes a range. */
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

const SUMMARIZED = columnsOf('series').filter(
  (name) => name !== 'vintages' && name !== 'units' && !(LAYOUT as readonly string[]).includes(name),
);

/** SQL for the rows of changed series. `replaces` is the import number of the row that is replaced. */
const CHANGED_SERIES = `
  SELECT ${LAYOUT.map((name) => `staged.${name}`).join(', ')}, ${SUMMARIZED.map((name) => `summary.${name}`).join(', ')},
    coalesce(found_vintages.vintages, coalesce(stored.vintages, 0) + fresh.points)::INTEGER AS vintages, units.units,
    stored.import AS replaces
  FROM (${SUMMARIZE}) AS summary JOIN series_handle USING (handle) JOIN ${STAGING}.staged_series AS staged USING (number)
  JOIN (SELECT series AS handle, list(unit_id ORDER BY unit_id) AS units FROM by_unit GROUP BY series) AS units USING (handle)
  LEFT JOIN (SELECT series AS handle, vintages FROM found_vintages) AS found_vintages USING (handle)
  LEFT JOIN (SELECT series AS handle, sum(points) AS points FROM fresh_by_unit GROUP BY series) AS fresh USING (handle)
  LEFT JOIN stored_series AS stored USING (handle)`;
