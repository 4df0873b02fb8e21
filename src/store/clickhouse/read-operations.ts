import { traverseFromAll } from '../containment.js';
import type { StoreReader } from '../store.js';
import { readFacets } from './counts/facets.js';
import { readTop } from './counts/top.js';
import { readVintages } from './counts/vintages.js';
import type { Cluster } from './engine/cluster.js';
import { EntityReader, readHistoricalRegions, readIdRedirects, readShapes } from './reading/entities.js';
import { readPoints } from './reading/points.js';
import { readAllowedUnits, readCombinations, readSeries } from './reading/series.js';
import { readSourceImports } from './source-imports.js';

/** What a store in ClickHouse reads of its content. */
export function readOperations(
  cluster: Cluster,
): Omit<StoreReader, 'capabilities' | 'version' | 'bytes' | 'findFaults'> {
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
    sourceImports: () => readSourceImports(cluster),
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
