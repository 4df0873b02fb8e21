import { StoreError } from '../../model/errors.js';
import type { Store, StoreReader } from '../store.js';
import { openTableAccess } from './access.js';
import type { Cluster } from './engine/cluster.js';
import { openTableKept } from './kept.js';
import { openCluster } from './open-cluster.js';

/**
 * Opens a store on ClickHouse servers.
 * @param location `clickhouse://HOST[:PORT][,HOST…]/DATABASE[?tls=true]`; the environment says how to log in
 * @throws StoreError when a server cannot be reached, or the servers do not hold a store of this version
 */
export async function openClickhouseStore(
  location: string,
  { readOnly }: { readOnly: boolean },
): Promise<Store> {
  const cluster = await openCluster(location);
  return {
    capabilities: { engine: 'clickhouse', distributed: true, atomicImports: true },
    access: openTableAccess(cluster.first),
    kept: openTableKept(cluster.first),
    async version() {
      const snapshot = await cluster.snapshot();
      return `${snapshot.storeId}-${snapshot.import}`;
    },
    bytes: () => storedBytes(cluster),
    load: () => ({ running: cluster.shards.reduce((sum, { running }) => sum + running, 0), waiting: 0 }),
    ...readOperations(cluster),
    fetches: () => missing('fetches'),
    async begin() {
      if (readOnly)
        throw new StoreError(`${cluster.location} is open for reading only; open it without readOnly`);
      return missing('begin');
    },
    findFaults: () => missing('findFaults'),
    async backup() {
      throw new StoreError(
        `${cluster.location} is backed up by "cropframe store copy" into a file, or by ClickHouse's own BACKUP`,
      );
    },
    close: () => cluster.close(),
  };
}

function readOperations(
  _cluster: Cluster,
): Omit<StoreReader, 'capabilities' | 'version' | 'bytes' | 'findFaults'> {
  return {
    lookup: () => missing('lookup'),
    names: () => missing('names'),
    list: () => missing('list'),
    searchDocuments: () => missing('searchDocuments'),
    namesChecksum: () => missing('namesChecksum'),
    pointCounts: () => missing('pointCounts'),
    identities: () => missing('identities'),
    traverse: () => missing('traverse'),
    shapes: () => missing('shapes'),
    historicalRegions: () => missing('historicalRegions'),
    idRedirects: () => missing('idRedirects'),
    sourceImports: () => missing('sourceImports'),
    series: () => missing('series'),
    combinations: () => missing('combinations'),
    facets: () => missing('facets'),
    vintages: () => missing('vintages'),
    allowedUnits: () => missing('allowedUnits'),
    points: () => missing('points'),
    top: () => missing('top'),
  };
}

/** Stands where an operation is still being written. */
function missing(operation: string): never {
  throw new StoreError(`a store in ClickHouse cannot do "${operation}" yet`);
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
