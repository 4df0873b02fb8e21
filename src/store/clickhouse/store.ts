import { StoreError } from '../../model/errors.js';
import { traverseFromAll } from '../containment.js';
import type { Store, StoreNames, StoreReader, StoreTransaction } from '../store.js';
import { openTableAccess } from './access.js';
import { readFacets } from './counts/facets.js';
import { readTop } from './counts/top.js';
import { readVintages } from './counts/vintages.js';
import type { Cluster } from './engine/cluster.js';
import { versionOf } from './engine/snapshot.js';
import { readFetches, readSourceImports } from './import-records.js';
import { openTableKept } from './kept.js';
import { openCluster } from './open-cluster.js';
import { EntityReader, readHistoricalRegions, readIdRedirects, readShapes } from './reading/entities.js';
import { findFaults } from './reading/faults.js';
import { readPoints } from './reading/points.js';
import { readAllowedUnits, readCombinations, readSeries } from './reading/series.js';
import { beginImport } from './writing/transaction.js';

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
  let importing: Promise<StoreTransaction> | null = null;
  return {
    capabilities: { engine: 'clickhouse', distributed: true, atomicImports: true },
    access: openTableAccess(cluster.first),
    kept: openTableKept(cluster.first),
    version: async () => versionOf(await cluster.snapshot()),
    bytes: () => storedBytes(cluster),
    load: () => ({ running: cluster.shards.reduce((sum, { running }) => sum + running, 0), waiting: 0 }),
    ...readOperations(cluster),
    sourceImports: () => readSourceImports(cluster),
    fetches: () => readFetches(cluster),
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

/** What a store in ClickHouse reads of its content. */
function readOperations(cluster: Cluster): Omit<StoreReader, 'version'> & StoreNames {
  const entities = new EntityReader(cluster);
  return {
    lookup: (type, ids, options) => entities.lookup(type, ids, options),
    names: (type, ids) => entities.names(type, ids),
    list: (type, limit, options) => entities.list(type, limit, options),
    searchDocuments: (type) => entities.searchDocuments(type),
    namesChecksum: (type) => entities.namesChecksum(type),
    pointCounts: (type) => entities.pointCounts(type),
    identities: (type) => entities.identities(type),
    traverse: async (type, direction, ids, plan) =>
      traverseFromAll(await entities.containment(type), direction, ids, plan),
    shapes: (regionIds, detail, options) => readShapes(cluster, { regionIds, detail }, options),
    historicalRegions: () => readHistoricalRegions(cluster),
    idRedirects: () => readIdRedirects(cluster),
    series: (plan, options) => readSeries(cluster, plan, options),
    combinations: (plan, options) => readCombinations(cluster, plan, options),
    facets: (plan, options) => readFacets(cluster, plan, options),
    vintages: (plan, options) => readVintages(cluster, plan, options),
    allowedUnits: (metricIds, itemIds, options) =>
      readAllowedUnits(cluster, { metric_id: metricIds, ...(itemIds && { item_id: itemIds }) }, options),
    points: (plan, options) => readPoints(cluster, plan, options),
    top: (plan, options) => readTop(cluster, plan, options),
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
