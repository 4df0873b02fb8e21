import { END_MS, PACKED_PERIOD, STAGED, STAGING, START_MS } from '../point-tables.js';
import { inRange, type SeriesRange } from './ranges.js';

/** Points of one import with equal dates are the same vintage. */
const VINTAGE = `${PACKED_PERIOD}, reporting_date, available_date`;

/** `series_rows` has the number of staged rows of each series of the import, and of those without a value. */
export const COUNT_SERIES_ROWS = `
  CREATE OR REPLACE TABLE ${STAGING}.series_rows AS
  SELECT series AS number, count(*) AS rows, count(*) - count(value) AS nulls FROM ${STAGED} GROUP BY series`;

/**
 * `unordered_series` has the series with several rows of one start: they are neighbours. `repeated_period` has the periods
 * with several rows, by the import's own numbers of series.
 */
export const CREATE_SETTLING = [
  `CREATE TABLE ${STAGING}.unordered_series AS
   SELECT DISTINCT series FROM (
     SELECT series, series = lag(series) OVER () AND start_day = lag(start_day) OVER () AS repeats FROM ${STAGED})
   WHERE repeats`,
  `CREATE TABLE ${STAGING}.repeated_period AS SELECT ${PACKED_PERIOD} FROM ${STAGED} LIMIT 0`,
  `CREATE TABLE ${STAGING}.conflict AS
   SELECT ${PACKED_PERIOD}, value, unit_id, file, line,
     {'value': value, 'unit_id': unit_id, 'file': file, 'line': line} AS other
   FROM ${STAGED} LIMIT 0`,
];

const IS_UNORDERED = `series IN (FROM ${STAGING}.unordered_series)`;

/** Staged rows of each series that may repeat a period, in ascending order of their numbers. */
export const UNORDERED_ROWS = `
  SELECT number::DOUBLE, rows::DOUBLE FROM ${STAGING}.series_rows
  WHERE number IN (FROM ${STAGING}.unordered_series) ORDER BY number`;

/** Lists the range's repeated periods, and returns their number. */
export const findRepeatedPeriods = (range: SeriesRange): string => `
  INSERT INTO ${STAGING}.repeated_period SELECT ${PACKED_PERIOD} FROM ${STAGED}
  WHERE ${inRange('series', range)} AND ${IS_UNORDERED} GROUP BY ${PACKED_PERIOD} HAVING count(*) > 1`;

/**
 * The table `dropped` lists the rows of a range that another row repeats or contradicts. Of equal rows the last is kept;
 * remarks do not make rows different.
 */
export const findDropped = (range: SeriesRange): string => `
  CREATE OR REPLACE TABLE ${STAGING}.dropped AS
  WITH repeated AS (
    SELECT rowid AS staged_row, ${VINTAGE}, value, unit_id,
      {'file': coalesce(file, -1), 'line': coalesce(line, -1), 'arrival': arrival} AS place
    FROM ${STAGED} SEMI JOIN ${STAGING}.repeated_period USING (${PACKED_PERIOD})
    WHERE ${inRange('series', range)}),
  compared AS (
    SELECT staged_row, count(*) OVER same AS rows, max(place) OVER same = place AS is_last,
      min(value) OVER same IS DISTINCT FROM max(value) OVER same
        OR count(value) OVER same NOT IN (0, count(*) OVER same)
        OR min(unit_id) OVER same <> max(unit_id) OVER same AS is_conflict
    FROM repeated WINDOW same AS (PARTITION BY ${VINTAGE}))
  SELECT staged_row, is_conflict FROM compared WHERE rows > 1 AND (is_conflict OR NOT is_last)`;

/** Dropped rows: repeated ones, and conflicting ones. */
export const COUNT_DROPPED = `
  SELECT count(*) FILTER (NOT is_conflict)::DOUBLE, count(*) FILTER (is_conflict)::DOUBLE FROM ${STAGING}.dropped`;

/** Copies conflicting rows to the table `conflict`, each with a figure of its vintage that differs from its own. */
export const COPY_CONFLICTS = `
  INSERT INTO ${STAGING}.conflict
  WITH contradictory AS (
    SELECT rowid AS staged_row, * FROM ${STAGED}
    WHERE rowid IN (SELECT staged_row FROM ${STAGING}.dropped WHERE is_conflict)),
  figures AS (
    SELECT *, {'value': value, 'unit_id': unit_id, 'file': file, 'line': line} AS figure FROM contradictory),
  extremes AS (
    SELECT *, first_value(figure) OVER ordered AS lowest, last_value(figure) OVER ordered AS highest FROM figures
    WINDOW ordered AS (PARTITION BY ${VINTAGE} ORDER BY value NULLS FIRST, unit_id, file, line, arrival
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))
  SELECT ${PACKED_PERIOD}, value, unit_id, file, line,
    CASE WHEN value IS NOT DISTINCT FROM lowest.value AND unit_id = lowest.unit_id THEN highest ELSE lowest END
  FROM extremes`;

/** Deletes the dropped rows, and the range's periods that are no longer repeated; other rows are not grouped again. */
export const deleteDropped = (range: SeriesRange): string[] => [
  `DELETE FROM ${STAGED} WHERE rowid IN (SELECT staged_row FROM ${STAGING}.dropped)`,
  `DELETE FROM ${STAGING}.repeated_period WHERE ${inRange('series', range)} AND (${PACKED_PERIOD}) NOT IN (
     SELECT (${PACKED_PERIOD}) FROM ${STAGED} SEMI JOIN ${STAGING}.repeated_period USING (${PACKED_PERIOD})
     WHERE ${inRange('series', range)} GROUP BY ${PACKED_PERIOD} HAVING count(*) > 1)`,
];

/** The first staged row whose period ends before it starts: the ids of its series, and its dates. */
export const INVALID_PERIOD = `
  SELECT series::DOUBLE, ${START_MS}::DOUBLE, ${END_MS}::DOUBLE FROM ${STAGED}
  WHERE days < 0 OR (days = 0 AND end_ms < start_ms) LIMIT 1`;

/** Staged rows with a value, and without one. */
export const COUNT_VALUES = `
  SELECT coalesce(sum(rows - nulls), 0)::DOUBLE, coalesce(sum(nulls), 0)::DOUBLE FROM ${STAGING}.series_rows`;

const named = (table: string, id: string) => `coalesce(${table}.name, ${id}::VARCHAR)`;

/** All conflicting rows by file and line, with names. */
export const READ_CONFLICTS = `
  SELECT ${named('metric', 'metric_id')}, ${named('item', 'item_id')}, ${named('region', 'region_id')},
    ${START_MS}::DOUBLE, ${END_MS}::DOUBLE,
    conflict.value, coalesce(unit.abbreviation, conflict.unit_id::VARCHAR), conflict.file, conflict.line,
    conflict.other.value, coalesce(other_unit.abbreviation, conflict.other.unit_id::VARCHAR),
    conflict.other.file, conflict.other.line
  FROM ${STAGING}.conflict JOIN ${STAGING}.staged_series ON number = series
  LEFT JOIN metric ON metric.id = metric_id LEFT JOIN item ON item.id = item_id
  LEFT JOIN region ON region.id = region_id LEFT JOIN unit ON unit.id = conflict.unit_id
  LEFT JOIN unit AS other_unit ON other_unit.id = conflict.other.unit_id
  ORDER BY conflict.file, conflict.line, conflict.series, start_day`;
