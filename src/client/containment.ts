import * as v from 'valibot';
import type { ContainingType, EntityOf, Region } from '../model/entity.js';
import { CONTAINING_TYPES, REGION_LEVELS } from '../model/entity.js';
import { badArgument } from '../model/errors.js';
import { CANCELLABLE, type Cancellable } from '../model/progress.js';
import type { OptionsOf } from '../model/schema/check.js';
import { FIELDS } from '../model/schema/fields.js';
import { type ArgumentsOf, optional, positional, promise, sequence } from '../model/schema/operation.js';
import { ID, integer, oneOf, TEXT } from '../model/schema/schemas.js';
import type { EntityLists, EntityOperations } from './entities.js';
import type { Transport } from './http/transport.js';
import type { SearchOperations } from './search.js';

const TRAVERSE = {
  ...CANCELLABLE,
  /** The number of levels to follow; defaults to all levels. Takes precedence over the region level. */
  distance: integer(),
  /** If false, returns only ids, which is faster; defaults to true. */
  include_details: v.boolean(),
  /** If false, omits regions that exist only in historical data; defaults to true. */
  include_historical: FIELDS.include_historical,
};
/** Options that set how many levels to follow and what to return for each entity. */
export interface TraverseOptions extends Cancellable, OptionsOf<typeof TRAVERSE> {}

const ANCESTOR = {
  ...TRAVERSE,
  /** Returns only regions at this level, one of `REGION_LEVELS`. */
  ancestor_level: FIELDS.region_level,
};
/** Options that select ancestors. */
export interface AncestorOptions extends Cancellable, OptionsOf<typeof ANCESTOR> {}

const DESCENDANT = {
  ...TRAVERSE,
  /** Returns only regions at this level, one of `REGION_LEVELS`. */
  descendant_level: FIELDS.region_level,
};
/** Options that select descendants. */
export interface DescendantOptions extends Cancellable, OptionsOf<typeof DESCENDANT> {}

/** An entity represented only by its id. */
export interface EntityId {
  /** Id of the entity. */
  id: number;
}

/** Entities of a type, or only their ids if `include_details` is false. */
export type Traversed<
  Type extends ContainingType,
  Options extends TraverseOptions,
> = Options['include_details'] extends false ? EntityId[] : EntityOf[Type][];

/** Finds the entities that contain an entity, or that are contained in it. */
export interface ContainmentOperations {
  /**
   * Returns the entities that contain the given entity: all of them, only those within `distance` levels, or only the
   * regions at `ancestor_level`.
   * @throws ArgumentError if a level is given for a type other than regions
   */
  getAncestor<Type extends ContainingType, Options extends AncestorOptions = AncestorOptions>(
    entity_type: Type,
    entity_id: number,
    options?: Options,
  ): Promise<Traversed<Type, Options>>;

  /**
   * Returns the entities that the given entity contains: all of them, only those within `distance` levels, or only the
   * regions at `descendant_level`.
   * @throws ArgumentError if a level is given for a type other than regions
   * @example
   * ```ts
   * const counties = await client.getDescendant('regions', iowa, { descendant_level: REGION_LEVELS.district });
   * ```
   */
  getDescendant<Type extends ContainingType, Options extends DescendantOptions = DescendantOptions>(
    entity_type: Type,
    entity_id: number,
    options?: Options,
  ): Promise<Traversed<Type, Options>>;

  /**
   * Returns the regions that the given region contains.
   * @deprecated use `getDescendant('regions', …)`
   */
  getDescendantRegions<Options extends DescendantOptions = DescendantOptions>(
    region_id: number,
    options?: Options,
  ): Promise<Traversed<'regions', Options>>;

  /** Yields the entities that directly contain the given entity. */
  lookupBelongs<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    options?: Cancellable,
  ): AsyncGenerator<EntityOf[Type], void, undefined>;

  /** Returns the provinces of the first country among the search results, or null if they include no country. */
  getProvinces(country_name: string, options?: Cancellable): Promise<Region[] | null>;
}

const CONTAINING_TYPE = positional('entity_type', oneOf(CONTAINING_TYPES));
const ENTITY_ID = positional('entity_id', ID);

containmentOperations.takes = {
  lookupBelongs: sequence(CONTAINING_TYPE, ENTITY_ID, optional(CANCELLABLE)),
  getAncestor: promise(CONTAINING_TYPE, ENTITY_ID, optional(ANCESTOR)),
  getDescendant: promise(CONTAINING_TYPE, ENTITY_ID, optional(DESCENDANT)),
  getDescendantRegions: promise(positional('region_id', ID), optional(DESCENDANT)),
  getProvinces: promise(positional('country_name', TEXT), optional(CANCELLABLE)),
} satisfies ArgumentsOf<ContainmentOperations>;

type Entities = Pick<EntityOperations & EntityLists, 'lookup' | 'lookupList'> &
  Pick<SearchOperations, 'searchAndLookup'>;

export function containmentOperations(transport: Transport, entities: Entities): ContainmentOperations {
  const traversal =
    (direction: 'ancestors' | 'descendants', level_argument: 'ancestor_level' | 'descendant_level') =>
    async (
      type: ContainingType,
      entity_id: number,
      { [level_argument]: level, ...options }: AncestorOptions & DescendantOptions = {},
    ): Promise<EntityId[]> => {
      const { include_details = true, include_historical = true, distance, signal } = options;
      if (level !== undefined && type !== 'regions')
        throw badArgument(level_argument, `only regions have levels, not ${type}`);
      const reach =
        distance === undefined && level !== undefined ? { level } : { distance: stepsOf(distance) };
      const includeHistorical = type === 'regions' ? include_historical : undefined;
      const query = { ids: [entity_id], ...reach, includeHistorical };
      const { data } = await transport.json(direction, { path: { type }, query, signal });
      const ids = data[entity_id] ?? [];
      if (!include_details) return ids.map((id) => ({ id }));
      return structuredClone([...(await entities.lookupList(type, ids, { signal })).values()]);
    };

  const operations = {
    getAncestor: traversal('ancestors', 'ancestor_level'),
    getDescendant: traversal('descendants', 'descendant_level'),
    getDescendantRegions: (region_id: number, options?: DescendantOptions) =>
      operations.getDescendant('regions', region_id, options),
    async *lookupBelongs(type: ContainingType, entity_id: number, options: Cancellable = {}) {
      const { belongsTo } = await entities.lookup(type, entity_id, options);
      const found = await entities.lookupList(type, belongsTo, options);
      for (const entity of found.values()) yield structuredClone(entity);
    },
    async getProvinces(country_name: string, { signal }: Cancellable = {}) {
      const { country, province: descendant_level } = REGION_LEVELS;
      const options = { num_results: Number.POSITIVE_INFINITY, signal };
      for await (const { id, level } of entities.searchAndLookup('regions', country_name, options))
        if (level === country) return operations.getDescendant('regions', id, { descendant_level, signal });
      return null;
    },
  };
  return operations as ContainmentOperations;
}

const ALL_LEVELS = -1;
/** More levels than any hierarchy has. If a greater distance is given, all levels are requested. */
const MAX_STEPS = 100;

function stepsOf(distance: number | undefined): number {
  return distance === undefined || distance > MAX_STEPS ? ALL_LEVELS : distance;
}
