import { DAY_MS } from '../../model/time.js';
import { COMMON_COLUMNS } from '../schema/tables.js';

/** The columns of points as imports and most queries know them, in order. */
export const POINT_COLUMNS = [
  'series',
  'start_date',
  'end_date',
  'value',
  'unit_id',
  'reporting_date',
  'available_date',
  'metadata',
] as const;

/** The columns that order and identify a period of a series in the tables. */
export const PACKED_PERIOD = 'series, start_day, start_ms, days, end_ms';

/**
 * Points as the file holds them. Days take a quarter of the space of timestamps: the first day of the period since
 * 1970-01-01, the days from it to the last one, and the time of both dates beyond midnight, which is nearly always
 * nothing. No table has an index: the minima and maxima of row groups locate series.
 */
export const PACKED_DDL = `(
  series INTEGER NOT NULL, start_day INTEGER NOT NULL, start_ms INTEGER NOT NULL, days INTEGER NOT NULL,
  end_ms INTEGER NOT NULL, value DOUBLE, unit_id INTEGER NOT NULL, reporting_date TIMESTAMP_MS,
  available_date TIMESTAMP_MS NOT NULL, metadata VARCHAR)`;

/** Splits a date into days since 1970-01-01 and its time of day. */
export const dayOf = (date: string) => `(${date}::DATE - DATE '1970-01-01')::INTEGER`;
export const timeOf = (date: string) => `(epoch_ms(${date}) - ${dayOf(date)}::BIGINT * ${DAY_MS})::INTEGER`;

/** The columns of `PACKED_PERIOD` from those of a query with dates. */
export const PACK_PERIOD = `series, ${dayOf('start_date')} AS start_day, ${timeOf('start_date')} AS start_ms,
  ${dayOf('end_date')} - ${dayOf('start_date')} AS days, ${timeOf('end_date')} AS end_ms`;

/** UTC milliseconds of the two dates of a packed point. */
export const START_MS = `(start_day::BIGINT * ${DAY_MS} + start_ms)`;
export const END_MS = `((start_day + days)::BIGINT * ${DAY_MS} + end_ms)`;

export const dateFromMs = (ms: string): string => `make_timestamp_ms(${ms})::TIMESTAMP_MS`;

/**
 * The table of the latest vintage of each period, and the table of all others: ordinary reads never scan history. One table
 * has the latest points of all series: of 100 million, a series took 1.2 times the processor time that it took when they were
 * divided among 14 tables, because the minima and maxima of row groups locate it.
 */
export const LATEST_TABLE = 'packed_point';
export const HISTORY_TABLE = 'packed_history';

/** Writes the query that converts packed points to `POINT_COLUMNS`. */
const datedPoints = (rows: string): string => `SELECT series, ${dateFromMs(START_MS)} AS start_date,
  ${dateFromMs(END_MS)} AS end_date, value, unit_id, reporting_date, available_date, metadata FROM ${rows}`;

/** The rows of both tables with dates. Our own statements never read views, which anybody may have put into a file. */
export const LATEST_POINTS = `(${datedPoints(LATEST_TABLE)})`;
export const HISTORY_POINTS = `(${datedPoints(HISTORY_TABLE)})`;

/**
 * The points of imports wait in a database in memory, which the engine spills to disk. Its tables are committed, as one
 * thread alone scans those of an open transaction.
 */
export const STAGING = 'memory.staging';

/** The points of an import in the order of their series and starts; a series has the number that `staged_series` says. */
export const STAGED = `${STAGING}.staged`;
/** The table behind it, whose rows `staged_row` numbers; columns that are the same in all rows may be in `STAGED` alone. */
export const STAGED_ROWS = `${STAGING}.staged_rows`;

/**
 * Writes the source of `SUMMARIZE`: the points of each series and unit.
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
