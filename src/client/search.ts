import { type EntityOf, SEARCHABLE_TYPES, type SearchableType, type SearchHit } from '../model/entity.js';
import type { Cancellable } from '../model/progress.js';
import { checkOneOf, checkText, checkWhole } from './argument-checks.js';
import { chunksOf } from './chunks.js';
import { type EntityLists, IDS_PER_LOOKUP } from './entities.js';
import type { Transport } from './http/transport.js';

/** How many results a search yields. */
export interface SearchOptions extends Cancellable {
  /** Default 10; infinity yields every hit. */
  num_results?: number | undefined;
}

/** Finding entities by name. */
export interface SearchOperations {
  /**
   * Ids of the entities that match a text, best first.
   * @param search_terms words of a name, a synonym or a code, in any order
   * @throws ArgumentError when the text is empty
   * @example
   * ```ts
   * const [best] = await client.search('items', 'corn'); // { id: … }
   * ```
   */
  search(entity_type: SearchableType, search_terms: string, options?: Cancellable): Promise<SearchHit[]>;

  /**
   * The entities that match a text, best first, looked up as they are consumed.
   * @throws ArgumentError when the text is empty
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
   * The id of the best match; undefined when nothing matches.
   * @throws ArgumentError when the text is empty
   */
  searchForEntity(
    entity_type: SearchableType,
    keywords: string,
    options?: Cancellable,
  ): Promise<number | undefined>;
}

/** Search, over a transport. */
export function searchOperations(
  transport: Transport,
  entities: Pick<EntityLists, 'lookupList'>,
): SearchOperations {
  async function search(
    entity_type: SearchableType,
    search_terms: string,
    { signal }: Cancellable = {},
  ): Promise<SearchHit[]> {
    checkOneOf(entity_type, SEARCHABLE_TYPES, 'entity_type');
    checkText(search_terms, 'search_terms');
    const call = { path: { type: entity_type }, query: { q: search_terms }, signal };
    return ((await transport.json('search', call)) ?? []).map(({ id }) => ({ id }));
  }

  return {
    search,
    async *searchAndLookup(entity_type, search_terms, { num_results = 10, signal } = {}) {
      if (num_results !== Number.POSITIVE_INFINITY) checkWhole(num_results, 'num_results');
      const hits = (await search(entity_type, search_terms, { signal })).slice(0, num_results);
      for (const chunk of chunksOf(hits, IDS_PER_LOOKUP)) {
        const ids = chunk.map(({ id }) => id);
        const found = await entities.lookupList(entity_type, ids, { signal });
        for (const entity of found.values()) yield structuredClone(entity);
      }
    },
    async searchForEntity(entity_type, keywords, options = {}) {
      checkText(keywords, 'keywords');
      return (await search(entity_type, keywords, options))[0]?.id;
    },
  };
}
