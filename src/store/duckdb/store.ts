import { StoreError } from '../../model/errors.js';
import { openAccess } from '../access.js';
import { traverseFrom } from '../containment.js';
import type { IdRedirect, Store, StoreTransaction } from '../store.js';
import { type Engine, openEngine } from './engine/engine.js';
import { EntityReader } from './reading/entities.js';
import { readShapes } from './reading/geography.js';
import { readPoints } from './reading/points.js';
import { readTop } from './reading/ranking.js';
import { readAllowedUnits, readCombinations, readSeries } from './reading/series.js';
import { beginTransaction } from './writing/transaction.js';

/**
 * Opens the embedded engine on a file, or on `:memory:`.
 * @throws StoreError when the file is not a store, is of a newer version, or is in use
 */
export async function openDuckdbStore(location: string, { readOnly }: { readOnly: boolean }): Promise<Store> {
  const engine = await openEngine(location, readOnly);
  const entities = new EntityReader(engine);
  let importing: Promise<StoreTransaction> | null = null;
  // Nobody else writes while the file is open: what was read holds until the next commit here.
  let version: Promise<string> | null = null;

  return {
    capabilities: { engine: 'duckdb', distributed: false, atomicImports: true },
    access: openAccess(engine.location),
    version() {
      version ??= readVersion(engine).catch((error) => {
        version = null;
        throw error;
      });
      return version;
    },
    lookup: (type, ids) => entities.lookup(type, ids),
    list: (type, limit) => entities.list(type, limit),
    searchDocuments: (type) => entities.searchDocuments(type),
    async traverse(type, direction, ids, plan) {
      const containment = await entities.containment(type);
      const known = ids.filter((id) => containment.entities.has(id));
      return new Map(known.map((id) => [id, traverseFrom(containment, direction, id, plan)]));
    },
    series: (plan, options) => readSeries(engine, plan, options),
    combinations: (plan) => readCombinations(engine, plan),
    allowedUnits: (metricIds, itemIds) =>
      readAllowedUnits(engine, { metric_id: metricIds, ...(itemIds !== null && { item_id: itemIds }) }),
    points: (plan, options) => readPoints(engine, plan, options),
    top: (plan) => readTop(engine, plan),
    shapes: (regionIds, detail) => readShapes(engine, regionIds, detail),
    identities: (type) => entities.identities(type),
    async idRedirects() {
      const rows = await engine.rows(
        `SELECT field, old_id AS "oldId", new_id AS "newId", source_id AS "sourceId" FROM moved_id
         ORDER BY field, old_id, source_id NULLS FIRST`,
      );
      return rows as unknown as IdRedirect[];
    },
    async begin() {
      if (importing !== null) {
        throw new StoreError(`${engine.location}: another import is under way; wait until it has ended`);
      }
      const started = beginTransaction(engine, (committed) => {
        importing = null;
        if (!committed) return;
        version = null;
        entities.forget();
      });
      importing = started;
      return started;
    },
    async close() {
      await importing?.then((transaction) => transaction.rollback());
      await engine.close();
    },
  };
}

async function readVersion(engine: Engine): Promise<string> {
  const [row] = await engine.rows('SELECT store_id, imports FROM meta');
  return `${row!.store_id}-${row!.imports}`;
}
