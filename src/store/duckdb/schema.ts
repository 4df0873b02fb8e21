import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { ENTITY_TABLES } from './entity-tables.js';
import { NAMED_VIEWS } from './named-views.js';
import { requireOwnObjects } from './own-objects.js';
import {
  FIRST_TABLE,
  HISTORY_TABLE,
  PACKED_DDL,
  POINT_TABLE_DDL,
  POINT_VIEWS,
  TABLE_POINTS,
} from './point-tables.js';
import { COMMON_COLUMNS } from './series-summary.js';

/** Incremented whenever a table or a view changes. A store of another version is refused. */
export const SCHEMA_VERSION = 7;

const SERIES_DDL = Object.entries(COMMON_COLUMNS).map(([column, type]) => `${column} ${type}`);

/**
 * No table has an index: the minima and maxima of row groups locate ids, and an index would have to be loaded whenever
 * the store is opened. Points are in several tables, so that ordinary reads never scan history, nor row groups of far too
 * many other series.
 */
export const DDL: readonly string[] = [
  `CREATE TABLE meta (store_id VARCHAR, schema_version INTEGER, imports INTEGER, table_points INTEGER)`,
  ...Object.values(ENTITY_TABLES).map(({ table, ddl }) => `CREATE TABLE ${table} (${ddl})`),
  `CREATE TABLE containment (entity_type VARCHAR, parent INTEGER, child INTEGER)`,
  `CREATE TABLE shape (region_id INTEGER, detail VARCHAR, geojson VARCHAR)`,
  `CREATE TABLE moved_id (field VARCHAR, old_id INTEGER, new_id INTEGER, source_id INTEGER)`,
  `CREATE TABLE series (
    handle INTEGER, metric_id INTEGER, item_id INTEGER, region_id INTEGER, partner_region_id INTEGER,
    source_id INTEGER, frequency_id INTEGER, unit_id INTEGER, start_date TIMESTAMP_MS, end_date TIMESTAMP_MS,
    point_count INTEGER, ${SERIES_DDL.join(', ')})`,
  `CREATE TABLE series_unit (series INTEGER, unit_id INTEGER)`,
  `CREATE TABLE source_import (source_id INTEGER, dataset VARCHAR, imported DOUBLE)`,
  `CREATE TABLE stored_fetch (
    dataset VARCHAR, request VARCHAR, settings VARCHAR, files VARCHAR, fetched_at DOUBLE)`,
  `CREATE TABLE known_batch (digest VARCHAR, kinds VARCHAR)`,
  ...[FIRST_TABLE.name, HISTORY_TABLE].map((table) => `CREATE TABLE ${table} ${PACKED_DDL}`),
  `CREATE TABLE ${POINT_TABLE_DDL}`,
  `INSERT INTO point_table VALUES ('${FIRST_TABLE.name}', ${FIRST_TABLE.first}, 0)`,
  ...POINT_VIEWS,
  ...NAMED_VIEWS,
];

/** Creates the tables of a new store, and checks that an existing database is a store of this version. */
export async function prepareSchema(
  connection: DuckDBConnection,
  { location, readOnly }: { location: string; readOnly: boolean },
): Promise<void> {
  const tables = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = 'store'`,
  );
  const names = new Set(tables.getRows().map((row) => String(row[0])));
  if (names.size === 0) {
    if (readOnly) throw new StoreError(`${location} is an empty database; import a data set into it first`);
    return createSchema(connection);
  }
  if (!names.has('meta') || !names.has('series')) {
    throw new StoreError(`${location} is a DuckDB database but not a cropframe store; name another file`);
  }
  const version = Number(
    (await connection.runAndReadAll('SELECT schema_version FROM meta')).getRows()[0]?.[0],
  );
  requireVersion(location, { found: version, expected: SCHEMA_VERSION });
  await requireOwnObjects(connection, { location, ddl: DDL });
}

/** @throws StoreError when a store is of another version */
export function requireVersion(
  location: string,
  { found, expected }: { found: number; expected: number },
): void {
  if (found === expected) return;
  throw new StoreError(
    `${location} has schema version ${found}, and this cropframe uses ${expected}; ` +
      (found > expected ? 'update cropframe to open it' : 'import its files into a new store'),
  );
}

async function createSchema(connection: DuckDBConnection): Promise<void> {
  await connection.run(['BEGIN TRANSACTION', ...DDL].join('; '));
  await connection.run(`INSERT INTO meta VALUES ('${randomUUID()}', ${SCHEMA_VERSION}, 0, ${TABLE_POINTS})`);
  const { table, toRow } = ENTITY_TABLES.frequencies;
  const rows = FREQUENCIES.map(toRow);
  const places = rows.map((row) => `(${row.map(() => '?').join(', ')})`);
  await connection.run(`INSERT INTO ${table} VALUES ${places.join(', ')}`, rows.flat());
  await connection.run('COMMIT');
}
