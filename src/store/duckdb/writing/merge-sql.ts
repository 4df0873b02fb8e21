import { POINT_COLUMNS } from '../schema.js';

/** Handles from `first` to `last`, both included. */
export interface HandleRange {
  readonly first: number;
  readonly last: number;
}

const PERIOD = 'series, start_date, end_date';
const VINTAGE = `${PERIOD}, reporting_date`;
const COLUMNS = POINT_COLUMNS.join(', ');

/** Series of one selection lie together: all regions of one source's metric and item are neighbours. */
const LAYOUT = ['metric_id', 'item_id', 'source_id', 'frequency_id', 'region_id', 'partner_region_id'];

const inRange = ({ first, last }: HandleRange, table: string) =>
  `${table}.series BETWEEN ${first} AND ${last}`;

const samePeriod = (a: string, b: string) =>
  ['series', 'start_date', 'end_date'].map((column) => `${a}.${column} = ${b}.${column}`).join(' AND ');

const sameContent = (a: (column: string) => string, b: (column: string) => string) =>
  ['value', 'unit_id', 'metadata']
    .map((column) => `${a(column)} IS NOT DISTINCT FROM ${b(column)}`)
    .join(' AND ');

/** Gives every staged series that has points its handle: the held one, or the next ones in layout order. */
export const ASSIGN_HANDLES = `
  CREATE TEMP TABLE assigned AS
  WITH staged_keys AS (SELECT * FROM staged_series WHERE number IN (SELECT DISTINCT series FROM staged)),
  fresh AS (
    SELECT number, ((SELECT coalesce(max(handle), -1) FROM series)
      + row_number() OVER (ORDER BY ${LAYOUT.join(', ')}))::INTEGER AS handle
    FROM staged_keys ANTI JOIN series USING (${LAYOUT.join(', ')}))
  SELECT number, handle, false AS held FROM fresh
  UNION ALL
  SELECT number, handle, true FROM staged_keys JOIN series USING (${LAYOUT.join(', ')})`;

/** Staged rows of each handle, ascending: what the import is cut into slices by. */
export const COUNT_BY_HANDLE = `
  SELECT handle, count(*)::DOUBLE FROM staged JOIN assigned ON assigned.number = staged.series
  GROUP BY handle ORDER BY handle`;

/**
 * A slice of the import with handles in the place of the import's own numbers. It is a query, not a table: replaced
 * temporary tables keep their memory until the transaction ends.
 */
const slice = ({ first, last }: HandleRange): string => `(
  SELECT assigned.handle AS series, start_date, end_date, CASE WHEN isnan(value) THEN NULL ELSE value END AS value,
    unit_id, reporting_date, available_date, metadata, staged.rowid AS put
  FROM staged JOIN assigned ON assigned.number = staged.series
  WHERE assigned.handle BETWEEN ${first} AND ${last})`;

/**
 * What can be told of a vintage by itself: `unchanged` repeats the latest one of its period, and `contested` must be
 * weighed against others. The rest, each the only one of a period that is not held, is left out of the table.
 */
export const sortOut = (range: HandleRange): string => `
  CREATE OR REPLACE TEMP TABLE sorted_out AS
  WITH slice AS ${slice(range)},
  repeated AS (SELECT ${PERIOD} FROM slice GROUP BY ${PERIOD} HAVING count(*) > 1),
  held AS (SELECT ${COLUMNS} FROM point WHERE ${inRange(range, 'point')})
  SELECT put, CASE
      WHEN repeated.series IS NOT NULL THEN 'contested'
      WHEN held.reporting_date IS NOT DISTINCT FROM slice.reporting_date
        AND held.available_date <= slice.available_date
        AND ${sameContent(
          (column) => `held.${column}`,
          (column) => `slice.${column}`,
        )} THEN 'unchanged'
      ELSE 'contested' END AS state
  FROM slice
  LEFT JOIN repeated ON ${samePeriod('repeated', 'slice')}
  LEFT JOIN held ON ${samePeriod('held', 'slice')}
  WHERE repeated.series IS NOT NULL OR held.series IS NOT NULL`;

export const COUNT_SORTED_OUT = `
  SELECT count(*)::DOUBLE, count(*) FILTER (state = 'contested')::DOUBLE FROM sorted_out`;

/**
 * Weighs contested vintages together with all held ones of their periods, by `compute/revisions.ts`.
 * `origin`: 0 the latest held, 1 history, 2 the import. `fate`: held, replaced, unchanged, added.
 */
