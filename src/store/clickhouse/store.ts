import { createHash } from 'node:crypto';
import { StoreError } from '../../model/errors.js';
import { type AccessData, type AccessStorage, accessOver } from '../access.js';
import { oneImport } from '../one-import.js';
import { entityOperations } from '../queries/entities.js';
import { readFacets } from '../queries/facets.js';
import { readFetches, readSourceImports } from '../queries/import-records.js';
import { seriesOperations } from '../queries/series.js';
import type { AccessStore, KeptData, ReadOptions, Store, StoredToken, StoredUser } from '../store.js';
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

/** Opens a store. @throws StoreError if a server cannot be reached or has no store of the current schema version */
export async function openClickhouseStore(
  location: string,
  { readOnly }: { readOnly: boolean },
): Promise<ServerStore> {
  const cluster = await openCluster(location);
  const tables = async (options?: ReadOptions) => tablesAt(cluster, await cluster.snapshot(options));
  const imports = oneImport(cluster.location, (onEnd) => beginImport(cluster, { onEnd }));
  return {
    servers: cluster,
    engine: 'clickhouse',
    access: openTableAccess(cluster.first),
    kept: openTableKept(cluster.first),
    version: async () => versionOf(await cluster.snapshot()),
    async bytes() {
      const sql =
        'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = currentDatabase() AND active';
      const sums = await Promise.all(cluster.shards.map((shard) => shard.rows(sql)));
      return sums.reduce((sum, [row]) => sum + Number(row!.bytes), 0);
    },
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
      return imports.begin();
    },
    findFaults: (options) => findFaults(cluster, options),
    async backup() {
      throw new StoreError(
        `${cluster.location} is on ClickHouse servers and cannot be backed up to a file; use "cropframe store copy" or ClickHouse's own BACKUP`,
      );
    },
    async close() {
      await imports.end().catch(() => {});
      await cluster.close();
    },
  };
}

/**
 * Keeps users and tokens in a table on the first server. A change adds a row, and the latest row for a user or token is
 * the current one; a removal deletes all its rows. Nothing is cached, so all processes see a change immediately.
 */
export function openTableAccess(server: Shard): AccessStore {
  const storage: AccessStorage = {
    async read(only) {
      // If two rows have the same time, the revocation takes precedence.
      const rows = await server.rows(
        `SELECT kind, json FROM access WHERE ${only === undefined ? 'true' : 'id = {only:String}'}
        ORDER BY changed_us DESC, revoked DESC LIMIT 1 BY id`,
        { parameters: only === undefined ? {} : { only } },
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
      const [entries, ids] = [new Set(before.map(({ json }) => json)), new Set(now.map(({ id }) => id))];
      const added = now.filter(({ json }) => !entries.has(json));
      const removed = before.flatMap(({ id }) => (ids.has(id) ? [] : [id]));
      if (added.length > 0) await server.insertRows('access', added);
      if (removed.length > 0)
        await server.run('DELETE FROM access WHERE id IN {removed:Array(String)}', {
          parameters: { removed },
        });
      return result;
    },
  };
  return accessOver(storage);
}

function rowsOf({ users, tokens }: AccessData) {
  const rowOf = (kind: string, id: string, entry: StoredUser | StoredToken, revoked = false) => {
    return { kind, id, revoked, json: JSON.stringify(entry) };
  };
  return [
    ...users.map((user) => rowOf('user', user.email, user)),
    ...tokens.map((token) => rowOf('token', token.hash, token, token.revokedMs !== null)),
  ];
}

/** Maximum number of bytes per row of derived data. A complete search index would be too large for a single row. */
const PART_BYTES = 3 << 20;

/** Keeps derived data in a table on the first server. Incomplete data counts as missing; failed writes are ignored. */
export function openTableKept(server: Shard): KeptData {
  return {
    async read(name) {
      const sql = `SELECT base64, digest FROM kept WHERE name = {name:String}
        AND digest = (SELECT argMax(digest, changed_us) FROM kept WHERE name = {name:String})
        ORDER BY part LIMIT 1 BY part`;
      const rows = await server.rows(sql, { parameters: { name } }).catch(() => []);
      const bytes = Buffer.concat(rows.map(({ base64 }) => Buffer.from(base64 as string, 'base64')));
      return digestOf(bytes) === rows[0]?.digest ? bytes : null;
    },
    async write(name, bytes) {
      const digest = digestOf(bytes);
      try {
        for (let part = 0; part === 0 || part * PART_BYTES < bytes.length; part++) {
          const piece = Buffer.from(bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
          await server.insertRows('kept', [{ name, part, digest, base64: piece.toString('base64') }]);
        }
        const isOld = 'name = {name:String} AND digest != {digest:String}';
        await server.run(`DELETE FROM kept WHERE ${isOld}`, { parameters: { name, digest } });
      } catch {
        // The error is ignored, because the data can be derived again.
      }
    },
  };
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
