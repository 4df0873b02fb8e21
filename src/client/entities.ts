import type * as v from 'valibot';
import type { EndpointAnswer } from '../contract/endpoints.js';
import type { combination } from '../contract/shapes.js';
import type { ContainingType, Entity, EntityOf, EntityType, Unit } from '../model/entity.js';
import { CONTAINING_TYPES, ENTITY_TYPES } from '../model/entity.js';
import { NotFoundError } from '../model/errors.js';
import { chunksOf } from '../model/grouping.js';
import { CANCELLABLE, type Cancellable } from '../model/progress.js';
import { ENTITY_SCHEMAS } from '../model/schema/entities.js';
import { type ArgumentsOf, optional, positional, promise } from '../model/schema/operation.js';
import { ID, ID_OR_IDS, oneOf } from '../model/schema/schemas.js';
import { SELECTION_KEYS, type Selection } from '../model/selection.js';
import { readAnswer } from './http/answer.js';
import type { Transport } from './http/transport.js';
import { toQuery } from './query.js';

/** The listed entities of one type. */
export type AvailableEntities<Type extends ContainingType> = EntityOf[Type][] & {
  /** Whether the list is limited to 5000 entities and may be incomplete. `search` finds further entities by name. */
  readonly truncated: boolean;
};

/** A combination of metric, item, region and source that has data. */
export interface AvailableCombination extends v.InferOutput<typeof combination> {}

/** Looks up and lists entities. */
export interface EntityOperations {
  /**
   * Looks up one entity by its id.
   * @throws NotFoundError if no entity has this id; ArgumentError if `entity_ids` is not an id
   * @example
   * ```ts
   * const region = await client.lookup('regions', series.region_id);
   * const sources = await client.lookup('sources', [1, 2]); // { 1: …, 2: … }
   * ```
   */
  lookup<Type extends EntityType>(
    entity_type: Type,
    entity_ids: number,
    options?: Cancellable,
  ): Promise<EntityOf[Type]>;
  /**
   * Looks up one or more entities by id. For a list of ids, returns an object keyed by id. The object omits ids that do
   * not exist.
   * @throws ArgumentError if an element of `entity_ids` is not an id
   */
  lookup<Type extends EntityType>(
    entity_type: Type,
    entity_ids: readonly number[],
    options?: Cancellable,
  ): Promise<Record<number, EntityOf[Type]>>;

  /**
   * Returns the first 5000 entities of a type, sorted by id. The array's `truncated` property is true if the list
   * reached that limit and may be incomplete.
   * @throws ArgumentError if the type is not `metrics`, `items` or `regions`
   */
  getAvailable<Type extends ContainingType>(
    entity_type: Type,
    options?: Cancellable,
  ): Promise<AvailableEntities<Type>>;

  /**
   * Returns the service's first 5000 units, sorted by id, each with its abbreviation, dimension and conversion factor.
   * `getAllowedUnits` returns the units of one metric.
   * @example
   * ```ts
   * const masses = (await client.listUnits()).filter(({ dimension }) => dimension === 'mass');
   * ```
   */
  listUnits(options?: Cancellable): Promise<Unit[]>;

  /**
   * Lists the combinations of metric, item, region and source that have data.
   * @param selected_entities restricts the combinations; if omitted, all of them are returned
   */
  listAvailable(selected_entities?: Selection, options?: Cancellable): Promise<AvailableCombination[]>;

  /** Returns the ids of the units that can be requested for a metric, or for a metric and an item. */
  getAllowedUnits(metric_id: number, item_id?: number, options?: Cancellable): Promise<number[]>;

  /**
   * Returns a unit's abbreviation, such as `t/ha`.
   * @throws NotFoundError if the unit does not exist
   */
  lookupUnitAbbreviation(unit_id: number, options?: Cancellable): Promise<string>;
}

entityOperations.takes = {
  lookup: promise(
    positional('entity_type', oneOf(ENTITY_TYPES)),
    positional('entity_ids', ID_OR_IDS),
    optional(CANCELLABLE),
  ),
  getAvailable: promise(positional('entity_type', oneOf(CONTAINING_TYPES)), optional(CANCELLABLE)),
  listUnits: promise(optional(CANCELLABLE)),
  listAvailable: promise(optional(SELECTION_KEYS), optional(CANCELLABLE)),
  getAllowedUnits: promise(
    positional('metric_id', ID),
    { name: 'item_id', schema: ID },
    optional(CANCELLABLE),
  ),
  lookupUnitAbbreviation: promise(positional('unit_id', ID), optional(CANCELLABLE)),
} satisfies ArgumentsOf<EntityOperations>;

export interface EntityLists {
  /**
   * Returns entities in the order of `entity_ids`, omitting unknown ids. Copy an entity before changing it, because the
   * cache holds the same object.
   */
  lookupList<Type extends EntityType>(
    entity_type: Type,
    entity_ids: readonly number[],
    options?: Cancellable,
  ): Promise<Map<number, EntityOf[Type]>>;
  /** Discards the cached entities, because an import may have changed them. */
  forgetEntities(): void;
}

