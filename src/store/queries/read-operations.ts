import type { StoreNames, StoreReader } from '../store.js';
import type { OpenTables } from './engine-tables.js';
import { EntityReader } from './entities.js';
import { readAllowedUnits, readCombinations, readSeries } from './series.js';

/** What both engines read by the same queries. */
export function readOperations(
  open: OpenTables,
): StoreNames & Omit<StoreReader, 'version' | 'points' | 'facets' | 'vintages' | 'top'> {
  const entities = new EntityReader(open);
  return {
    lookup: (type, ids, options) => entities.lookup(type, ids, options),
    names: (type, ids) => entities.names(type, ids),
    list: (type, limit, options) => entities.list(type, limit, options),
    searchDocuments: (type) => entities.searchDocuments(type),
    namesChecksum: (type) => entities.namesChecksum(type),
    pointCounts: (type) => entities.pointCounts(type),
    identities: (type) => entities.identities(type),
    traverse: (type, direction, ids, plan) => entities.traverse(type, direction, ids, plan),
    shapes: (regionIds, detail, options) => entities.shapes(regionIds, detail, options),
    historicalRegions: () => entities.historicalRegions(),
    idRedirects: () => entities.idRedirects(),
    series: (plan, options) => readSeries(open, plan, options),
    combinations: async (plan, options) => readCombinations(await open(options), plan, options),
    allowedUnits: async (metricIds, itemIds, options) => {
      const selection = { metric_id: metricIds, ...(itemIds && { item_id: itemIds }) };
      return readAllowedUnits(await open(options), selection, options);
    },
  };
}
