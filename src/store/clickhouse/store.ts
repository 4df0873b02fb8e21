import { createHash } from 'node:crypto';
import { StoreError } from '../../model/errors.js';
import { type AccessData, type AccessStorage, accessOver } from '../access.js';
import { entityOperations } from '../queries/entities.js';
import { readFacets } from '../queries/facets.js';
import { readFetches, readSourceImports } from '../queries/import-records.js';
import { seriesOperations } from '../queries/series.js';
import type { AccessStore, KeptData, ReadOptions, Store, StoreTransaction } from '../store.js';
import type { Cluster } from './engine/cluster.js';
import type { Shard } from './engine/shard.js';
import { versionOf } from './engine/snapshot.js';
import { beginImport } from './importing/begin-import.js';
import { readSums, readVintages } from './reading/counts.js';
import { findFaults } from './reading/faults.js';
import { readPoints } from './reading/points.js';
import { tablesAt } from './reading/tables.js';
import { openCluster } from './schema.js';

export interface ServerStore extends Store {
  readonly servers: Pick<Cluster, 'views' | 'location'>;
}

/**
 * Opens a store on ClickHouse servers.
 * @param location `clickhouse://HOST[:PORT][,HOST…]/DATABASE[?tls=true]`; credentials are read from environment
 *   variables
 * @throws StoreError if a server cannot be reached, or the servers have no store with this schema version
 */
export async function openClickhouseStore(
  location: string,
  { readOnly }: { readOnly: boolean },
): Promise<ServerStore> {
  const cluster = await openCluster(location);
  const tables = async (options?: ReadOptions) => tablesAt(cluster, await cluster.snapshot(options));
  let importing: Promise<StoreTransaction> | null = null;
  return {
    servers: cluster,
    engine: 'clickhouse',
    access: openTableAccess(cluster.first),
    kept: openTableKept(cluster.first),
    version: async () => versionOf(await cluster.snapshot()),
    bytes: () => storedBytes(cluster),
    load: () => ({ running: cluster.shards.reduce((sum, { running }) => sum + running, 0), waiting: 0 }),
    ...entityOperations(tables),
    ...seriesOperations(tables),
    facets: async (plan, options) => readFacets(await tables(options), plan, options),
    vintages: (plan, options) => readVintages(cluster, plan, options),
    points: (plan, options) => readPoints(cluster, plan, options),
    sums: (plan, options) => readSums(cluster, plan, options),
    sourceImports: async () => readSourceImports(await tables()),
    fetches: async () => readFetches(await tables()),
    async begin() {
      if (readOnly)
        throw new StoreError(`${cluster.location} is open for reading only; open it without read_only`);
      if (importing !== null) {
        throw new StoreError(`${cluster.location}: another import is running; wait for it to finish`);
      }
      const onEnd = () => {
        importing = null;
      };
      importing = beginImport(cluster, { onEnd });
      return importing;
    },
    findFaults: (options) => findFaults(cluster, options),
    async backup() {
      throw new StoreError(
        `${cluster.location} is on ClickHouse servers; copy it to a file with "cropframe store copy", or use ClickHouse's own BACKUP`,
      );
    },
    async close() {
      await importing?.then((running) => running.rollback()).catch(() => {});
      await cluster.close();
    },
  };
}

async function storedBytes({ shards }: Cluster): Promise<number> {
  const sums = await Promise.all(
    shards.map((shard) =>
      shard.rows(
        'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = currentDatabase() AND active',
      ),
    ),
  );
  return sums.reduce((sum, [row]) => sum + Number(row!.bytes), 0);
}

/**
 * Keeps users and tokens in a table on the first server. A change adds a row, and the latest row for a user or token is
 * the current one; removing a user or token deletes all of its rows. Nothing is cached, so all processes see a change
 * immediately.
 */
export function openTableAccess(server: Shard): AccessStore {
  const storage: AccessStorage = {
    async read(only) {
      // If two rows have the same time, the revocation takes precedence.
      const rows = await server.rows(
        `SELECT kind, json FROM access WHERE ${only === undefined ? 'true' : 'id = {only:String}'}
        ORDER BY changed_us DESC, revoked DESC LIMIT 1 BY id`,
        only === undefined ? {} : { only },
      );
      const ofKind = (kind: string) =>
        rows.filter((row) => row.kind === kind).map(({ json }) => JSON.parse(String(json)) as never);
      return { users: ofKind('user'), tokens: ofKind('token') };
    },
    async change(edit) {
      const data = await storage.read();
      const before = rowsOf(data);
      const result = edit(data);
      const now = rowsOf(data);
      const [items, ids] = [new Set(before.map(({ item }) => item)), new Set(now.map(({ id }) => id))];
      const added = now.filter(({ item }) => !items.has(item));
      const removed = before.flatMap(({ id }) => (ids.has(id) ? [] : [id]));
      if (added.length > 0)
        await server.insertRows(
          'access',
          added.map(({ item, ...row }) => ({ ...row, json: JSON.stringify(item) })),
        );
      if (removed.length > 0)
        await server.run('DELETE FROM access WHERE id IN {removed:Array(String)}', { removed });
      return result;
    },
  };
  return accessOver(storage);
}

function rowsOf({ users, tokens }: AccessData) {
  return [
    ...users.map((item) => ({ kind: 'user', id: item.email, revoked: false, item })),
    ...tokens.map((item) => ({ kind: 'token', id: item.hash, revoked: item.revokedMs !== null, item })),
  ];
}

/** Maximum number of bytes per row of derived data. A complete search index in a single row would be a large block. */
const PART_BYTES = 3 << 20;

/**
 * Keeps derived data in a table on the first server, where every process finds it. Data that is incomplete or cannot
 * be read counts as missing. Failed writes are ignored.
 */
export function openTableKept(server: Shard): KeptData {
  return {
    async read(name) {
      const rows = await server
        .rows(
          `SELECT base64, digest FROM kept WHERE name = {name:String}
          AND digest = (SELECT argMax(digest, changed_us) FROM kept WHERE name = {name:String})
          ORDER BY part LIMIT 1 BY part`,
          { name },
        )
        .catch(() => []);
      const bytes = Buffer.concat(rows.map(({ base64 }) => Buffer.from(base64 as string, 'base64')));
      return digestOf(bytes) === rows[0]?.digest ? bytes : null;
    },
    async write(name, bytes) {
      const digest = digestOf(bytes);
      const parts = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
      try {
        for (let part = 0; part < parts; part++) {
          const base64 = Buffer.from(bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)).toString(
            'base64',
          );
          await server.insertRows('kept', [{ name, part, digest, base64 }]);
        }
        await server.run('DELETE FROM kept WHERE name = {name:String} AND digest != {digest:String}', {
          name,
          digest,
        });
      } catch {
        // The error is ignored, because the data can be derived again.
      }
    },
  };
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
