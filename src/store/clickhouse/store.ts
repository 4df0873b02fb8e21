import { StoreError } from '../../model/errors.js';
import { type AccessData, type AccessStorage, accessOver } from '../access.js';
import { oneImport } from '../one-import.js';
import { entityOperations } from '../queries/entities.js';
import { readFacets } from '../queries/facets.js';
import { seriesOperations } from '../queries/series.js';
import type { AccessStore, KeptData, ReadOptions, Store, StoredToken, StoredUser } from '../store.js';
import type { Cluster } from './engine/cluster.js';
import type { Shard } from './engine/shard.js';
import { versionOf } from './engine/snapshot.js';
import { beginImport } from './importing/begin-import.js';
import { findFaults } from './reading/faults.js';
import { readPoints, readSums, readVintages } from './reading/points.js';
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
  const imports = oneImport({ location: cluster.location, readOnly }, (onEnd) =>
    beginImport(cluster, { onEnd }),
  );
  return {
    servers: cluster,
    engine: 'clickhouse',
    access: openTableAccess(cluster.first),
    kept: openTableKept(cluster.first),
    version: async () => versionOf(await cluster.snapshot()),
    ...entityOperations(tables),
    ...seriesOperations(tables),
    facets: async (plan, options) => readFacets(await tables(options), plan, options),
    vintages: (plan, options) => readVintages(cluster, plan, options),
    points: (plan, options) => readPoints(cluster, plan, options),
    sums: (plan, options) => readSums(cluster, plan, options),
    begin: imports.begin,
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
 * Opens users and tokens kept in a table on the first server. Each change adds a row, with empty JSON for a removal.
 * The latest row for a user or token is the current one. Nothing is cached, so all processes see changes immediately.
 */
function openTableAccess(server: Shard): AccessStore {
  const storage: AccessStorage = {
    async read(only) {
      // Of two rows with the same time, a revocation takes precedence.
      const rows = await server.rows(
        `SELECT kind, json FROM access WHERE ${only === undefined ? 'true' : 'id = {only:String}'}
        ORDER BY changed_us DESC, revoked DESC LIMIT 1 BY id`,
        { parameters: only === undefined ? {} : { only } },
      );
      const ofKind = (kind: string) =>
        rows.flatMap((row) => (row.kind === kind && row.json !== '' ? [JSON.parse(String(row.json))] : []));
      return { users: ofKind('user'), tokens: ofKind('token') };
    },
    async change(edit) {
      const data = await storage.read();
      const before = rowsOf(data);
      const result = edit(data);
      const now = rowsOf(data);
      const [entries, ids] = [new Set(before.map(({ json }) => json)), new Set(now.map(({ id }) => id))];
      const changed = now.filter(({ json }) => !entries.has(json));
      const removed = before.filter(({ id }) => !ids.has(id)).map((row) => ({ ...row, json: '' }));
      if (changed.length + removed.length > 0) await server.insertRows('access', [...changed, ...removed]);
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

/** Opens derived data kept in a table on the first server. Ignores failed writes, because it can be derived again. */
export function openTableKept(server: Shard): KeptData {
  return {
    async read(name) {
      const sql = 'SELECT base64 FROM kept WHERE name = {name:String} ORDER BY changed_us DESC LIMIT 1';
      const [row] = await server.rows(sql, { parameters: { name } }).catch(() => []);
      return row === undefined ? null : Buffer.from(String(row.base64), 'base64');
    },
    async write(name, bytes) {
      const base64 = Buffer.from(bytes).toString('base64');
      await server.insertRows('kept', [{ name, base64 }]).catch(() => {});
    },
  };
}
