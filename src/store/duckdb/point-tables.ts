import { DAY_MS } from '../../model/time.js';

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

/** What orders and identifies a period of a series in the tables. */
export const PACKED_PERIOD = 'series, start_day, start_ms, days, end_ms';

/**
 * Points as the file holds them. Days take a quarter of what timestamps take: the first day of the period since
 * 1970-01-01, the days from it to the last one, and what both dates have beyond midnight, which is nearly always nothing.
 * No table has an index: the minima and maxima of row groups locate series.
 */
export const PACKED_DDL = `(
  series INTEGER NOT NULL, start_day INTEGER NOT NULL, start_ms INTEGER NOT NULL, days INTEGER NOT NULL,
  end_ms INTEGER NOT NULL, value DOUBLE, unit_id INTEGER NOT NULL, reporting_date TIMESTAMP_MS,
  available_date TIMESTAMP_MS NOT NULL, metadata VARCHAR)`;

const dayOf = (date: string) => `(${date}::DATE - DATE '1970-01-01')::INTEGER`;
const timeOf = (date: string) => `(epoch_ms(${date}) - ${dayOf(date)}::BIGINT * ${DAY_MS})::INTEGER`;

/** The columns of `PACKED_PERIOD` from those of a query with dates. */
export const PACK_PERIOD = `series, ${dayOf('start_date')} AS start_day, ${timeOf('start_date')} AS start_ms,
  ${dayOf('end_date')} - ${dayOf('start_date')} AS days, ${timeOf('end_date')} AS end_ms`;

/** The columns of `PACKED_DDL` from those of a query with dates. */
export const PACK_POINT = `${PACK_PERIOD}, value, unit_id, reporting_date, available_date, metadata`;

/** UTC milliseconds of the two dates of a packed point. */
export const START_MS = `(start_day::BIGINT * ${DAY_MS} + start_ms)`;
export const END_MS = `((start_day + days)::BIGINT * ${DAY_MS} + end_ms)`;

export const dateFromMs = (ms: string): string => `make_timestamp_ms(${ms})::TIMESTAMP_MS`;

/** The tables of packed points, by the name of the view that shows their dates. */
export const PACKED_TABLES = { point: 'packed_point', point_history: 'packed_history' } as const;

/** The views of points with dates: `point` has the latest vintage of each period, `point_history` all others. */
export const POINT_VIEWS = Object.entries(PACKED_TABLES).map(
  ([view, table]) => `CREATE VIEW ${view} AS SELECT series, ${dateFromMs(START_MS)} AS start_date,
    ${dateFromMs(END_MS)} AS end_date, value, unit_id, reporting_date, available_date, metadata FROM ${table}`,
);

/** Rewrites both tables in the order of `PointColumns`. */
export const SORT_POINTS = [
  `CREATE OR REPLACE TABLE packed_point AS FROM packed_point ORDER BY ${PACKED_PERIOD}`,
  `CREATE OR REPLACE TABLE packed_history AS FROM packed_history
   ORDER BY ${PACKED_PERIOD}, reporting_date, available_date`,
];