/** The maximum number of ids per request, because many servers reject URLs longer than a few thousand characters. */
const IDS_PER_LOOKUP = 200;

const MAX_AVAILABLE = 5000;

export function entityOperations(transport: Transport): EntityOperations & EntityLists {
  const cache = new Map<string, Entity>();
  const read = entityReader(transport, cache);

  async function list<Type extends EntityType>(
    type: Type,
    { signal }: Cancellable = {},
  ): Promise<EntityOf[Type][]> {
    return readEntities(type, await transport.json('entities', { path: { type }, signal }));
  }

  async function lookup<Type extends EntityType>(
    entity_type: Type,
    entity_ids: number | readonly number[],
    options: Cancellable = {},
  ): Promise<EntityOf[Type] | Record<number, EntityOf[Type]>> {
    const found = await read(entity_type, [entity_ids].flat(), options);
    if (typeof entity_ids === 'object') return structuredClone(Object.fromEntries(found));
    const entity = found.get(entity_ids);
    if (entity === undefined)
      throw new NotFoundError(404, 'lookup', `there is no entity ${entity_ids} among the ${entity_type}`);
    return structuredClone(entity);
  }

  return {
    lookup: lookup as EntityOperations['lookup'],
    lookupList: read,
    forgetEntities: () => cache.clear(),
    listUnits: (options) => list('units', options),
    getAvailable: async (entity_type, options) => limitEntities(await list(entity_type, options)),
    async listAvailable(selected_entities = {}, { signal } = {}) {
      return (await transport.json('combinations', { query: toQuery(selected_entities), signal })).data;
    },
    async getAllowedUnits(metric_id, item_id, { signal } = {}) {
      const query = { metricIds: metric_id, itemIds: item_id };
      return (await transport.json('allowedUnits', { query, signal })).data.map(({ id }) => id);
    },
    lookupUnitAbbreviation: async (unit_id, options) =>
      ((await lookup('units', unit_id, options)) as Unit).abbreviation,
  };
}

/** Limits a list of entities. `truncated` is enumerable only if true, so that printing the array then shows it. */
function limitEntities<Type extends ContainingType>(entities: EntityOf[Type][]): AvailableEntities<Type> {
  const truncated = entities.length >= MAX_AVAILABLE;
  const listed = entities.slice(0, MAX_AVAILABLE);
  Object.defineProperty(listed, 'truncated', { value: truncated, enumerable: truncated });
  return listed as AvailableEntities<Type>;
}

function entityReader(transport: Transport, cache: Map<string, Entity>) {
  let staleAt = 0;
  /** Pending lookups without an abort signal. Concurrent calls for the same ids wait for these lookups. */
  const shared = new Map<string, Promise<unknown>>();

  return async <Type extends EntityType>(
    type: Type,
    ids: readonly number[],
    { signal }: Cancellable = {},
  ): Promise<Map<number, EntityOf[Type]>> => {
    const keyOf = (id: number): string => `${type}/${id}`;
    const others = ids.flatMap((id) => shared.get(keyOf(id)) ?? []);
    if (others.length > 0) await Promise.allSettled(others);
    if (cache.size > MAX_CACHED_ENTITIES || performance.now() >= staleAt) cache.clear();
    if (cache.size === 0) staleAt = performance.now() + CACHED_MS;
    const found = new Map<number, EntityOf[Type]>();
    const missing: number[] = [];
    for (const id of new Set(ids)) {
      const cached = cache.get(keyOf(id));
      if (cached === undefined) missing.push(id);
      else found.set(id, cached as EntityOf[Type]);
    }
    const asking = Promise.all(
      chunksOf(missing, IDS_PER_LOOKUP).map(async (chunk) => {
        const answer = await transport.json('entities', { path: { type }, query: { ids: chunk }, signal });
        for (const entity of readEntities(type, answer)) {
          cache.set(keyOf(entity.id), entity);
          found.set(entity.id, entity);
        }
      }),
    );
    if (signal === undefined) for (const id of missing) shared.set(keyOf(id), asking);
    await asking.finally(() => {
      if (signal === undefined) for (const id of missing) shared.delete(keyOf(id));
    });
    return new Map(ids.flatMap((id) => (found.has(id) ? [[id, found.get(id)!]] : [])));
  };
}

function readEntities<Type extends EntityType>(
  type: Type,
  { data }: EndpointAnswer<'entities'>,
): EntityOf[Type][] {
  const schema: v.GenericSchema<unknown, unknown> = ENTITY_SCHEMAS[type];
  return Object.values<unknown>(data).map(
    (entity) => readAnswer('entities', schema, entity, `${type}: an entity`) as EntityOf[Type],
  );
}

const MAX_CACHED_ENTITIES = 50_000;
/** How long entities are cached: long enough for one operation, because others may import corrections meanwhile. */
const CACHED_MS = 5_000;
