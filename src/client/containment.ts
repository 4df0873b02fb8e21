import { checkFlag, checkId, checkText, oneOf, whole } from '../model/arguments/checks.js';
import { CANCELLABLE, FIELDS } from '../model/arguments/fields.js';
import { type ArgumentsOf, optional, positional, promise, sequence } from '../model/arguments/operation.js';
import type { OptionKeys } from '../model/arguments/option-keys.js';
import {
  CONTAINING_TYPES,
  type ContainingType,
  type EntityOf,
  REGION_LEVELS,
  type Region,
} from '../model/entity.js';
import { badAnswer, badArgument, type ContractError, NotFoundError } from '../model/errors.js';
import type { Cancellable } from '../model/progress.js';
import type { EntityLists, EntityOperations } from './entities.js';
import { ID_FIELDS, movedId } from './http/id-redirects.js';
import type { Transport } from './http/transport.js';
import type { SearchOperations } from './search.js';

/** The reach of a traversal, and the details of its result. */
export interface TraverseOptions extends Cancellable {
  /** Levels to follow; all when omitted. Takes precedence over the level. */
  distance?: number | undefined;
  /** False returns ids only, which is faster. Default true. */
  include_details?: boolean | undefined;
  /** False leaves out regions that exist only in historical data. Default true. */
  include_historical?: boolean | undefined;
}

/** Which ancestors are returned. */
export interface AncestorOptions extends TraverseOptions {
  /** Only regions of this level, one of `REGION_LEVELS`. */
  ancestor_level?: number | undefined;
}

/** Which descendants are returned. */
export interface DescendantOptions extends TraverseOptions {
  /** Only regions of this level, one of `REGION_LEVELS`. */
  descendant_level?: number | undefined;
}

/** Asks for ids without the entities. */
export interface IdsOnly {
  /** False returns ids only, which is faster. */
  include_details: false;
}

/** An entity by its id alone. */
export interface EntityId {
  /** Id of the entity. */
  id: number;
}

/** Which entities contain which. */
export interface ContainmentOperations {
  /** The ids of the entities that contain this one, directly or not. */
  getAncestor<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    options: AncestorOptions & IdsOnly,
  ): Promise<EntityId[]>;
  /**
   * The entities that contain this one: all of them, those within `distance`, or the regions of `ancestor_level`.
   * @throws ArgumentError when a level is given for a type other than regions; ContractError when you exclude
   * historical regions and the service does not mark them
   */
  getAncestor<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    options?: AncestorOptions,
  ): Promise<EntityOf[Type][]>;

  /** The ids of the entities that this one contains, directly or not. */
  getDescendant<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    options: DescendantOptions & IdsOnly,
  ): Promise<EntityId[]>;
  /**
   * The entities that this one contains: all of them, those within `distance`, or the regions of `descendant_level`.
   * @throws ArgumentError when a level is given for a type other than regions; ContractError when you exclude
   * historical regions and the service does not mark them
   * @example
   * ```ts
   * const counties = await client.getDescendant('regions', iowa, { descendant_level: REGION_LEVELS.district });
   * ```
   */
  getDescendant<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    options?: DescendantOptions,
  ): Promise<EntityOf[Type][]>;

  /**
   * The ids of the regions that this one contains.
   * @deprecated use `getDescendant('regions', …)`
   */
  getDescendantRegions(region_id: number, options: DescendantOptions & IdsOnly): Promise<EntityId[]>;
  /**
   * The regions that this one contains.
   * @deprecated use `getDescendant('regions', …)`
   */
  getDescendantRegions(region_id: number, options?: DescendantOptions): Promise<Region[]>;

  /** The entities that directly contain this one. */
  lookupBelongs<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    options?: Cancellable,
  ): AsyncGenerator<EntityOf[Type], void, undefined>;

  /**
   * The provinces of the best search result that is a country; null when no result is a country.
   * @throws ContractError when the service does not say the level of a result before it
   */
  getProvinces(country_name: string, options?: Cancellable): Promise<Region[] | null>;
}

const CONTAINING_TYPE = positional('entity_type', oneOf(CONTAINING_TYPES));
const ENTITY_ID = positional('entity_id', checkId);

const LEVEL = whole({ min: REGION_LEVELS.world, max: REGION_LEVELS.coordinate });
const TRAVERSE: OptionKeys<TraverseOptions> = {
  ...CANCELLABLE,
  distance: whole(),
  include_details: checkFlag,
  include_historical: FIELDS.include_historical,
};
const ANCESTOR: OptionKeys<AncestorOptions> = { ...TRAVERSE, ancestor_level: LEVEL };
const DESCENDANT: OptionKeys<DescendantOptions> = { ...TRAVERSE, descendant_level: LEVEL };

/** The arguments of these operations. */
containmentOperations.takes = {
  lookupBelongs: sequence(CONTAINING_TYPE, ENTITY_ID, optional(CANCELLABLE)),
  getAncestor: promise(CONTAINING_TYPE, ENTITY_ID, optional(ANCESTOR)),
  getDescendant: promise(CONTAINING_TYPE, ENTITY_ID, optional(DESCENDANT)),
  getDescendantRegions: promise(positional('region_id', checkId), optional(DESCENDANT)),
  getProvinces: promise(positional('country_name', checkText), optional(CANCELLABLE)),
} satisfies ArgumentsOf<ContainmentOperations>;

/** The operations that containment needs. */
interface Containment {
  readonly transport: Transport;
  readonly entities: Pick<EntityOperations & EntityLists, 'lookup' | 'lookupList'> &
    Pick<SearchOperations, 'searchAndLookup'>;
}

