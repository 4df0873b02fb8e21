import { randomUUID } from 'node:crypto';
import { StoreError } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { requireVersion } from '../duckdb/schema.js';
import type { PointHistory } from '../plan.js';
import { type NamedTables, namedViews, namedVintages } from '../queries/named-views.js';
import { columnsOf, createTable, TABLES, tablesOf } from '../schema/clickhouse.js';
import { ENTITY_TABLES } from '../schema/tables.js';
import { type ClickHouseAddress, namedDatabase, parseAddress, readCredentials } from './engine/address.js';
import { Cluster, runConcurrently } from './engine/cluster.js';
import { isMissing } from './engine/errors.js';
import type { Shard } from './engine/shard.js';
import { committedSql, currentSql } from './engine/snapshot.js';
import { NO_REPORTING_DATE, vintageSql } from './reading/points.js';

export function schemaStatements(address: ClickHouseAddress): string[] {
  const { database, cluster } = address;
  const where = cluster === null ? '' : ` ON CLUSTER '${cluster}'`;
  return [
    databaseStatement(database, where),
    ...TABLES.map((table) => createTable(table, `${database}.${table.name}${where}`)),
    ...(canHaveViews(address) ? namedViewStatements(address) : []),
  ];
}

function canHaveViews({ hosts, cluster }: ClickHouseAddress): boolean {
  return hosts.length === 1 || cluster !== null;
}

/** Checks a cluster's configuration. @throws StoreError if the cluster's shards are not the shards of the store */
async function checkCluster(
  { cluster: name, database, hosts }: ClickHouseAddress,
  { first }: Cluster,
): Promise<void> {
  const sql = `SELECT uniqExact(store_id) AS stores, uniqExact(position) AS positions, count() AS shards
    FROM cluster('${name}', ${database}.shard_meta)`;
  const [{ stores, positions, shards } = {}] = await rowsIfAny(first, sql);
  if (stores === 1 && positions === hosts.length && shards === hosts.length) return;
  throw new StoreError(
    `the shards of the cluster "${name}" in system.clusters do not match the ${hosts.length} servers in the address; ` +
      "correct remote_servers in the first server's configuration, or specify a different cluster",
  );
}

function databaseStatement(database: string, where = ''): string {
  return `CREATE DATABASE IF NOT EXISTS ${database}${where} ENGINE = Atomic`;
}

async function addFrequencies({ first }: Cluster): Promise<void> {
  const { table, columns, toRow } = ENTITY_TABLES.frequencies;
  if ((await first.rows(`SELECT 1 FROM ${table} LIMIT 1`)).length > 0) return;
  const rows = FREQUENCIES.map((frequency) => {
    const values = toRow(frequency);
    return Object.fromEntries([['import', 0], ...Object.keys(columns).map((name, i) => [name, values[i]])]);
  });
  await first.insertRows(table, rows);
}

/** Incremented whenever a table changes. Stores with a different version cannot be opened. */
export const SCHEMA_VERSION = 9;

interface ShardRecord {
  readonly store_id: string;
  readonly schema_version: number;
  readonly position: number;
  readonly shards: number;
}

/** Returns a query's rows, or no rows if the server does not have the table. */
function rowsIfAny(shard: Shard, sql: string) {
  return shard.rows(sql).catch((error: unknown) => (isMissing(error) ? [] : Promise.reject(error)));
}

async function readRecord(shard: Shard): Promise<ShardRecord | null> {
  const sql = 'SELECT * FROM shard_meta ORDER BY created_ms, store_id LIMIT 1';
  const [row] = await rowsIfAny(shard, sql);
  return (row as unknown as ShardRecord | undefined) ?? null;
}

/**
 * Reads each server's record of the store, in the order of `shards`. The result is null for a server without a record.
 * @throws StoreError if the servers are not the shards of one store in order, or have a different schema version
 */
async function readRecords({ shards, location }: Cluster): Promise<readonly (ShardRecord | null)[]> {
  const records = await runConcurrently(shards, readRecord);
  for (const [i, record] of records.entries()) {
    if (record === null) continue;
    const { name } = shards[i]!;
    requireVersion(location, { found: record.schema_version, expected: SCHEMA_VERSION });
    if (records[0] === null || record.store_id !== records[0]!.store_id)
      throw new StoreError(
        `the shard ${name} belongs to a different store; list the servers with which this store was created`,
      );
    if (record.position !== i || record.shards !== shards.length)
      throw new StoreError(
        `${name} is shard ${record.position + 1} of ${record.shards} of its store, but is listed as shard ${i + 1} of ` +
          `${shards.length}; list all servers in the order in which the store was created, or use "cropframe store copy" ` +
          'to copy the store to a different number of shards',
      );
  }
  return records;
}