export const weigh = (range: HandleRange): string[] => [
  `CREATE OR REPLACE TEMP TABLE weighed AS
   WITH incoming AS (
     SELECT * FROM ${slice(range)} AS slice WHERE put IN (SELECT put FROM sorted_out WHERE state = 'contested')
     QUALIFY row_number() OVER (PARTITION BY ${VINTAGE}, available_date ORDER BY put DESC) = 1
   ), periods AS (SELECT DISTINCT ${PERIOD} FROM incoming),
   together AS (
     SELECT ${COLUMNS}, 0 AS origin FROM point SEMI JOIN periods USING (${PERIOD}) WHERE ${inRange(range, 'point')}
     UNION ALL
     SELECT ${COLUMNS}, 1 FROM point_history SEMI JOIN periods USING (${PERIOD})
     WHERE ${inRange(range, 'point_history')}
     UNION ALL SELECT ${COLUMNS}, 2 FROM incoming
   ), compared AS (
     SELECT *, lag(origin) OVER vintages IS NOT NULL AND ${sameContent(
       (column) => column,
       (column) => `lag(${column}) OVER vintages`,
     )} AS repeats, lead(available_date) OVER vintages = available_date AS overtaken
     FROM together WINDOW vintages AS (PARTITION BY ${VINTAGE} ORDER BY available_date, origin)
   ), followed AS (
     SELECT *, coalesce(overtaken AND NOT lead(repeats) OVER vintages, false) AS supplanted
     FROM compared WINDOW vintages AS (PARTITION BY ${VINTAGE} ORDER BY available_date, origin)
   )
   SELECT ${COLUMNS}, origin, CASE WHEN origin = 2 AND repeats THEN 'unchanged' WHEN origin = 2 THEN 'added'
     WHEN supplanted THEN 'replaced' ELSE 'held' END AS fate
   FROM followed`,
  `CREATE OR REPLACE TEMP TABLE ranked AS
   SELECT *, row_number() OVER (PARTITION BY ${PERIOD}
     ORDER BY reporting_date DESC NULLS LAST, available_date DESC) = 1 AS latest
   FROM weighed WHERE fate IN ('held', 'added')`,
];

/** Added vintages, and periods among them that nothing was held of. */
export const COUNT_WEIGHED = `
  SELECT count(*) FILTER (fate = 'added')::DOUBLE,
    (SELECT count(*) FROM (SELECT 1 FROM weighed GROUP BY ${PERIOD} HAVING min(origin) = 2))::DOUBLE
  FROM weighed`;

/** Takes out what was replaced or is no longer the latest, and moves the latter into history. */
export const supersede = (range: HandleRange): string[] => [
  `DELETE FROM point USING (
     SELECT ${PERIOD} FROM weighed WHERE origin = 0 AND fate = 'replaced'
     UNION ALL SELECT ${PERIOD} FROM ranked WHERE origin = 0 AND NOT latest) AS gone
   WHERE ${samePeriod('point', 'gone')} AND ${inRange(range, 'point')}`,
  `DELETE FROM point_history USING (SELECT * FROM weighed WHERE origin = 1 AND fate = 'replaced') AS gone
   WHERE ${samePeriod('point_history', 'gone')} AND point_history.available_date = gone.available_date
     AND point_history.reporting_date IS NOT DISTINCT FROM gone.reporting_date
     AND ${inRange(range, 'point_history')}`,
  `INSERT INTO point_history SELECT ${COLUMNS} FROM ranked WHERE NOT latest AND origin IN (0, 2)
   ORDER BY ${VINTAGE}, available_date`,
];

/** The series that got vintages as the table `touched`, and their new latest points in layout order. */
export const addLatest = (range: HandleRange, { contested }: { contested: boolean }): string[] => {
  const fresh = `FROM ${slice(range)} AS slice ANTI JOIN sorted_out USING (put)`;
  const weighed = (columns: string, where: string) =>
    contested ? `UNION ALL SELECT ${columns} FROM ranked WHERE origin = 2 AND ${where}` : '';
  return [
    `CREATE OR REPLACE TEMP TABLE touched AS
     SELECT DISTINCT series FROM (SELECT series ${fresh} ${weighed('series', 'true')})`,
    `INSERT INTO point SELECT * FROM (SELECT ${COLUMNS} ${fresh} ${weighed(COLUMNS, 'latest')}) ORDER BY ${PERIOD}`,
  ];
};

/** Describes the touched series anew from their points; the unit of the latest start is the series' own. */
export const describeSeries = (range: HandleRange): string[] => [
  `CREATE OR REPLACE TEMP TABLE by_unit AS
   SELECT series, unit_id, min(start_date) AS first_start, max(start_date) AS last_start, max(end_date) AS last_end,
     count(*) AS points
   FROM point WHERE ${inRange(range, 'point')} AND series IN (FROM touched) GROUP BY series, unit_id`,
  `CREATE OR REPLACE TEMP TABLE described AS
   SELECT series AS handle, first(unit_id ORDER BY last_start DESC, last_end DESC, unit_id) AS unit_id,
     min(first_start) AS start_date, max(last_end) AS end_date, sum(points)::INTEGER AS point_count
   FROM by_unit GROUP BY series`,
  `UPDATE series SET unit_id = described.unit_id, start_date = described.start_date,
     end_date = described.end_date, point_count = described.point_count
   FROM described WHERE described.handle = series.handle`,
  `INSERT INTO series BY NAME
   SELECT staged_series.* EXCLUDE (number), described.*
   FROM described JOIN assigned USING (handle) JOIN staged_series USING (number) WHERE NOT held ORDER BY handle`,
  'DELETE FROM series_unit WHERE series IN (FROM touched)',
  'INSERT INTO series_unit SELECT series, unit_id FROM by_unit ORDER BY ALL',
];

/** Both tables in the order of `PointColumns`. */
export const SORT_ANEW = [
  `CREATE OR REPLACE TABLE point AS FROM point ORDER BY ${PERIOD}`,
  `CREATE OR REPLACE TABLE point_history AS FROM point_history ORDER BY ${VINTAGE}, available_date`,
];
