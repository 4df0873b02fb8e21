import { entitySchemas } from '../contract/shapes.js';
import {
  CONTAINING_TYPES,
  type ContainingType,
  ENTITY_TYPES,
  type EntityOf,
  type EntityType,
} from '../model/entity.js';
import { ContractError, NotFoundError } from '../model/errors.js';
import { checkIds, checkOneOf } from './argument-checks.js';
import { chunksOf } from './chunks.js';
import { EntityCache } from './entity-cache.js';
import type { Cancellable } from './http/cancellable.js';
import type { Transport } from './http/transport.js';

/** Ids that one lookup asks for; more are split over several requests. */
export const IDS_PER_LOOKUP = 50;

/** Entities that `getAvailable` gives at most. */
export const MAX_AVAILABLE = 5000;

/** Looking entities up by id, and listing what there is of a type. */
export function entityOperations(transport: Transport) {
  const cache = new EntityCache();

  /**
   * Entities by id, in the order of `ids`; ids that do not exist are absent. Repeated ids are asked for once, ids
   * already looked up by this client not at all, many ids in several requests.
   * @throws ArgumentError, and the errors of the transport
   */
  async function lookupList<Type extends EntityType>(
    entity_type: Type,
    entity_ids: readonly number[],
    { signal }: Cancellable = {},
  ): Promise<Map<number, EntityOf[Type]>> {
    checkOneOf(entity_type, ENTITY_TYPES, 'entity_type');
    checkIds(entity_ids, 'entity_ids');
    const found = new Map<number, EntityOf[Type]>();
    const missing: number[] = [];
    for (const id of new Set(entity_ids)) {
      const known = cache.get(entity_type, id);
      if (known === undefined) missing.push(id);
      else found.set(id, known);
    }
    await Promise.all(
      chunksOf(missing, IDS_PER_LOOKUP).map(async (ids) => {
        for (const entity of await ask(entity_type, ids, signal)) {
          cache.set(entity_type, entity);
          found.set(entity.id, entity);
        }
      }),
    );
    return inOrder(entity_ids, found);
  }

  async function ask<Type extends EntityType>(
    type: Type,
    ids: readonly number[] | undefined,
    signal: AbortSignal | undefined,
  ): Promise<EntityOf[Type][]> {
    const answer = await transport.json('entities', { path: { type }, query: { ids }, signal });
    return Object.values(answer?.data ?? {}).map((entity) => readEntity(type, entity));
  }

  /**
   * One entity by its id, or several as an object keyed by id, from which ids that do not exist are absent.
   * @throws NotFoundError when a single id does not exist
   */
  function lookup<Type extends EntityType>(
    entity_type: Type,
    entity_ids: number,
    options?: Cancellable,
  ): Promise<EntityOf[Type]>;
  function lookup<Type extends EntityType>(
    entity_type: Type,
    entity_ids: readonly number[],
    options?: Cancellable,
  ): Promise<Record<number, EntityOf[Type]>>;
  async function lookup<Type extends EntityType>(
    entity_type: Type,
    entity_ids: number | readonly number[],
    options: Cancellable = {},
  ): Promise<EntityOf[Type] | Record<number, EntityOf[Type]>> {
    if (typeof entity_ids === 'object')
      return structuredClone(Object.fromEntries(await lookupList(entity_type, entity_ids, options)));
    const found = (await lookupList(entity_type, [entity_ids], options)).get(entity_ids);
    if (found === undefined)
      throw new NotFoundError(404, 'lookup', `there is no entity ${entity_ids} among ${entity_type}`);
    return structuredClone(found);
  }

  /** What there is of a type, by id: the first 5000. */
  async function getAvailable<Type extends ContainingType>(
    entity_type: Type,
    { signal }: Cancellable = {},
  ): Promise<EntityOf[Type][]> {
    checkOneOf(entity_type, CONTAINING_TYPES, 'entity_type');
    return (await ask(entity_type, undefined, signal)).slice(0, MAX_AVAILABLE);
  }

  /** Every unit of the service, for those who must name units before they see the points. */
  function listUnits({ signal }: Cancellable = {}): Promise<EntityOf['units'][]> {
    return ask('units', undefined, signal);
  }

  return { lookup, lookupList, getAvailable, listUnits };
}

/** The operations that look entities up. */
export type EntityOperations = ReturnType<typeof entityOperations>;

function inOrder<Entity>(ids: readonly number[], found: ReadonlyMap<number, Entity>): Map<number, Entity> {
  const ordered = new Map<number, Entity>();
  for (const id of ids) {
    const entity = found.get(id);
    if (entity !== undefined) ordered.set(id, entity);
  }
  return ordered;
}

function readEntity<Type extends EntityType>(type: Type, value: unknown): EntityOf[Type] {
  const result = entitySchemas[type].safeParse(value);
  if (result.success) return result.data as EntityOf[Type];
  const issue = result.error.issues[0]!;
  const where = `${type}: an entity does not fit the contract at ${issue.path.join('.')}`;
  throw new ContractError('entities', `${where}: ${issue.message}`);
}