/** Checks that every server has the store's tables. @throws StoreError if a server lacks them or cannot be queried */
async function checkSchema(cluster: Cluster): Promise<void> {
  const { location, shards } = cluster;
  const missing = (await readRecords(cluster)).indexOf(null);
  if (missing < 0) return;
  const init = `run "cropframe store init --store ${location}"`;
  throw new StoreError(
    missing === 0
      ? `there is no store at ${location}; ${init}`
      : `the shard ${shards[missing]!.name} has no part of the store at ${location}; restore it from a backup, ` +
          `or, if the store is new, ${init}`,
  );
}

/** Opens a store. @throws StoreError if a server cannot be reached or has no store of the current schema version */
export async function openCluster(location: string): Promise<Cluster> {
  const cluster = new Cluster(parseAddress(location), readCredentials());
  try {
    await checkSchema(cluster);
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster;
}

/**
 * Creates the missing parts of a store: its database, its tables, its record on each server, and its views.
 * @throws StoreError if the servers belong to another store, or have lost data of this store
 */
export async function initClickhouseStore(location: string): Promise<void> {
  const address = parseAddress(location);
  const credentials = readCredentials();
  const cluster = new Cluster(address, credentials);
  // A server refuses every statement in a database that does not exist.
  const servers = new Cluster({ ...address, database: 'system' }, credentials);
  try {
    const prepared = await readRecords(cluster);
    // A shard of a store with data must not get empty tables, because results would then silently lack data.
    if (prepared[0] !== null && (await cluster.first.rows('SELECT 1 FROM import_log LIMIT 1')).length > 0)
      await checkSchema(cluster);
    for (const [position, shard] of cluster.shards.entries()) {
      if (prepared[position] !== null) continue;
      await servers.shards[position]!.run(databaseStatement(address.database));
      await runConcurrently(tablesOf(position), (table) => shard.run(createTable(table)));
      // If two processes create the store at the same time, the id in the earlier record is used.
      const store_id = (await readRecord(cluster.first))?.store_id ?? randomUUID();
      const place = { position, shards: cluster.shards.length, created_ms: Date.now() };
      await shard.insertRows('shard_meta', [{ store_id, schema_version: SCHEMA_VERSION, ...place }]);
    }
    await addFrequencies(cluster);
    await checkSchema(cluster);
    if (!canHaveViews(address)) return;
    if (address.hosts.length > 1) await checkCluster(address, cluster);
    for (const statement of namedViewStatements(address)) await cluster.first.run(statement);
  } finally {
    await Promise.all([cluster.close(), servers.close()]);
  }
}

const toDate = (column: string) => `fromUnixTimestamp64Milli(${column}, 'UTC')`;

/** SQL expressions for views. Strings are nullable, because a LEFT JOIN without a match would otherwise return ''. */
const SHOWN: Readonly<Record<string, string>> = {
  name: 'toNullable(name)',
  start_date: toDate('start_date'),
  end_date: toDate('end_date'),
  value: 'if(isNaN(value), NULL, value)',
  reporting_date: `if(reporting_date = ${NO_REPORTING_DATE}, NULL, ${toDate('reporting_date')})`,
  available_date: toDate('available_date'),
  metadata: `nullIf(metadata, '')`,
  dataset: 'toNullable(dataset)',
  imported: `toNullable(${toDate('toInt64(imported)')})`,
};

const shownRowsSql = (table: string, query: string) =>
  `(SELECT ${columnsOf(table)
    .map((name) => (name in SHOWN ? `${SHOWN[name]} AS ${name}` : name))
    .join(', ')} FROM (${query}))`;

function namedViewStatements({ database, hosts, cluster }: ClickHouseAddress): string[] {
  const named = namedDatabase(database);
  const points = hosts.length === 1 ? `${database}.point` : `cluster('${cluster}', ${database}.point)`;
  const seen = committedSql(`${database}.import_log`);
  const table = (name: string) => {
    const from = `${database}.${name}`;
    return shownRowsSql(name, `SELECT * FROM ${from} WHERE ${currentSql(name, seen, from)}`);
  };
  const vintages = (history: PointHistory, where: string) =>
    shownRowsSql('point', vintageSql(history, where, points));
  const tables: NamedTables = {
    table,
    series: table('series'),
    latest: vintages('latest', seen),
    vintages: vintages('complete', seen),
    imports: table('source_import'),
    list: (column) => `arraySort(groupArray(${column}))`,
  };
  const date = `toUnixTimestamp64Milli(parseDateTime64BestEffort({date:String}, 3, 'UTC'))`;
  const asOf = vintages('latest', `${seen} AND available_date <= ${date}`);
  const views = { ...namedViews(tables), as_of: namedVintages(tables, asOf) };
  return [
    databaseStatement(named),
    ...Object.entries(views).map(([name, sql]) => `CREATE OR REPLACE VIEW ${named}.${name} AS ${sql}`),
  ];
}
