import { randomUUID } from 'node:crypto';
import { StoreError } from '../../model/errors.js';
import { requireVersion } from '../duckdb/schema.js';
import type { Cluster } from './engine/cluster.js';
import { isMissing } from './engine/errors.js';
import type { Shard } from './engine/shard.js';
import { together } from './engine/together.js';
import { tablesOf } from './tables.js';

/** Incremented whenever a table changes. A store of another version is refused. */
export const SCHEMA_VERSION = 2;

/** What the first server knows of a store. */
interface Meta {
  readonly storeId: string;
  readonly schemaVersion: number;
  readonly shards: number;
}

/** Which shard of which store a server is. */
interface Place {
  readonly storeId: string;
  readonly position: number;
}

/** What servers know of a store: null for nothing. */
interface Prepared {
  readonly meta: Meta | null;
  /** By their order in the address. */
  readonly places: readonly (Place | null)[];
}

/** Reads what the servers know, all of them at the same time. */
export async function readPrepared({ first, shards }: Cluster): Promise<Prepared> {
  const [meta, places] = await Promise.all([readMeta(first), together(shards, readPlace)]);
  return { meta, places };
}

async function readMeta(first: Shard): Promise<Meta | null> {
  const [row] = await rowsIfAny(
    first,
    `SELECT argMin(store_id, (created_ms, store_id)) AS id, max(schema_version) AS version,
      argMin(shards, (created_ms, store_id)) AS shards FROM store_meta HAVING count() > 0`,
  );
  if (row === undefined) return null;
  return { storeId: String(row.id), schemaVersion: Number(row.version), shards: Number(row.shards) };
}

async function readPlace(shard: Shard): Promise<Place | null> {
  const [row] = await rowsIfAny(
    shard,
    'SELECT store_id, position FROM shard_meta ORDER BY created_ms LIMIT 1',
  );
  return row === undefined ? null : { storeId: String(row.store_id), position: Number(row.position) };
}

/** None where there is no such table. */
async function rowsIfAny(shard: Shard, sql: string) {
  try {
    return await shard.rows(sql);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * Checks that servers hold one store of this schema, each of them the shard that its place in the address says.
 * @throws StoreError when they do not
 */
export async function checkSchema(cluster: Cluster): Promise<void> {
  const prepared = await readPrepared(cluster);
  refuseOthers(cluster, prepared);
  const { location, shards } = cluster;
  if (prepared.meta === null)
    throw new StoreError(`there is no store at ${location}; run "cropframe store init --store ${location}"`);
  const missing = prepared.places.indexOf(null);
  if (missing >= 0) {
    throw new StoreError(
      `the shard ${shards[missing]!.name} has nothing of the store at ${location}; restore it from a backup, ` +
        `or, if the store is new, run "cropframe store init --store ${location}"`,
    );
  }
}

/** @throws StoreError when servers are named that are not those of one store, in their order, or of another version */
export function refuseOthers({ shards, location }: Cluster, { meta, places }: Prepared): void {
  for (const [position, place] of places.entries()) {
    const { name } = shards[position]!;
    if (place === null) continue;
    if (place.position !== position && (meta === null || place.storeId === meta.storeId)) {
      throw new StoreError(
        `${name} is shard ${place.position + 1} of its store, but is named as shard ${position + 1}; ` +
          'name the servers in the order in which the store was created',
      );
    }
    if (place.storeId !== meta?.storeId) {
      throw new StoreError(
        `the shard ${name} belongs to another store; name the servers with which the store was created`,
      );
    }
  }
  if (meta === null) return;
  requireVersion(location, { found: meta.schemaVersion, expected: SCHEMA_VERSION });
  if (meta.shards !== shards.length) {
    throw new StoreError(
      `the store at ${location} has ${meta.shards} shards, but the address names ${shards.length}; name all of them in ` +
        'their order, or copy the store into one with another number by "cropframe store copy"',
    );
  }
}

/**
 * A server that has lost its tables must not get empty ones: the store would answer without what was in them.
 * @throws StoreError when a store with data lacks tables that it had
 */
export async function refuseLosses(cluster: Cluster, { meta, places }: Prepared): Promise<void> {
  if (meta === null) return;
  const missing = await together(cluster.shards.entries(), async ([position, shard]) => {
    const rows = await rowsIfAny(shard, 'SELECT name FROM system.tables WHERE database = currentDatabase()');
    const present = new Set(rows.map(({ name }) => name));
    return tablesOf(position).filter(({ name }) => !present.has(name));
  });
  const position = missing.findIndex(({ length }, i) => length > 0 || places[i] === null);
  if (position < 0 || !(await hasImports(cluster.first))) return;
  const names = missing[position]!.map(({ name }) => name);
  throw new StoreError(
    `the shard ${cluster.shards[position]!.name} has lost ${names.length === 0 ? 'its place' : names.join(', ')}, and ` +
      `the store at ${cluster.location} has data; restore the shard from a backup, or copy the store again`,
  );
}

async function hasImports(first: Shard): Promise<boolean> {
  try {
    return (await first.rows('SELECT 1 FROM import_log LIMIT 1')).length > 0;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}

/** Notes that there is a store. Of two that are noted at once the first is true. */
export async function addMeta({ first, shards }: Cluster): Promise<Meta> {
  const store = { store_id: randomUUID(), schema_version: SCHEMA_VERSION, shards: shards.length };
  await first.insertRows('store_meta', [{ ...store, created_ms: Date.now() }]);
  return (await readMeta(first))!;
}

export function addPlace(
  shard: Shard,
  { storeId, position, shards }: Place & Pick<Meta, 'shards'>,
): Promise<void> {
  return shard.insertRows('shard_meta', [{ store_id: storeId, position, shards, created_ms: Date.now() }]);
}
