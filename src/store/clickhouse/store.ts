import { StoreError } from '../../model/errors.js';
import { entityOperations } from '../queries/entities.js';
import { readFacets } from '../queries/facets.js';
import { readFetches, readSourceImports } from '../queries/import-records.js';
import { seriesOperations } from '../queries/series.js';
import type { ReadOptions, Store, StoreTransaction } from '../store.js';
import { openTableAccess } from './access.js';
import type { Cluster } from './engine/cluster.js';
import { versionOf } from './engine/snapshot.js';
import { openTableKept } from './kept.js';
import { readTop, readVintages } from './reading/counts.js';
import { findFaults } from './reading/faults.js';
import { readPoints } from './reading/points.js';
import { tablesAt } from './reading/tables.js';
import { openCluster } from './schema.js';
import { beginImport } from './writing/import-home.js';

/** A store on ClickHouse servers that this process has open. */
export interface ServerStore extends Store {
  readonly servers: Pick<Cluster, 'views' | 'location'>;
}

/**
 * Opens a store on ClickHouse servers.
 * @param location `clickhouse://HOST[:PORT][,HOST…]/DATABASE[?tls=true]`; the environment says how to log in
 * @throws StoreError when a server cannot be reached, or the servers do not hold a store of this version
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
    top: (plan, options) => readTop(cluster, plan, options),
    sourceImports: async () => readSourceImports(await tables()),
    fetches: async () => readFetches(await tables()),
    async begin({ textBytes } = {}) {
      if (readOnly)
        throw new StoreError(`${cluster.location} is open for reading only; open it without readOnly`);
      if (importing !== null) {
        throw new StoreError(`${cluster.location}: another import is running; wait until it has ended`);
      }
      const onEnd = () => {
        importing = null;
      };
      importing = beginImport(cluster, { textBytes, onEnd });
      return importing;
    },
    findFaults: (options) => findFaults(cluster, options),
    async backup() {
      throw new StoreError(
        `${cluster.location} is backed up by "cropframe store copy" into a file, or by ClickHouse's own BACKUP`,
      );
    },
    async close() {
      await importing?.then((running) => running.rollback()).catch(() => {});
      await cluster.close();
    },
  };
}

/** Bytes of all tables on the disks of all servers. */
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
