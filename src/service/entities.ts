import { MIN_FULL_DETAIL_ZOOM } from '../contract/wire-names.js';
import { type Entity, type EntityOf, type EntityType, SEARCHABLE_TYPES } from '../model/entity.js';
import { NotFoundError } from '../model/errors.js';
import type { TraversalPlan } from '../store/plan.js';
import { mapInTurns } from '../store/turns.js';
import type { Handlers, ServiceContext } from './handler.js';
import { readSelection } from './selection.js';

const MAX_LISTED = 5000;

export const entityHandlers = {
  entities: async ({ path, query, signal }, { store }) => {
    if (query.ids === undefined)
      return { data: (await store.lookup(path.type, null, { limit: MAX_LISTED, signal })).map(toAnswer) };
    const found = await store.lookup(path.type, query.ids, { signal });
    return { data: Object.fromEntries(found.map((entity) => [String(entity.id), toAnswer(entity)])) };
  },

  entity: async ({ path, signal }, { store }) => {
    const [found] = await (store.lookup(path.type, [path.id], { signal }) as Promise<EntityOf[EntityType][]>);
    if (found === undefined) {
      throw new NotFoundError(
        404,
        `/v2/${path.type}`,
        `id: there is no entity ${path.id} among the ${path.type}`,
      );
    }
    return { data: toAnswer(found) };
  },

  search: async ({ path, query }, { search }) => search.searchNames(path.type, query.q),

  searchHits: async ({ query }, { search }) => {
    const hits = await search.searchCounted(query.types ?? SEARCHABLE_TYPES, query.q);
    return { data: hits.slice(0, query.limit) };
  },

  searchAll: async ({ query }, { search }) =>
    (await search.searchAll(query.q)).map(({ type, id }) => [id, SINGULAR[type]]),

  combinations: async ({ query, signal }, { store, names }) => {
    const plan = { selection: readSelection(query), includeHistorical: true };
    const found = await store.combinations(plan, { signal });
    const nameOf = await names.ofFields(found, ['metric_id', 'item_id', 'region_id', 'source_id']);
    return {
      data: await mapInTurns(found, (row) => ({
        metric_id: row.metric_id,
        metric_name: nameOf('metric_id', row),
        item_id: row.item_id,
        item_name: nameOf('item_id', row),
        region_id: row.region_id,
        region_name: nameOf('region_id', row),
        source_id: row.source_id,
        source_name: nameOf('source_id', row),
      })),
    };
  },

  allowedUnits: async ({ query, signal }, { store }) => {
    const ids = await store.allowedUnits(query.metricIds, query.itemIds ?? null, { signal });
    return { data: ids.map((id) => ({ id })) };
  },

  descendants: async ({ path, query }, { store }) =>
    traversalAnswer(await store.traverse(path.type, 'contains', query.ids, traversalPlan(query))),

  ancestors: async ({ path, query }, { store }) =>
    traversalAnswer(await store.traverse(path.type, 'belongs-to', query.ids, traversalPlan(query))),

  geocentres: async ({ query, signal }, { store }) => {
    const ids = await selectRegions(store, query.regionIds, query.reqRegionLevelId);
    const regions = await store.lookup('regions', ids, { signal });
    const detail = query.zoom < MIN_FULL_DETAIL_ZOOM ? 'simple' : 'full';
    const shapes = query.includeGeojson === true ? await store.shapes(ids, detail, { signal }) : null;
    const shapesById = new Map(shapes?.map((shape) => [shape.region_id, shape.geojson]));
    return {
      data: await mapInTurns(regions, (region) => ({
        centre:
          region.latitude === null || region.longitude === null ? null : [region.latitude, region.longitude],
        regionId: region.id,
        regionName: region.name,
        geojson: shapes === null ? undefined : encodeShape(shapesById.get(region.id), query.stringify),
      })),
    };
  },

  geocode: async ({ form }, { places }) => {
    const find = await places();
    return { data: await mapInTurns(form.latlng, ([latitude, longitude]) => find({ latitude, longitude })) };
  },
} satisfies Partial<Handlers>;

function toAnswer(entity: Entity): { id: number; [field: string]: unknown } {
  return { ...entity };
}

const SINGULAR = { metrics: 'metric', items: 'item', regions: 'region', sources: 'source' } as const;

function traversalAnswer(found: Map<number, number[]>): { data: Record<string, number[]> } {
  return { data: Object.fromEntries([...found].map(([id, ids]) => [String(id), ids])) };
}

function traversalPlan(query: {
  distance?: number | undefined;
  level?: number | undefined;
  includeHistorical?: boolean | undefined;
}): TraversalPlan {
  const { distance, level = null, includeHistorical = true } = query;
  if (distance === undefined) return { distance: null, level, includeHistorical };
  return { distance: distance < 0 ? null : distance, level: null, includeHistorical };
}

async function selectRegions(
  store: ServiceContext['store'],
  ids: readonly number[],
  level: number | undefined,
): Promise<number[]> {
  if (level === undefined) return [...new Set(ids)];
  const reached = await store.traverse('regions', 'contains', ids, {
    distance: null,
    level,
    includeHistorical: true,
  });
  return [...new Set([...reached.values()].flat())];
}

function encodeShape(geojson = 'null', stringify: boolean): string | Record<string, unknown> | null {
  return stringify ? geojson : (JSON.parse(geojson) as Record<string, unknown> | null);
}
