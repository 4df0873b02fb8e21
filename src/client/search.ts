import * as v from 'valibot';
import type { CountedHit } from '../contract/endpoints.js';
import type { EntityOf, SearchableType, SearchHit } from '../model/entity.js';
import { SEARCHABLE_TYPES } from '../model/entity.js';
import { chunksOf } from '../model/grouping.js';
import { CANCELLABLE, type Cancellable } from '../model/progress.js';
import type { OptionsOf } from '../model/schema/check.js';
import { FIELDS } from '../model/schema/fields.js';
import { type ArgumentsOf, optional, positional, promise, sequence } from '../model/schema/operation.js';
import { integer, listOf, oneOf, TEXT } from '../model/schema/schemas.js';
import type { EntityLists } from './entities.js';
import type { Transport } from './http/transport.js';
import { type NameOperations, requireExact } from './resolve.js';

const SEARCH = {
  ...CANCELLABLE,
  /** Maximum number of results; default 10. `Infinity` yields every hit. */
  num_results: v.union([integer(), v.literal(Number.POSITIVE_INFINITY)]),
};
/** Options that limit the number of search results. */
export interface SearchOptions extends Cancellable, OptionsOf<typeof SEARCH> {}

const SEARCH_ALL = {
  ...CANCELLABLE,
  /** The entity types to search; defaults to all four types. */
  types: listOf(oneOf(SEARCHABLE_TYPES)),
  /** Maximum number of hits, up to 100; default 20. */
  limit: FIELDS.hits,
};
/** Options for searching several entity types. */
export interface SearchAllOptions extends Cancellable, OptionsOf<typeof SEARCH_ALL> {}

/** Finds entities by name. */
export interface SearchOperations {
  /**
   * Returns the ids of the entities that match the search terms, best match first.
   * @param search_terms words from a name, a synonym or a code, in any order
   * @throws ArgumentError if `search_terms` is empty
   * @example
   * ```ts
   * const [best] = await client.search('items', 'corn'); // { id: … }
   * ```
   */
  search(entity_type: SearchableType, search_terms: string, options?: Cancellable): Promise<SearchHit[]>;

  /**
   * Yields the entities that match the search terms, best match first, and looks them up as they are consumed.
   * @throws ArgumentError if `search_terms` is empty
   * @example
   * ```ts
   * for await (const region of client.searchAndLookup('regions', 'washington')) console.log(region.name);
   * ```
   */
  searchAndLookup<Type extends SearchableType>(
    entity_type: Type,
    search_terms: string,
    options?: SearchOptions,
  ): AsyncGenerator<EntityOf[Type], void, undefined>;

  /**
   * Returns the id of the best match, or `undefined` if nothing matches.
   * @throws ArgumentError if `keywords` is empty, or if more than one entity has this name ("Georgia"); the error lists
   * these entities
   */
  searchForEntity(
    entity_type: SearchableType,
    keywords: string,
    options?: Cancellable,
  ): Promise<number | undefined>;

  /**
   * Returns the entities of any type that match the search terms, each with its series count. Entities with series come
   * first, then the best matches. The last word may be incomplete, so the search can run while a user types.
   * @throws ArgumentError if `search_terms` is empty; NotFoundError if the service does not support this search
   * @example
   * ```ts
   * const [first] = await client.searchAll('cor'); // { entity_type: 'items', name: 'Corn', series: 4, … }
   * ```
   */
  searchAll(search_terms: string, options?: SearchAllOptions): Promise<CountedHit[]>;
}

const SEARCHABLE_TYPE = positional('entity_type', oneOf(SEARCHABLE_TYPES));
const SEARCH_TERMS = positional('search_terms', TEXT);

searchOperations.takes = {
  search: promise(SEARCHABLE_TYPE, SEARCH_TERMS, optional(CANCELLABLE)),
  searchAll: promise(SEARCH_TERMS, optional(SEARCH_ALL)),
  searchForEntity: promise(SEARCHABLE_TYPE, positional('keywords', TEXT), optional(CANCELLABLE)),
  searchAndLookup: sequence(SEARCHABLE_TYPE, SEARCH_TERMS, optional(SEARCH)),
} satisfies ArgumentsOf<SearchOperations>;

const HITS_PER_LOOKUP = 50;

export function searchOperations(
  transport: Transport,
  entities: Pick<EntityLists, 'lookupList'> & Pick<NameOperations, 'resolveName'>,
): SearchOperations {
  const search: SearchOperations['search'] = async (entity_type, search_terms, { signal } = {}) => {
    const call = { path: { type: entity_type }, query: { q: search_terms }, signal };
    return (await transport.json('search', call)).map(({ id }) => ({ id }));
  };

  return {
    search,
    async *searchAndLookup(entity_type, search_terms, { num_results = 10, signal } = {}) {
      const hits = (await search(entity_type, search_terms, { signal })).slice(0, num_results);
      for (const chunk of chunksOf(hits, HITS_PER_LOOKUP)) {
        const ids = chunk.map(({ id }) => id);
        const found = await entities.lookupList(entity_type, ids, { signal });
        for (const entity of found.values()) yield structuredClone(entity);
      }
    },
    async searchAll(search_terms, { types, limit, signal } = {}) {
      const call = { query: { q: search_terms, types, limit }, signal };
      return (await transport.json('searchHits', call)).data;
    },
    async searchForEntity(entity_type, keywords, options = {}) {
      const match = await entities.resolveName(entity_type, keywords, options);
      if (match?.exact === true) requireExact(match, { argument: 'keywords', refusal: '' });
      return match?.id;
    },
  };
}
