import { dateFromMs, END_MS, STAGED, STAGING, START_MS } from './point-tables.js';

/** The columns of `series` with the common facts of the points of a series, and their types. */
export const COMMON_COLUMNS = {
  /** Whether all have the unit of the series. */
  has_one_unit: 'BOOLEAN',
  /** The days from start to end of every period; null where they differ. */
  period_days: 'INTEGER',
  /** Whether a date is not midnight. */
  has_times: 'BOOLEAN',
  has_reporting_dates: 'BOOLEAN',
  has_metadata: 'BOOLEAN',
  /** The date at which all became available; null where they differ. */
  available_date: 'TIMESTAMP_MS',
} as const;

/**
 * The source of `SUMMARIZE`: the points of each series and unit.
 * @param more further columns
 */
export const summarizeByUnit = (points: string, { where = 'true', more = '' } = {}): string => `
  SELECT series, unit_id, min(${START_MS}) AS first_start, max(${START_MS}) AS last_start, max(${END_MS}) AS last_end,
    count(*) AS points, min(days) AS min_days, max(days) AS max_days, max(start_ms + end_ms) AS max_time,
    count(reporting_date) AS reported, count(metadata) AS remarked,
    min(available_date) AS first_available, max(available_date) AS last_available ${more}
  FROM ${points} WHERE ${where} GROUP BY series, unit_id`;

/** The condition that a point ends before it starts. */
export const IS_BACKWARDS = '(days < 0 OR (days = 0 AND end_ms < start_ms))';

/**
 * Summarizes staged points in a table of `STAGING`, also those with a value, the backward ones, and the first line: no other
 * statement has to read all of them for that.
 */
export const summarizeStaged = (table: string, points: string): string => `
  CREATE OR REPLACE TABLE ${STAGING}.${table} AS ${summarizeByUnit(points, {
    more: `, count(value) AS figures, count(*) FILTER (${IS_BACKWARDS}) AS backwards, min(line) AS first_line`,
  })}`;

export const SUMMARIZE_STAGED = summarizeStaged('staged_summary', STAGED);

/** A row of `series` without its key from the rows of `by_unit`; a series has the unit of its latest start. */
export const SUMMARIZE = `
  SELECT series AS handle, first(unit_id ORDER BY last_start DESC, last_end DESC, unit_id) AS unit_id,
    ${dateFromMs('min(first_start)')} AS start_date, ${dateFromMs('max(last_end)')} AS end_date,
    sum(points)::INTEGER AS point_count,
    count(*) = 1 AS has_one_unit,
    CASE WHEN min(min_days) = max(max_days) THEN min(min_days) END AS period_days,
    max(max_time) > 0 AS has_times, sum(reported) > 0 AS has_reporting_dates, sum(remarked) > 0 AS has_metadata,
    CASE WHEN min(first_available) = max(last_available) THEN min(first_available) END AS available_date
  FROM by_unit GROUP BY series`;

/** The columns of `series` that `SUMMARIZE` says, without the handle. */
export const SUMMARY_COLUMNS = [
  'unit_id',
  'start_date',
  'end_date',
  'point_count',
  ...Object.keys(COMMON_COLUMNS),
] as const;
