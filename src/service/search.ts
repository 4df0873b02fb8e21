import type { CountedHit } from '../contract/endpoints.js';
import { SEARCHABLE_TYPES, type SearchableType } from '../model/entity.js';
import type { NamedHit } from '../model/names/meaning.js';
import { FACET_FIELDS } from '../model/selection.js';
import { loadSearchIndex } from '../search/load-index.js';
import { type Hit, matchesAllWords } from '../search/match.js';
import { SearchIndex } from '../search/search-index.js';
import { exactHits, findAlias, findNamePart, type PartialNames, TextSearch } from '../search/text-search.js';
import { isContaining } from '../store/queries/entities.js';
import type { Store } from '../store/store.js';
import { turns } from '../store/turns.js';
import { perVersion } from './cache/per-version.js';

const MAX_HITS = 100;
const ANY_DISTANCE = { distance: null, level: null, includeHistorical: true };

/** One search index per entity type. Each is loaded on the first search, and again after the store has changed. */
export class SearchIndexes {
  readonly #indexes = new Map<SearchableType, () => Promise<SearchIndex>>();
  /** Search indexes that hold each entity's series count instead of its point count. */
  readonly #counted = new Map<SearchableType, () => Promise<SearchIndex>>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    for (const type of SEARCHABLE_TYPES) {
      const index = perVersion(store, () => loadSearchIndex(type, store, () => turns.next()));
      this.#indexes.set(type, index);
      const count = async () => {
        const { field } = FACET_FIELDS[type];
        const { fields } = await store.facets({ selection: {}, fields: [field], limit: null });
        await turns.next();
        const counts = fields.get(field)!.series;
        const { names } = await index();
        await turns.next();
        return new SearchIndex(names, counts);
      };
      this.#counted.set(type, perVersion(store, count));
    }
  }

  /** Returns matching entities, best match first. A query without letters or digits matches nothing. */
  async searchNames(type: SearchableType, text: string): Promise<NamedHit[]> {
    const hits = await this.#hits([type], text);
    const exact = exactHits(hits, text);
    return hits.map((hit) => ({ id: hit.document.id, name: hit.document.name, exact: exact.has(hit) }));
  }

  async searchAll(text: string): Promise<{ type: SearchableType; id: number }[]> {
    const hits = await this.#hits(SEARCHABLE_TYPES, text);
    return hits.map(({ type, document }) => ({ type, id: document.id }));
  }

  /** Returns matching entities of the given types, each with its series count. Entities with series come first. */
  async searchCounted(types: readonly SearchableType[], text: string): Promise<CountedHit[]> {
    return countHits(await this.#countedHits(types, text), text);
  }

  /** Finds entities of any type whose names contain all words, even misspelt ones. Entities with series come first. */
  async searchAllWords(text: string): Promise<CountedHit[]> {
    const hits = await this.#countedHits(SEARCHABLE_TYPES, text);
    return countHits(hits.filter(matchesAllWords), text);
  }

  async searchAmong(
    type: SearchableType,
    counts: ReadonlyMap<number, number>,
    text: string,
  ): Promise<CountedHit[]> {
    const { names } = await this.#indexes.get(type)!();
    await turns.next();
    const isRestricted = true;
    const index = new SearchIndex(names, counts, isRestricted);
    await turns.next();
    const hits = await this.#hitsIn([index], text);
    return countHits(hits.filter(matchesAllWords), text);
  }

  async #countedHits(types: readonly SearchableType[], text: string): Promise<Hit[]> {
    const indexes = await Promise.all(types.map((type) => this.#counted.get(type)!()));
    await turns.next();
    const hits = await this.#hitsIn(indexes, text);
    const withSeries = hits.filter(({ document }) => document.pointCount > 0);
    return [...withSeries, ...hits.filter((hit) => !withSeries.includes(hit))];
  }

  async #hits(types: readonly SearchableType[], text: string): Promise<Hit[]> {
    const indexes = await Promise.all(types.map((type) => this.#indexes.get(type)!()));
    return (await this.#hitsIn(indexes, text)).slice(0, MAX_HITS);
  }

  async #hitsIn(indexes: readonly SearchIndex[], text: string): Promise<Hit[]> {
    const search = new TextSearch(indexes, text);
    const inContext = await Promise.all(
      search
        .findNamedWithin()
        .map(async (named) => search.findInContext(named, await this.#ancestorsOf(named))),
    );
    return search.bestFirst(inContext.flat());
  }

  async #ancestorsOf({ index, hits }: PartialNames): Promise<ReadonlyMap<number, readonly number[]>> {
    if (!isContaining(index.type) || hits.length === 0) return new Map();
    const ids = hits.map(({ document }) => document.id);
    return this.#store.traverse(index.type, 'belongs-to', ids, ANY_DISTANCE);
  }
}

function countHits(hits: readonly Hit[], text: string): CountedHit[] {
  const exact = exactHits(hits, text);
  return hits.map((hit) => ({
    entity_type: hit.type,
    id: hit.document.id,
    name: hit.document.name,
    series: hit.document.pointCount,
    exact: exact.has(hit),
    matched: findAlias(text, hit.document),
    part: hit.match.kind === 'within' ? findNamePart(text, hit.document) : undefined,
  }));
}
