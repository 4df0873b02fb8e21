import { StoreError } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { ENTITY_TABLES } from '../duckdb/entity-tables.js';
import type { ClickHouseAddress } from './engine/address.js';
import type { Cluster } from './engine/cluster.js';
import type { Credentials } from './engine/credentials.js';
import { Shard } from './engine/shard.js';
import { together } from './engine/together.js';
import { namedViewStatements } from './named-views.js';
import { addMeta, addPlace, checkSchema, readPrepared, refuseLosses, refuseOthers } from './prepared.js';
import { IMPORT_COLUMNS, TABLES, type Table, tablesOf } from './tables.js';

/** Lightweight updates need both columns; the window lets an insert be sent again. */
const IMPORTED_SETTINGS = [
  'enable_block_number_column = 1',
  'enable_block_offset_column = 1',
  'non_replicated_deduplication_window = 1000',
];

/** The statements that create the tables of a store, the database first, and the views where they can be. */
export function schemaStatements(address: ClickHouseAddress): string[] {
  const { database, cluster } = address;
  const where = cluster === null ? '' : ` ON CLUSTER '${cluster}'`;
  return [
    databaseStatement(database, where),
    ...TABLES.map((table) => createTable(table, `${database}.${table.name}${where}`)),
    ...(canHaveViews(address) ? namedViewStatements(address) : []),
  ];
}

function createTable(table: Table, name: string): string {
  const { imported, orderBy, primaryKey = orderBy, indexes = [] } = table;
  const columns = imported ? [...table.columns, ...IMPORT_COLUMNS] : table.columns;
  const lines = [...columns.map(([column, type]) => `${column} ${type}`), ...indexes];
  const settings = [...(table.settings ?? []), ...(imported ? IMPORTED_SETTINGS : [])];
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (\n  ${lines.join(',\n  ')})`,
    `ENGINE = MergeTree PRIMARY KEY (${primaryKey.join(', ')}) ORDER BY (${orderBy.join(', ')})`,
    ...(settings.length === 0 ? [] : [`SETTINGS ${settings.join(', ')}`]),
  ].join('\n');
}

/**
 * Creates what is missing of a store: database, tables, what the servers know of each other. Nothing that is there changes.
 * @throws StoreError when the servers are not those of the store that is there, or have lost some of it
 */
export async function createSchema(
  address: ClickHouseAddress,
  credentials: Credentials,
  cluster: Cluster,
): Promise<void> {
  const prepared = await readPrepared(cluster);
  refuseOthers(cluster, prepared);
  await refuseLosses(cluster, prepared);
  await together(cluster.shards.entries(), async ([position, shard]) => {
    await createDatabase(address, { credentials, host: shard.name });
    await together(tablesOf(position), (table) => shard.run(createTable(table, table.name)));
  });
  const store = prepared.meta ?? (await addMeta(cluster));
  await together(cluster.shards.entries(), async ([position, shard]) => {
    if (prepared.places[position] === null) await addPlace(shard, { ...store, position });
  });
  await addFrequencies(cluster);
  await checkSchema(cluster);
  if (!canHaveViews(address)) return;
  if (address.hosts.length > 1) await checkCluster(address, cluster);
  for (const statement of namedViewStatements(address)) await cluster.first.run(statement);
}

/** Views on several servers read the points of all of them by the name of their cluster. */
export function canHaveViews({ hosts, cluster }: ClickHouseAddress): boolean {
  return hosts.length === 1 || cluster !== null;
}

/** @throws StoreError when the cluster of that name has other shards than the store */
async function checkCluster(
  { cluster: name, database, hosts }: ClickHouseAddress,
  { first }: Cluster,
): Promise<void> {
  const sql = `SELECT store_id, position FROM cluster('${name}', ${database}.shard_meta) ORDER BY position`;
  const rows = await first.rows(sql).catch((cause: unknown) => {
    throw new StoreError(`the cluster "${name}" cannot be read: ${(cause as Error).message}`, { cause });
  });
  const isStore = rows.every(
    ({ store_id, position }, at) => store_id === rows[0]!.store_id && position === at,
  );
  if (isStore && rows.length === hosts.length) return;
  throw new StoreError(
    `the cluster "${name}" of system.clusters has other shards than the ${hosts.length} servers of the address; ` +
      'correct remote_servers in the configuration of the first one, or name another cluster',
  );
}

/** A server refuses every statement for a database that it does not have. */
async function createDatabase(
  address: ClickHouseAddress,
  { credentials, host }: { credentials: Credentials; host: string },
): Promise<void> {
  const server = new Shard(host, { ...address, database: 'system' }, credentials);
  try {
    await server.run(databaseStatement(address.database));
  } finally {
    await server.close();
  }
}

function databaseStatement(database: string, where = ''): string {
  return `CREATE DATABASE IF NOT EXISTS ${database}${where} ENGINE = Atomic`;
}

/** The frequencies that every store has. They are there before the first import. */
async function addFrequencies({ first }: Cluster): Promise<void> {
  const { table, columns, toRow } = ENTITY_TABLES.frequencies;
  if ((await first.rows(`SELECT 1 FROM ${table} LIMIT 1`)).length > 0) return;
  const rows = FREQUENCIES.map((frequency) => {
    const values = toRow(frequency);
    return Object.fromEntries([['import', 0], ...columns.map(([name], i) => [name, values[i]])]);
  });
  await first.insertRows(table, rows);
}
