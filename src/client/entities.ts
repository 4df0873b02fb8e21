import { entitySchemas } from '../contract/shapes.js';
import {
  type ContainingType,
  type EntityOf,
  type EntityType,
  REGION_LEVELS,
  type SearchableType,
  type SearchHit,
} from '../model/entity.js';
import { ArgumentError, ContractError, NotFoundError } from '../model/errors.js';
import type { Selection } from '../model/selection.js';
import { EntityCache } from './entity-cache.js';
import { toQuery } from './query.js';
import type { Transport } from './transport.js';

/** Ids that one lookup asks for; more are split over several requests. */
const IDS_PER_LOOKUP = 50;

/** A combination that has data, as `listAvailable` gives it. */
export interface AvailableCombination {
  metric_id: number;
  metric_name: string;
  item_id: number;
  item_name: string;
  region_id: number;
  region_name: string;
  source_id: number;
  source_name: string;
}

export interface ReachOptions {
  /** Levels to walk; all when omitted. Takes precedence over the level. */
  distance?: number;
  /** False gives ids only, which is faster. Default true. */
  include_details?: boolean;
  /** False leaves out regions that exist only in historical data. Default true. */
  include_historical?: boolean;
  signal?: AbortSignal;
}

type Cancel = { signal?: AbortSignal | undefined };

