import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { type NamedTables, namedViews, namedVintages } from '../queries/named-views.js';
import { ENTITY_TABLES, IMPORT_TABLES, LAYOUT } from '../schema/tables.js';
import { columnsSql } from './engine/library.js';
import { HISTORY_POINTS, HISTORY_TABLE, LATEST_POINTS, LATEST_TABLE, PACKED_DDL } from './point-tables.js';

/** Incremented whenever a table or a view changes. Stores with a different version cannot be opened. */
export const SCHEMA_VERSION = 10;

/**
 * Gives the store's content a new random id, so that clients do not use data that they cached from other content. The
 * number of imports cannot serve as an id, because a restored file may reach the same number.
 */
export const RENEW_STORE_ID = 'UPDATE meta SET store_id = uuid()::VARCHAR';

/** The schema with the views and macros that show names in place of ids. The store's tables are in `main`. */
export const NAMED_SCHEMA = 'by_name';

const POINT = ['series', 'value', 'unit_id', 'start_date', 'end_date'];
const VINTAGE_COLUMNS = [...POINT, 'metadata', 'reporting_date', 'available_date'];
const SERIES_COLUMNS = ['handle', ...LAYOUT, 'unit_id', 'point_count', 'start_date', 'end_date'];

/** Returns a query for columns, with dates as TIMESTAMP (microseconds), which all DuckDB functions accept. */
function withTimestampsSql(rows: string, columns: readonly string[]): string {
  const read = columns.map((name) => (name.endsWith('_date') ? `${name}::TIMESTAMP AS ${name}` : name));
  return `(SELECT ${read.join(', ')} FROM ${rows})`;
}

const NAMED_TABLES: NamedTables = {
  table: (name) => `main.${name}`,
  series: withTimestampsSql('main.series', SERIES_COLUMNS),
  latest: withTimestampsSql('main.point', POINT),
  vintages: withTimestampsSql('(FROM main.point UNION ALL FROM main.point_history)', VINTAGE_COLUMNS),
  imports: `(SELECT source_id, dataset, make_timestamp_ms(imported::BIGINT) AS imported FROM main.source_import)`,
  list: (column) => `list(${column} ORDER BY ${column})`,
};

/** SQL that converts the macro parameter `date` to UTC. A cast would ignore offsets or use the session's time zone. */
const DATE = `CASE WHEN regexp_matches(date::VARCHAR, ':[0-9]{2}([.][0-9]+)?[+-][0-9]{2}')
  THEN make_timestamp_ms(epoch_ms(date::VARCHAR::TIMESTAMPTZ)) ELSE date::TIMESTAMP::TIMESTAMP_MS END`;

/**
 * SQL for the vintages as of a date. If a period's current vintage became available after that date, it is replaced by
 * the latest vintage in the history that was available by then.
 */
const AS_OF = withTimestampsSql(
  `(FROM main.point WHERE available_date <= ${DATE}
  UNION ALL
  FROM main.point_history AS h
  SEMI JOIN (FROM main.point WHERE available_date > ${DATE}) AS later USING (series, start_date, end_date)
  WHERE h.available_date <= ${DATE}
  QUALIFY row_number() OVER (PARTITION BY series, start_date, end_date
    ORDER BY reporting_date DESC NULLS LAST, available_date DESC) = 1)`,
  VINTAGE_COLUMNS,
);

const isUnit = (unit: string, text: string) =>
  `(${unit}.abbreviation = ${text} OR ${unit}.name = ${text} OR ${unit}.name_plural = ${text})`;

/** SQL for the conversion between two units, as in `compute/units.ts`. It fails if there is no conversion. */
const CONVERSION = `SELECT CASE WHEN count(*) = 1 THEN any_value({
    factor: a.factor, zero: coalesce(a.base_offset, 0), to_factor: b.factor, to_zero: coalesce(b.base_offset, 0)})
  ELSE error(concat('no conversion from "', from_unit, '" to "', to_unit, '"; see the view units')) END
  FROM main.unit AS a, main.unit AS b
  WHERE a.factor <> 0 AND b.factor <> 0 AND a.dimension = b.dimension
    AND ${isUnit('a', 'from_unit')} AND ${isUnit('b', 'to_unit')}`;

