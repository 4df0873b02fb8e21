import { POINT_COLUMNS } from '../schema.js';
import { inRange, type SeriesRange } from './ranges.js';
import { STAGED_VALUE } from './settle-sql.js';

const PERIOD = 'series, start_date, end_date';
const VINTAGE = `${PERIOD}, reporting_date`;
const COLUMNS = POINT_COLUMNS.join(', ');

/** Handles follow this order, so that a selection's series are neighbours: all regions of one source's metric and item. */
const LAYOUT = ['metric_id', 'item_id', 'source_id', 'frequency_id', 'region_id', 'partner_region_id'];

const samePeriod = (a: string, b: string) =>
  ['series', 'start_date', 'end_date'].map((column) => `${a}.${column} = ${b}.${column}`).join(' AND ');

const sameContent = (a: (column: string) => string, b: (column: string) => string) =>
  ['value', 'unit_id', 'metadata']
    .map((column) => `${a(column)} IS NOT DISTINCT FROM ${b(column)}`)
    .join(' AND ');

/** Assigns a handle to every staged series with points: its stored handle, or the next free one in layout order. */
export const ASSIGN_HANDLES = `
  CREATE TEMP TABLE series_handle AS
  WITH staged_keys AS (SELECT * FROM staged_series WHERE number IN (SELECT number FROM series_rows)),
  new_series AS (
    SELECT number, ((SELECT coalesce(max(handle), -1) FROM series)
      + row_number() OVER (ORDER BY ${LAYOUT.join(', ')}))::INTEGER AS handle
    FROM staged_keys ANTI JOIN series USING (${LAYOUT.join(', ')}))
  SELECT number, handle, false AS is_stored FROM new_series
  UNION ALL
  SELECT number, handle, true FROM staged_keys JOIN series USING (${LAYOUT.join(', ')})`;

/** Staged rows of each handle, in ascending order of handles. */
export const COUNT_BY_HANDLE = `
  SELECT handle, rows::DOUBLE FROM series_rows JOIN series_handle USING (number) ORDER BY handle`;

/**
 * The staged rows of a range, with handles in place of the import's own series numbers. This is a query and not a table,
 * because a replaced temporary table keeps its memory until the transaction ends.
 */
const stagedRows = (range: SeriesRange): string => `(
  SELECT series_handle.handle AS series, start_date, end_date, ${STAGED_VALUE} AS value,
    unit_id, reporting_date, available_date, metadata, staged.rowid AS staged_row
  FROM staged JOIN series_handle ON series_handle.number = staged.series
  WHERE ${inRange('series_handle.handle', range)})`;

/**
 * Classifies the staged rows by what a single row shows: `unchanged` repeats the stored latest vintage of its period, and
 * `unresolved` must be compared with the period's other vintages. A row that is the only one of a new period is left out.
 */
export const classify = (range: SeriesRange): string => `
  CREATE OR REPLACE TEMP TABLE classified AS
  WITH incoming AS ${stagedRows(range)},
  repeated AS (
    SELECT handle AS series, start_date, end_date FROM repeated_period JOIN series_handle USING (number)
    WHERE ${inRange('handle', range)}),
  stored AS (SELECT ${COLUMNS} FROM point WHERE ${inRange('point.series', range)})
  SELECT staged_row, CASE
      WHEN repeated.series IS NOT NULL THEN 'unresolved'
      WHEN stored.reporting_date IS NOT DISTINCT FROM incoming.reporting_date
        AND stored.available_date <= incoming.available_date
        AND ${sameContent(
          (column) => `stored.${column}`,
          (column) => `incoming.${column}`,
        )} THEN 'unchanged'
      ELSE 'unresolved' END AS status
  FROM incoming
  LEFT JOIN repeated ON ${samePeriod('repeated', 'incoming')}
  LEFT JOIN stored ON ${samePeriod('stored', 'incoming')}
  WHERE repeated.series IS NOT NULL OR stored.series IS NOT NULL`;

/** Classified rows, and the unresolved ones among them. */
export const COUNT_CLASSIFIED = `
  SELECT count(*)::DOUBLE, count(*) FILTER (status = 'unresolved')::DOUBLE FROM classified`;

/**
 * Resolves the unresolved vintages together with all stored vintages of their periods, as `compute/revisions.ts` does.
 * `origin`: 0 stored as the latest, 1 stored in history, 2 staged. `status`: kept, replaced, unchanged, added.
 */