/** Exploration: entities, their names, and what contains what. */
export function entityOperations(transport: Transport) {
  const cache = new EntityCache();

  async function lookupList<Type extends EntityType>(
    type: Type,
    ids: readonly number[],
    { signal }: Cancel = {},
  ): Promise<Map<number, EntityOf[Type]>> {
    const missing = [...new Set(ids)].filter((id) => !cache.has(type, id));
    const chunks: number[][] = [];
    for (let i = 0; i < missing.length; i += IDS_PER_LOOKUP)
      chunks.push(missing.slice(i, i + IDS_PER_LOOKUP));
    const answers = await Promise.all(
      chunks.map((chunk) => transport.json('entities', { path: { type }, query: { ids: chunk }, signal })),
    );
    const fresh = new Map<number, EntityOf[Type]>();
    for (const answer of answers) {
      for (const entity of Object.values(answer?.data ?? {})) {
        const read = readEntity(type, entity);
        fresh.set(read.id, read);
        cache.set(type, read);
      }
    }
    const found = new Map<number, EntityOf[Type]>();
    for (const id of ids) {
      const entity = fresh.get(id) ?? cache.get(type, id);
      if (entity !== undefined) found.set(id, entity as EntityOf[Type]);
    }
    return found;
  }

  async function lookup<Type extends EntityType>(
    entity_type: Type,
    entity_ids: number,
    options?: Cancel,
  ): Promise<EntityOf[Type]>;
  async function lookup<Type extends EntityType>(
    entity_type: Type,
    entity_ids: readonly number[],
    options?: Cancel,
  ): Promise<Record<number, EntityOf[Type]>>;
  async function lookup<Type extends EntityType>(
    entity_type: Type,
    entity_ids: number | readonly number[],
    options: Cancel = {},
  ): Promise<EntityOf[Type] | Record<number, EntityOf[Type]>> {
    if (typeof entity_ids !== 'number')
      return Object.fromEntries(await lookupList(entity_type, entity_ids, options));
    const found = (await lookupList(entity_type, [entity_ids], options)).get(entity_ids);
    if (found === undefined)
      throw new NotFoundError(404, 'lookup', `there is no entity ${entity_ids} among ${entity_type}`);
    return found;
  }

  async function search(
    entity_type: SearchableType,
    search_terms: string,
    { signal }: Cancel = {},
  ): Promise<SearchHit[]> {
    requireText(search_terms, 'search_terms');
    const hits = await transport.json('search', {
      path: { type: entity_type },
      query: { q: search_terms },
      signal,
    });
    return (hits ?? []).map(({ id }) => ({ id }));
  }

  async function* searchAndLookup<Type extends SearchableType>(
    entity_type: Type,
    search_terms: string,
    { num_results = 10, signal }: Cancel & { num_results?: number } = {},
  ): AsyncGenerator<EntityOf[Type], void, undefined> {
    const hits = (await search(entity_type, search_terms, { signal })).slice(0, num_results);
    const found = await lookupList(
      entity_type,
      hits.map(({ id }) => id),
      { signal },
    );
    yield* found.values();
  }

  async function searchForEntity(
    entity_type: SearchableType,
    keywords: string,
    options: Cancel = {},
  ): Promise<number | undefined> {
    return (await search(entity_type, keywords, options))[0]?.id;
  }

  async function getAvailable<Type extends ContainingType>(
    entity_type: Type,
    { signal }: Cancel = {},
  ): Promise<EntityOf[Type][]> {
    const answer = await transport.json('entities', { path: { type: entity_type }, signal });
    return Object.values(answer?.data ?? {}).map((entity) => readEntity(entity_type, entity));
  }

  async function listAvailable(
    selected_entities: Selection = {},
    { signal }: Cancel = {},
  ): Promise<AvailableCombination[]> {
    return (await transport.json('combinations', { query: toQuery(selected_entities), signal }))?.data ?? [];
  }

  async function getAllowedUnits(
    metric_id: number,
    item_id?: number,
    { signal }: Cancel = {},
  ): Promise<number[]> {
    const query = { metricIds: [metric_id], itemIds: item_id === undefined ? undefined : [item_id] };
    return ((await transport.json('allowedUnits', { query, signal }))?.data ?? []).map(({ id }) => id);
  }

  async function lookupUnitAbbreviation(unit_id: number, options: Cancel = {}): Promise<string> {
    return (await lookup('units', unit_id, options)).abbreviation;
  }

  async function* lookupBelongs<Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    options: Cancel = {},
  ): AsyncGenerator<EntityOf[Type], void, undefined> {
    const entity = await lookup(entity_type, entity_id, options);
    yield* (await lookupList(entity_type, entity.belongsTo, options)).values();
  }

  async function reach<Type extends ContainingType>(
    name: 'ancestors' | 'descendants',
    type: Type,
    entity_id: number,
    { level, ...options }: ReachOptions & { level?: number | undefined },
  ): Promise<EntityOf[Type][]> {
    const { distance, include_details = true, include_historical = true, signal } = options;
    if (level !== undefined && type !== 'regions')
      throw new ArgumentError('level', `a level is for regions only, not for ${type}`);
    const query = {
      ids: [entity_id],
      distance,
      level: distance === undefined ? level : undefined,
      includeHistorical: include_historical,
    };
    const everything = distance === undefined && level === undefined ? { ...query, distance: -1 } : query;
    const answer = await transport.json(name, { path: { type }, query: everything, signal });
    const ids = answer?.data[String(entity_id)] ?? [];
    if (!include_details) return ids.map((id) => ({ id })) as EntityOf[Type][];
    return [...(await lookupList(type, ids, { signal })).values()];
  }

  const getAncestor = <Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    { ancestor_level, ...options }: ReachOptions & { ancestor_level?: number } = {},
  ): Promise<EntityOf[Type][]> =>
    reach('ancestors', entity_type, entity_id, { ...options, level: ancestor_level });

  const getDescendant = <Type extends ContainingType>(
    entity_type: Type,
    entity_id: number,
    { descendant_level, ...options }: ReachOptions & { descendant_level?: number } = {},
  ): Promise<EntityOf[Type][]> =>
    reach('descendants', entity_type, entity_id, { ...options, level: descendant_level });

  /** @deprecated use `getDescendant('regions', …)` */
  const getDescendantRegions = (
    region_id: number,
    options: ReachOptions & { descendant_level?: number } = {},
  ): Promise<EntityOf['regions'][]> => getDescendant('regions', region_id, options);

  /** Provinces of the first search result that is a country; null when there is none. */
  async function getProvinces(
    country_name: string,
    { signal }: Cancel = {},
  ): Promise<EntityOf['regions'][] | null> {
    for await (const region of searchAndLookup('regions', country_name, { signal })) {
      if (region.level === REGION_LEVELS.country)
        return getDescendant('regions', region.id, {
          descendant_level: REGION_LEVELS.province,
          ...(signal ? { signal } : {}),
        });
    }
    return null;
  }

  return {
    lookup,
    lookupList,
    search,
    searchAndLookup,
    searchForEntity,
    getAvailable,
    listAvailable,
    getAllowedUnits,
    lookupUnitAbbreviation,
    lookupBelongs,
    getAncestor,
    getDescendant,
    getDescendantRegions,
    getProvinces,
  };
}

export type EntityOperations = ReturnType<typeof entityOperations>;

function requireText(text: string, argument: string): void {
  if (typeof text === 'string' && text.trim() !== '') return;
  throw new ArgumentError(argument, `${argument}: give the words to search for`);
}

function readEntity<Type extends EntityType>(type: Type, value: unknown): EntityOf[Type] {
  const result = entitySchemas[type].safeParse(value);
  if (result.success) return result.data as EntityOf[Type];
  const issue = result.error.issues[0]!;
  const where = `${type}: an entity does not fit the contract at ${issue.path.join('.')}`;
  throw new ContractError('entities', `${where}: ${issue.message}`);
}
