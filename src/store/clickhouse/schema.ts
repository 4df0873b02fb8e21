import { randomUUID } from 'node:crypto';
import { StoreError } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { ENTITY_TABLES } from '../duckdb/entity-tables.js';
import type { ClickHouseAddress } from './engine/address.js';
import type { Cluster } from './engine/cluster.js';
import type { Credentials } from './engine/credentials.js';
import { Shard } from './engine/shard.js';
import { IMPORT_COLUMNS, TABLES, type Table } from './tables.js';

/** Incremented whenever a table changes. Newer stores are refused, and `cropframe store init` upgrades older ones. */
export const SCHEMA_VERSION = 1;

/** Lightweight updates need both columns; the window lets an insert be sent again. */
const IMPORTED_SETTINGS = [
  'enable_block_number_column = 1',
  'enable_block_offset_column = 1',
  'non_replicated_deduplication_window = 1000',
];

/** The statements that create the tables of a store, the database first. */
export function schemaStatements({
  database,
  cluster,
}: Pick<ClickHouseAddress, 'database' | 'cluster'>): string[] {
  const where = cluster === null ? '' : ` ON CLUSTER '${cluster}'`;
  return [
    databaseStatement(database, where),
    ...TABLES.map((table) => createTable(table, `${database}.${table.name}${where}`)),
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

/** Creates what is missing of a store: database, tables, what the servers know of each other. Nothing that is there changes. */
export async function createSchema(
  address: ClickHouseAddress,
  credentials: Credentials,
  cluster: Cluster,
): Promise<void> {
  await Promise.all(
    cluster.shards.map(async (shard, position) => {
      await createDatabase(address, { credentials, host: shard.name });
      const tables = TABLES.filter(({ on }) => position === 0 || on === 'every');
      await Promise.all(tables.map((table) => shard.run(createTable(table, table.name))));
    }),
  );
  await addMeta(cluster);
  await upgrade(cluster);
  await addFrequencies(cluster);
  await checkSchema(cluster);
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

/** Says that the tables are of this version: so far, every older one has only lacked tables. */
async function upgrade({ first, location }: Cluster): Promise<void> {
  const { storeId, schemaVersion, shards } = (await readMeta(first))!;
  refuseNewer(schemaVersion, location);
  if (schemaVersion === SCHEMA_VERSION) return;
  await insertMeta(first, { storeId, schemaVersion: SCHEMA_VERSION, shards });
}

function insertMeta(first: Shard, { storeId, schemaVersion, shards }: Meta): Promise<void> {
  return first.insertRows('store_meta', [
    { store_id: storeId, schema_version: schemaVersion, shards, created_ms: Date.now() },
  ]);
}

async function addMeta({ first, shards, location }: Cluster): Promise<void> {
  const places = await Promise.all(shards.map(readPlace));
  if ((await readMeta(first)) === null) {
    const taken = places.findIndex((place) => place !== null);
    if (taken >= 0) throw strangeShard(shards[taken]!, 'belongs to another store');
    await insertMeta(first, {
      storeId: randomUUID(),
      schemaVersion: SCHEMA_VERSION,
      shards: shards.length,
    });
  }
  const { storeId, shards: stored } = (await readMeta(first))!;
  if (stored !== shards.length) throw otherShards(location, stored, shards.length);
  for (const [position, shard] of shards.entries()) {
    if (places[position] !== null) continue;
    await shard.insertRows('shard_meta', [
      { store_id: storeId, position, shards: shards.length, created_ms: Date.now() },
    ]);
  }
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

interface Meta {
  readonly storeId: string;
  readonly schemaVersion: number;
  readonly shards: number;
}

async function readMeta(first: Shard): Promise<Meta | null> {
  const [row] = await first.rows(
    `SELECT argMin(store_id, (created_ms, store_id)) AS id, max(schema_version) AS version,
      argMin(shards, (created_ms, store_id)) AS shards, count() AS rows FROM store_meta`,
  );
  if (Number(row!.rows) === 0) return null;
  return {
    storeId: String(row!.id),
    schemaVersion: Number(row!.version),
    shards: Number(row!.shards),
  };
}

/**
 * Checks that servers hold one store of this schema, each of them the shard that its place in the address says.
 * @throws StoreError when they do not
 */
export async function checkSchema({ first, shards, location }: Cluster): Promise<void> {
  const meta = await readMeta(first);
  if (meta === null) {
    throw new StoreError(`there is no store at ${location}; run "cropframe store init --store ${location}"`);
  }
  refuseNewer(meta.schemaVersion, location);
  if (meta.schemaVersion < SCHEMA_VERSION) {
    throw new StoreError(
      `${mismatch(meta.schemaVersion, location)}; run "cropframe store init --store ${location}", which upgrades it`,
    );
  }
  if (meta.shards !== shards.length) throw otherShards(location, meta.shards, shards.length);
  await Promise.all(shards.map((shard, position) => checkShard(shard, { position, meta })));
}

function refuseNewer(version: number, location: string): void {
  if (version <= SCHEMA_VERSION) return;
  throw new StoreError(`${mismatch(version, location)}; update cropframe to open it`);
}

function mismatch(version: number, location: string): string {
  return `${location} has schema version ${version}, and this cropframe uses ${SCHEMA_VERSION}`;
}

async function checkShard(shard: Shard, { position, meta }: { position: number; meta: Meta }): Promise<void> {
  const place = await readPlace(shard);
  if (place === null) throw strangeShard(shard, 'has not been prepared');
  if (place.storeId !== meta.storeId) throw strangeShard(shard, 'belongs to another store');
  if (place.position === position) return;
  throw new StoreError(
    `${shard.name} is shard ${place.position + 1} of its store, but is named as shard ${position + 1}; ` +
      'name the servers in the order in which the store was created',
  );
}

/** Which shard of which store a server is; null when of none. */
async function readPlace(shard: Shard): Promise<{ storeId: string; position: number } | null> {
  const [row] = await shard.rows('SELECT store_id, position FROM shard_meta ORDER BY created_ms LIMIT 1');
  return row === undefined ? null : { storeId: String(row.store_id), position: Number(row.position) };
}

function strangeShard(shard: Shard, problem: string): StoreError {
  return new StoreError(
    `the shard ${shard.name} ${problem}; name the servers with which the store was created`,
  );
}

function otherShards(location: string, stored: number, named: number): StoreError {
  return new StoreError(
    `the store at ${location} has ${stored} shards, but the address names ${named}; name all of them in their order, ` +
      'or copy the store into one with another number by "cropframe store copy"',
  );
}