const CONVERT = `CASE WHEN value IS NULL OR from_unit IS NULL OR to_unit IS NULL THEN NULL
  WHEN from_unit = to_unit THEN value::DOUBLE
  ELSE list_transform([(${CONVERSION})],
    lambda c: (value * c.factor + c.zero - c.to_zero) / c.to_factor)[1] END`;

const NAMED_VIEWS: readonly string[] = [
  `CREATE SCHEMA ${NAMED_SCHEMA}`,
  ...Object.entries(namedViews(NAMED_TABLES)).map(
    ([name, sql]) => `CREATE VIEW ${NAMED_SCHEMA}.${name} AS ${sql}`,
  ),
  `CREATE MACRO ${NAMED_SCHEMA}.as_of(date) AS TABLE ${namedVintages(NAMED_TABLES, AS_OF)}`,
  `CREATE MACRO ${NAMED_SCHEMA}.convert(value, from_unit, to_unit) AS (${CONVERT})`,
];

const TABLE_COLUMNS: Readonly<Record<string, string>> = {
  meta: '(store_id VARCHAR, schema_version INTEGER, imports INTEGER, unsorted_points BIGINT)',
  ...Object.fromEntries(
    Object.entries(IMPORT_TABLES).map(([table, columns]) => [table, `(${columnsSql(columns)})`]),
  ),
  [LATEST_TABLE]: PACKED_DDL,
  [HISTORY_TABLE]: PACKED_DDL,
};

export const TABLES: readonly string[] = Object.keys(TABLE_COLUMNS);

/**
 * The statements that create a store. No table has an index, because DuckDB finds ids by the minima and maxima of row
 * groups, and would load indexes whenever the store is opened. The views are for users; this package never reads them.
 */
const DDL: readonly string[] = [
  ...Object.entries(TABLE_COLUMNS).map(([table, columns]) => `CREATE TABLE ${table} ${columns}`),
  `CREATE VIEW point AS FROM ${LATEST_POINTS}`,
  `CREATE VIEW point_history AS FROM ${HISTORY_POINTS}`,
  ...NAMED_VIEWS,
];

/** Makes the engine find its own functions first, so that it never calls macros that others have put into the file. */
export const SEARCH_PATH = `SET search_path = 'system.main,store.main'`;

/** Creates or checks a store's tables. A view in place of a table is refused, because it could read other files. */
export async function prepareSchema(
  connection: DuckDBConnection,
  { location, readOnly }: { location: string; readOnly: boolean },
): Promise<void> {
  const tables = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = 'store' AND schema_name = 'main'`,
  );
  const names = new Set(tables.getRows().map((row) => String(row[0])));
  if (names.size === 0) {
    if (readOnly) throw new StoreError(`${location} is an empty database; import a data set into it first`);
    return createSchema(connection);
  }
  if (!names.has('meta') || !names.has('series'))
    throw new StoreError(
      `${location} is a DuckDB database but not a cropframe store; specify a different file`,
    );
  await connection.run(SEARCH_PATH);
  const version = await connection.runAndReadAll('SELECT schema_version FROM meta');
  requireVersion(location, { found: Number(version.getRows()[0]?.[0]), expected: SCHEMA_VERSION });
  const missing = TABLES.find((name) => !names.has(name));
  if (missing !== undefined)
    throw new StoreError(`${location} has no table ${missing}; restore a backup or specify a different file`);
}

/** Checks a store's schema version. @throws StoreError if the version is not the expected one */
export function requireVersion(
  location: string,
  { found, expected }: { found: number; expected: number },
): void {
  if (found === expected) return;
  const remedy = found < expected ? 'import its files into a new store' : 'update cropframe to open it';
  throw new StoreError(
    `${location} has schema version ${found}, but this version of cropframe uses ${expected}; ${remedy}`,
  );
}

async function createSchema(connection: DuckDBConnection): Promise<void> {
  await connection.run(['USE store', 'BEGIN TRANSACTION', ...DDL].join('; '));
  await connection.run(`INSERT INTO meta VALUES ('${randomUUID()}', ${SCHEMA_VERSION}, 0, 0)`);
  const { table, toRow } = ENTITY_TABLES.frequencies;
  const rows = FREQUENCIES.map(toRow);
  const places = rows.map((row) => `(${row.map(() => '?').join(', ')})`);
  await connection.run(`INSERT INTO ${table} VALUES ${places.join(', ')}`, rows.flat());
  await connection.run('COMMIT');
}
