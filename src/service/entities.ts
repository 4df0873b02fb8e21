import { MIN_FULL_DETAIL_ZOOM } from '../contract/wire-names.js';
import {
  type ContainmentDirection,
  type EntityOf,
  type EntityType,
  SEARCHABLE_TYPES,
} from '../model/entity.js';
import { NotFoundError } from '../model/errors.js';
import { mapInTurns } from '../store/turns.js';
import type { HandlerInput, Handlers, ServiceContext } from './handler.js';
import { readSelection } from './selection.js';

const MAX_LISTED = 5000;

export const entityHandlers = {
  entities: async ({ path, query: { ids }, signal }, { store }) => {
    const options = ids === undefined ? { limit: MAX_LISTED, signal } : { signal };
    const found = (await store.lookup(path.type, ids ?? null, options)).map((entity) => ({ ...entity }));
    return { data: ids === undefined ? found : Object.fromEntries(found.map((one) => [one.id, one])) };
  },

  entity: async ({ path: { type, id }, signal }, { store }) => {
    const [found] = await (store.lookup(type, [id], { signal }) as Promise<EntityOf[EntityType][]>);
    if (found === undefined)
      throw new NotFoundError(404, `/v2/${type}`, `id: there is no entity ${id} among the ${type}`);
    return { data: { ...found } };
  },

  search: async ({ path, query }, { search }) => search.searchNames(path.type, query.q),

  searchHits: async ({ query }, { search }) => {
    const hits = await search.searchCounted(query.types ?? SEARCHABLE_TYPES, query.q);
    return { data: hits.slice(0, query.limit) };
  },

  searchAll: async ({ query }, { search }) =>
    (await search.searchAll(query.q)).map(({ type, id }) => [id, SINGULAR[type]]),

  combinations: async ({ query, signal }, { store, names }) => {
    const plan = { selection: readSelection(query) };
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

  descendants: async (input, { store }) => listRelated(store, 'contains', input),

  ancestors: async (input, { store }) => listRelated(store, 'belongs-to', input),

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

const SINGULAR = { metrics: 'metric', items: 'item', regions: 'region', sources: 'source' } as const;

async function listRelated(
  store: ServiceContext['store'],
  direction: ContainmentDirection,
  { path, query }: Pick<HandlerInput<'descendants'>, 'path' | 'query'>,
): Promise<{ data: Record<string, number[]> }> {
  const { ids, distance, level = null, includeHistorical = true } = query;
  const plan =
    distance === undefined
      ? { distance: null, level, includeHistorical }
      : { distance: distance < 0 ? null : distance, level: null, includeHistorical };
  return { data: Object.fromEntries(await store.traverse(path.type, direction, ids, plan)) };
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