/** Containment, over a transport. */
export function containmentOperations(
  transport: Transport,
  entities: Containment['entities'],
): ContainmentOperations {
  const client = { transport, entities };

  const traversal =
    (direction: 'ancestors' | 'descendants', level_argument: 'ancestor_level' | 'descendant_level') =>
    (
      type: ContainingType,
      entity_id: number,
      { [level_argument]: level, ...options }: AncestorOptions & DescendantOptions = {},
    ) =>
      traverse(client, { direction, type, entity_id, ...options, level, level_argument });
  const getAncestor = traversal('ancestors', 'ancestor_level');
  const getDescendant = traversal('descendants', 'descendant_level');
  const getDescendantRegions = (region_id: number, options?: DescendantOptions) =>
    getDescendant('regions', region_id, options);

  const operations = { getAncestor, getDescendant, getDescendantRegions } as ContainmentOperations;
  return {
    ...operations,
    lookupBelongs: (entity_type, entity_id, options = {}) =>
      lookupBelongs(client, entity_type, entity_id, options),
    async getProvinces(country_name, { signal } = {}) {
      const id = await findCountry(entities, country_name, signal);
      if (id === null) return null;
      return operations.getDescendant('regions', id, { descendant_level: REGION_LEVELS.province, signal });
    },
  };
}

interface Traversal extends TraverseOptions {
  readonly direction: 'ancestors' | 'descendants';
  readonly type: ContainingType;
  readonly entity_id: number;
  readonly level: number | undefined;
  /** The caller's name for the level, for error messages. */
  readonly level_argument: string;
}

async function traverse({ transport, entities }: Containment, traversal: Traversal): Promise<EntityId[]> {
  const { direction, type, entity_id, include_details = true, include_historical = true, signal } = traversal;
  const query = traversalQuery(traversal);
  let current = entity_id;
  const answer = await transport.json(direction, { path: { type }, query, signal }, ({ data }, moved) => {
    current = movedId(ID_FIELDS[type], entity_id, moved);
    const others = Object.keys(data).filter((id) => id !== String(current));
    if (others.length > 0 && !(current in data))
      throw badAnswer(direction, `the request is for ${current}, but the answer for ${others[0]}`);
  });
  const ids = answer?.data[current] ?? [];
  const filters = type === 'regions' && !include_historical;
  if (!include_details && !filters) return ids.map((id) => ({ id }));
  const found = await entities.lookupList(type, ids, { signal });
  // A service may ignore the flag.
  const wanted = filters ? ids.filter((id) => !isHistorical(id, found.get(id))) : ids;
  if (!include_details) return wanted.map((id) => ({ id }));
  return structuredClone([...new Set(wanted)].flatMap((id) => found.get(id) ?? []));
}

async function* lookupBelongs<Type extends ContainingType>(
  client: Containment,
  entity_type: Type,
  entity_id: number,
  options: Cancellable,
): AsyncGenerator<EntityOf[Type], void, undefined> {
  const { belongsTo } = await client.entities.lookup(entity_type, entity_id, options);
  if (belongsTo.length === 0) {
    yield* await containersOf(client, entity_type, entity_id, options);
    return;
  }
  const found = await client.entities.lookupList(entity_type, belongsTo, options);
  for (const entity of found.values()) yield structuredClone(entity);
}

/** The direct containers of an entity that does not list them; none where the service has no such operation. */
async function containersOf<Type extends ContainingType>(
  client: Containment,
  type: Type,
  entity_id: number,
  { signal }: Cancellable,
): Promise<EntityOf[Type][]> {
  const level = { level: undefined, level_argument: 'ancestor_level' };
  try {
    const asked = { direction: 'ancestors', type, entity_id, distance: 1, ...level, signal } as const;
    return (await traverse(client, asked)) as EntityOf[Type][];
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

async function findCountry(
  entities: Containment['entities'],
  country_name: string,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  const num_results = Number.POSITIVE_INFINITY;
  for await (const region of entities.searchAndLookup('regions', country_name, { num_results, signal })) {
    if (region.level === REGION_LEVELS.country) return region.id;
    if (region.level === null) throw unsaid(region.id, 'level');
  }
  return null;
}

/** @throws ArgumentError when the type, the id, the distance or the level cannot be followed */
function traversalQuery(traversal: Traversal): Record<string, unknown> {
  const { type, entity_id, distance, level, level_argument, include_historical = true } = traversal;
  if (level !== undefined) {
    if (type !== 'regions') throw badArgument(level_argument, `only regions have levels, not ${type}`);
  }
  const limit = distance === undefined && level !== undefined ? { level } : { distance: stepsOf(distance) };
  return {
    ids: [entity_id],
    ...limit,
    includeHistorical: type === 'regions' ? include_historical : undefined,
  };
}

const ALL_LEVELS = -1;
/** The wire's maximum for one request, and deeper than any hierarchy. */
const MAX_STEPS = 100;

function stepsOf(distance: number | undefined): number {
  return distance === undefined || distance > MAX_STEPS ? ALL_LEVELS : distance;
}

/** @throws ContractError when the service does not say it */
function isHistorical(id: number, entity: object | undefined): boolean {
  if (entity === undefined || !('historical' in entity) || typeof entity.historical !== 'boolean')
    throw unsaid(id, 'historical');
  return entity.historical;
}

function unsaid(region_id: number, field: 'level' | 'historical'): ContractError {
  const problem = `the service does not say the field "${field}" of region ${region_id}`;
  return badAnswer('entities', problem, { field });
}
