import {
  CONTAINING_TYPES,
  type ContainingType,
  type EntityOf,
  REGION_LEVELS,
  type Region,
} from '../model/entity.js';
import { ArgumentError } from '../model/errors.js';
import { checkIds, checkOneOf, checkWhole } from './argument-checks.js';
import type { EntityOperations } from './entities.js';
import type { Cancellable } from './http/cancellable.js';
import type { Transport } from './http/transport.js';
import type { SearchOperations } from './search.js';

/** How far containment is walked, and what is given of what it reaches. */
export interface TraverseOptions extends Cancellable {
  /** Levels to walk; all when omitted. Takes precedence over the level. */
  distance?: number | undefined;
  /** False gives ids only, which is faster. Default true. */
  include_details?: boolean | undefined;
  /** False leaves out regions that exist only in historical data. Default true. */
  include_historical?: boolean | undefined;
}

/** What `include_details: false` leaves of an entity. */
export interface EntityId {
  id: number;
}

type AncestorOptions = TraverseOptions & { ancestor_level?: number | undefined };
type DescendantOptions = TraverseOptions & { descendant_level?: number | undefined };
type IdsOnly = { include_details: false };

/** What contains what. */
export function containmentOperations(
  transport: Transport,
  entities: Pick<EntityOperations, 'lookup' | 'lookupList'> & Pick<SearchOperations, 'searchAndLookup'>,
) {
  async function traverse<Type extends ContainingType>(
    direction: 'ancestors' | 'descendants',
    type: Type,
    entity_id: number,
    options: TraverseOptions & { level: number | undefined; level_argument: string },
  ): Promise<(EntityOf[Type] | EntityId)[]> {
    const { include_details = true, include_historical = true, signal } = options;
    const query = reachQuery(type, entity_id, options);
    const answer = await transport.json(direction, { path: { type }, query, signal });
    const ids = answer?.data[String(entity_id)] ?? [];
    if (!include_details) return ids.map((id) => ({ id }));
    const found = [...(await entities.lookupList(type, ids, { signal })).values()];
    const wanted = include_historical ? found : found.filter((entity) => !isHistorical(entity));
    return structuredClone(wanted);
  }

  /** The entities that contain this one: all of them, those within `distance`, or the regions of `ancestor_level`. */
  function getAncestor<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    options: AncestorOptions & IdsOnly,
  ): Promise<EntityId[]>;
  function getAncestor<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    options?: AncestorOptions,
  ): Promise<EntityOf[Type][]>;
  async function getAncestor<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    { ancestor_level, ...options }: AncestorOptions = {},
  ): Promise<EntityId[]> {
    const level = { level: ancestor_level, level_argument: 'ancestor_level' };
    return traverse('ancestors', entity_type, entity_id, { ...options, ...level });
  }

  /** The entities that this one contains: all of them, those within `distance`, or the regions of `descendant_level`. */
  function getDescendant<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    options: DescendantOptions & IdsOnly,
  ): Promise<EntityId[]>;
  function getDescendant<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    options?: DescendantOptions,
  ): Promise<EntityOf[Type][]>;
  async function getDescendant<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    { descendant_level, ...options }: DescendantOptions = {},
  ): Promise<EntityId[]> {
    const level = { level: descendant_level, level_argument: 'descendant_level' };
    return traverse('descendants', entity_type, entity_id, { ...options, ...level });
  }

  /**
   * The regions that this one contains.
   * @deprecated use `getDescendant('regions', …)`
   */
  function getDescendantRegions(region_id: number, options: DescendantOptions & IdsOnly): Promise<EntityId[]>;
  function getDescendantRegions(region_id: number, options?: DescendantOptions): Promise<Region[]>;
  async function getDescendantRegions(
    region_id: number,
    options: DescendantOptions = {},
  ): Promise<EntityId[]> {
    return getDescendant('regions', region_id, options);
  }

  /** The entities that directly contain this one. */
  async function* lookupBelongs<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    options: Cancellable = {},
  ): AsyncGenerator<EntityOf[Type], void, undefined> {
    checkOneOf(entity_type, CONTAINING_TYPES, 'entity_type');
    const { belongsTo } = await entities.lookup(entity_type, entity_id, options);
    const found = await entities.lookupList(entity_type, belongsTo, options);
    for (const entity of found.values()) yield structuredClone(entity);
  }

  /** The provinces of the first search result that is a country; null when none is. */
  async function getProvinces(country_name: string, { signal }: Cancellable = {}): Promise<Region[] | null> {
    const hits = entities.searchAndLookup('regions', country_name, {
      num_results: Number.POSITIVE_INFINITY,
      signal,
    });
    for await (const region of hits) {
      if (region.level !== REGION_LEVELS.country) continue;
      return getDescendant('regions', region.id, { descendant_level: REGION_LEVELS.province, signal });
    }
    return null;
  }

  return { getAncestor, getDescendant, getDescendantRegions, lookupBelongs, getProvinces };
}

/** The operations that walk containment. */
export type ContainmentOperations = ReturnType<typeof containmentOperations>;

/** @throws ArgumentError when something cannot be walked */
function reachQuery(
  type: ContainingType,
  entity_id: number,
  options: TraverseOptions & { level: number | undefined; level_argument: string },
): Record<string, unknown> {
  const { distance, level, level_argument, include_historical = true } = options;
  checkOneOf(type, CONTAINING_TYPES, 'entity_type');
  checkIds([entity_id], 'entity_id');
  if (distance !== undefined) checkWhole(distance, 'distance');
  if (level !== undefined) {
    if (type !== 'regions')
      throw new ArgumentError(
        level_argument,
        `${level_argument}: levels are for regions only, not for ${type}`,
      );
    checkWhole(level, level_argument, { min: REGION_LEVELS.world, max: REGION_LEVELS.coordinate });
  }
  const how = distance === undefined && level !== undefined ? { level } : { distance: stepsOf(distance) };
  return { ids: [entity_id], ...how, includeHistorical: type === 'regions' ? include_historical : undefined };
}

const ALL_LEVELS = -1;
/** More steps than any hierarchy is deep, and the most that one request may name. */
const MAX_STEPS = 100;

function stepsOf(distance: number | undefined): number {
  return distance === undefined || distance > MAX_STEPS ? ALL_LEVELS : distance;
}

function isHistorical(entity: object): boolean {
  return 'historical' in entity && entity.historical === true;
}
