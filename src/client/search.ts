import { type EntityOf, SEARCHABLE_TYPES, type SearchableType, type SearchHit } from '../model/entity.js';
import { checkOneOf, checkText, checkWhole } from './argument-checks.js';
import { chunksOf } from './chunks.js';
import { type EntityOperations, IDS_PER_LOOKUP } from './entities.js';
import type { Cancellable } from './http/cancellable.js';
import type { Transport } from './http/transport.js';

/** Finding entities by name. */
export function searchOperations(transport: Transport, entities: Pick<EntityOperations, 'lookupList'>) {
  /** Ids of the entities that a text names, best first. @throws ArgumentError for an empty text */
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

  /** The entities that a text names, best first, at most `num_results` (default 10); looked up as they are taken. */
  async function* searchAndLookup<Type extends SearchableType>(
    entity_type: Type,
    search_terms: string,
    { num_results = 10, signal }: Cancellable & { num_results?: number | undefined } = {},
  ): AsyncGenerator<EntityOf[Type], void, undefined> {
    if (num_results !== Number.POSITIVE_INFINITY) checkWhole(num_results, 'num_results');
    const hits = (await search(entity_type, search_terms, { signal })).slice(0, num_results);
    for (const chunk of chunksOf(hits, IDS_PER_LOOKUP)) {
      const ids = chunk.map(({ id }) => id);
      const found = await entities.lookupList(entity_type, ids, { signal });
      for (const entity of found.values()) yield structuredClone(entity);
    }
  }

  /** The id of the best hit; undefined when there is none. */
  async function searchForEntity(
    entity_type: SearchableType,
    keywords: string,
    options: Cancellable = {},
  ): Promise<number | undefined> {
    checkText(keywords, 'keywords');
    return (await search(entity_type, keywords, options))[0]?.id;
  }

  return { search, searchAndLookup, searchForEntity };
}

/** The operations that search. */
export type SearchOperations = ReturnType<typeof searchOperations>;
