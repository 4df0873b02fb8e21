import { inRange, type SeriesRange } from './ranges.js';

const PERIOD = 'series, start_date, end_date';
/** Points of one import with equal dates are the same vintage. */
const VINTAGE = `${PERIOD}, reporting_date, available_date`;
/** The value of a staged row; NaN is none. */
export const STAGED_VALUE = 'CASE WHEN isnan(value) THEN NULL ELSE value END';

/** `series_rows` has the number of staged rows of each series of the import, and of those without a value. */
export const COUNT_SERIES_ROWS = `
  CREATE OR REPLACE TEMP TABLE series_rows AS
  SELECT series AS number, count(*) AS rows, count(*) - count(${STAGED_VALUE}) AS nulls
  FROM staged GROUP BY series`;

/** Staged rows of each series that may repeat a period, in ascending order of their numbers. */
export const UNORDERED_ROWS = `
  SELECT number, rows::DOUBLE, 0::DOUBLE FROM series_rows WHERE number IN (FROM unordered_series) ORDER BY number`;

/** `repeated_period` has the periods with several staged rows, by the import's own numbers of series. */
export const CREATE_SETTLING = [
  'CREATE TEMP TABLE repeated_period (number INTEGER, start_date TIMESTAMP_MS, end_date TIMESTAMP_MS)',
  `CREATE TEMP TABLE conflict (number INTEGER, start_date TIMESTAMP_MS, end_date TIMESTAMP_MS, value DOUBLE,
    unit_id INTEGER, file INTEGER, line INTEGER, other STRUCT(value DOUBLE, unit_id INTEGER, file INTEGER, line INTEGER))`,
];

const IN_REPEATED_PERIOD = `repeated_period.number = staged.series
  AND repeated_period.start_date = staged.start_date AND repeated_period.end_date = staged.end_date`;

/** Lists the range's repeated periods, and returns their number. */
export const findRepeatedPeriods = (range: SeriesRange): string => `
  INSERT INTO repeated_period SELECT ${PERIOD} FROM staged
  WHERE ${inRange('staged.series', range)} AND series IN (FROM unordered_series) GROUP BY ${PERIOD} HAVING count(*) > 1`;

/**
 * The table `dropped` lists the rows of a range that another row repeats or contradicts. Of equal rows the last is kept;
 * remarks do not make rows different.
 */
export const findDropped = (range: SeriesRange): string => `
  CREATE OR REPLACE TEMP TABLE dropped AS
  WITH repeated AS (
    SELECT staged.rowid AS staged_row, ${VINTAGE}, ${STAGED_VALUE} AS value, unit_id
    FROM staged SEMI JOIN repeated_period ON ${IN_REPEATED_PERIOD}
    WHERE ${inRange('staged.series', range)}),
  compared AS (
    SELECT staged_row, count(*) OVER same AS rows, max(staged_row) OVER same AS last_row,
      min(value) OVER same IS DISTINCT FROM max(value) OVER same
        OR count(value) OVER same NOT IN (0, count(*) OVER same)
        OR min(unit_id) OVER same <> max(unit_id) OVER same AS is_conflict
    FROM repeated WINDOW same AS (PARTITION BY ${VINTAGE}))
  SELECT staged_row, is_conflict FROM compared WHERE rows > 1 AND (is_conflict OR staged_row <> last_row)`;

/** Dropped rows: repeated ones, and conflicting ones. */
export const COUNT_DROPPED = `
  SELECT count(*) FILTER (NOT is_conflict)::DOUBLE, count(*) FILTER (is_conflict)::DOUBLE FROM dropped`;

/** Copies conflicting rows to the table `conflict`, each with a figure of its vintage that differs from its own. */
export const COPY_CONFLICTS = `
  INSERT INTO conflict
  WITH contradictory AS (
    SELECT staged.rowid AS staged_row, staged.* REPLACE (${STAGED_VALUE} AS value)
    FROM staged WHERE staged.rowid IN (SELECT staged_row FROM dropped WHERE is_conflict)),
  figures AS (
    SELECT *, {'value': value, 'unit_id': unit_id, 'file': file, 'line': line} AS figure FROM contradictory),
  extremes AS (
    SELECT *, first_value(figure) OVER ordered AS lowest, last_value(figure) OVER ordered AS highest FROM figures
    WINDOW ordered AS (PARTITION BY ${VINTAGE} ORDER BY value NULLS FIRST, unit_id, staged_row
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))
  SELECT ${PERIOD}, value, unit_id, file, line,
    CASE WHEN value IS NOT DISTINCT FROM lowest.value AND unit_id = lowest.unit_id THEN highest ELSE lowest END
  FROM extremes`;

/** Deletes the dropped rows, and the range's periods that are no longer repeated; other rows are not grouped again. */
export const deleteDropped = (range: SeriesRange): string[] => [
  'DELETE FROM staged WHERE rowid IN (SELECT staged_row FROM dropped)',
  `DELETE FROM repeated_period WHERE ${inRange('number', range)} AND rowid NOT IN (
     SELECT repeated_period.rowid FROM repeated_period JOIN staged ON ${IN_REPEATED_PERIOD}
     WHERE ${inRange('staged.series', range)} GROUP BY repeated_period.rowid HAVING count(*) > 1)`,
];

/** Staged rows with a value, and without one. */
export const COUNT_VALUES = `
  SELECT coalesce(sum(rows - nulls), 0)::DOUBLE, coalesce(sum(nulls), 0)::DOUBLE FROM series_rows`;

const named = (table: string, id: string) => `coalesce(${table}.name, ${id}::VARCHAR)`;

/** All conflicting rows by file and line, with names. */
export const READ_CONFLICTS = `
  SELECT ${named('metric', 'metric_id')}, ${named('item', 'item_id')}, ${named('region', 'region_id')},
    epoch_ms(conflict.start_date)::DOUBLE, epoch_ms(conflict.end_date)::DOUBLE,
    conflict.value, coalesce(unit.abbreviation, conflict.unit_id::VARCHAR), conflict.file, conflict.line,
    conflict.other.value, coalesce(other_unit.abbreviation, conflict.other.unit_id::VARCHAR),
    conflict.other.file, conflict.other.line
  FROM conflict JOIN staged_series USING (number)
  LEFT JOIN metric ON metric.id = metric_id LEFT JOIN item ON item.id = item_id
  LEFT JOIN region ON region.id = region_id LEFT JOIN unit ON unit.id = conflict.unit_id
  LEFT JOIN unit AS other_unit ON other_unit.id = conflict.other.unit_id
  ORDER BY conflict.file, conflict.line, conflict.number, conflict.start_date`;