export const resolve = (range: SeriesRange): string[] => [
  `CREATE OR REPLACE TEMP TABLE resolved AS
   WITH incoming AS (
     SELECT * FROM ${stagedRows(range)} AS staged_rows
     WHERE staged_row IN (SELECT staged_row FROM classified WHERE status = 'unresolved')
   ), periods AS (SELECT DISTINCT ${PERIOD} FROM incoming),
   combined AS (
     SELECT ${COLUMNS}, 0 AS origin FROM point SEMI JOIN periods USING (${PERIOD}) WHERE ${inRange('point.series', range)}
     UNION ALL
     SELECT ${COLUMNS}, 1 FROM point_history SEMI JOIN periods USING (${PERIOD})
     WHERE ${inRange('point_history.series', range)}
     UNION ALL SELECT ${COLUMNS}, 2 FROM incoming
   ), compared AS (
     SELECT *, lag(origin) OVER vintages IS NOT NULL AND ${sameContent(
       (column) => column,
       (column) => `lag(${column}) OVER vintages`,
     )} AS repeats_previous, lead(available_date) OVER vintages = available_date AS next_has_same_date
     FROM combined WINDOW vintages AS (PARTITION BY ${VINTAGE} ORDER BY available_date, origin)
   ), checked AS (
     SELECT *, coalesce(next_has_same_date AND NOT lead(repeats_previous) OVER vintages, false) AS is_replaced
     FROM compared WINDOW vintages AS (PARTITION BY ${VINTAGE} ORDER BY available_date, origin)
   )
   SELECT ${COLUMNS}, origin, CASE WHEN origin = 2 AND repeats_previous THEN 'unchanged' WHEN origin = 2 THEN 'added'
     WHEN is_replaced THEN 'replaced' ELSE 'kept' END AS status
   FROM checked`,
  `CREATE OR REPLACE TEMP TABLE ranked AS
   SELECT *, row_number() OVER (PARTITION BY ${PERIOD}
     ORDER BY reporting_date DESC NULLS LAST, available_date DESC) = 1 AS is_latest
   FROM resolved WHERE status IN ('kept', 'added')`,
];

/** Added vintages, and the periods among them that had no stored vintage. */
export const COUNT_RESOLVED = `
  SELECT count(*) FILTER (status = 'added')::DOUBLE,
    (SELECT count(*) FROM (SELECT 1 FROM resolved GROUP BY ${PERIOD} HAVING min(origin) = 2))::DOUBLE
  FROM resolved`;

/** Deletes the replaced vintages, and moves those that are no longer the latest into history. */
export const moveToHistory = (range: SeriesRange): string[] => [
  `DELETE FROM point USING (
     SELECT ${PERIOD} FROM resolved WHERE origin = 0 AND status = 'replaced'
     UNION ALL SELECT ${PERIOD} FROM ranked WHERE origin = 0 AND NOT is_latest) AS outdated
   WHERE ${samePeriod('point', 'outdated')} AND ${inRange('point.series', range)}`,
  `DELETE FROM point_history USING (SELECT * FROM resolved WHERE origin = 1 AND status = 'replaced') AS replaced
   WHERE ${samePeriod('point_history', 'replaced')} AND point_history.available_date = replaced.available_date
     AND point_history.reporting_date IS NOT DISTINCT FROM replaced.reporting_date
     AND ${inRange('point_history.series', range)}`,
  `INSERT INTO point_history SELECT ${COLUMNS} FROM ranked WHERE NOT is_latest AND origin IN (0, 2)
   ORDER BY ${VINTAGE}, available_date`,
];

/** Lists the series with added vintages in the table `changed_series`, and inserts their new latest points in order. */
export const insertLatest = (range: SeriesRange, { hasResolved }: { hasResolved: boolean }): string[] => {
  const newPeriods = `FROM ${stagedRows(range)} AS staged_rows ANTI JOIN classified USING (staged_row)`;
  const added = (columns: string, where: string) =>
    hasResolved ? `UNION ALL SELECT ${columns} FROM ranked WHERE origin = 2 AND ${where}` : '';
  return [
    `CREATE OR REPLACE TEMP TABLE changed_series AS
     SELECT DISTINCT series FROM (SELECT series ${newPeriods} ${added('series', 'true')})`,
    `INSERT INTO point
     SELECT * FROM (SELECT ${COLUMNS} ${newPeriods} ${added(COLUMNS, 'is_latest')}) ORDER BY ${PERIOD}`,
  ];
};

/** Recomputes the changed series' dates, counts and units from their points; a series has the unit of its latest start. */
export const updateSeries = (range: SeriesRange): string[] => [
  `CREATE OR REPLACE TEMP TABLE by_unit AS
   SELECT series, unit_id, min(start_date) AS first_start, max(start_date) AS last_start, max(end_date) AS last_end,
     count(*) AS points
   FROM point WHERE ${inRange('point.series', range)} AND series IN (FROM changed_series) GROUP BY series, unit_id`,
  `CREATE OR REPLACE TEMP TABLE series_summary AS
   SELECT series AS handle, first(unit_id ORDER BY last_start DESC, last_end DESC, unit_id) AS unit_id,
     min(first_start) AS start_date, max(last_end) AS end_date, sum(points)::INTEGER AS point_count
   FROM by_unit GROUP BY series`,
  `UPDATE series SET unit_id = series_summary.unit_id, start_date = series_summary.start_date,
     end_date = series_summary.end_date, point_count = series_summary.point_count
   FROM series_summary WHERE series_summary.handle = series.handle`,
  `INSERT INTO series BY NAME
   SELECT staged_series.* EXCLUDE (number), series_summary.*
   FROM series_summary JOIN series_handle USING (handle) JOIN staged_series USING (number)
   WHERE NOT is_stored ORDER BY handle`,
  'DELETE FROM series_unit WHERE series IN (FROM changed_series)',
  'INSERT INTO series_unit SELECT series, unit_id FROM by_unit ORDER BY ALL',
];

export const COUNT_CHANGED_SERIES = 'SELECT count(*)::DOUBLE FROM changed_series';

/** Rewrites both point tables in the order of `PointColumns`. */
export const SORT_POINTS = [
  `CREATE OR REPLACE TABLE point AS FROM point ORDER BY ${PERIOD}`,
  `CREATE OR REPLACE TABLE point_history AS FROM point_history ORDER BY ${VINTAGE}, available_date`,
];
