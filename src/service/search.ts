import {
  CONTAINING_TYPES,
  type ContainingType,
  SEARCHABLE_TYPES,
  type SearchableType,
} from '../model/entity.js';
import { loadSearchIndex } from '../search/load-index.js';
import type { Hit } from '../search/order.js';
import type { SearchIndex } from '../search/search-index.js';
import { isExact, type PartialNames, TextSearch } from '../search/text-search.js';
import type { Store } from '../store/store.js';
import { turns } from '../store/turns.js';
import { perVersion } from './cache/per-version.js';

const MAX_HITS = 100;
const ANY_DISTANCE = { distance: null, level: null, includeHistorical: true };

/** A hit with its name, and whether the text names it. */
interface NamedHit {
  readonly id: number;
  readonly name: string;
  readonly exact: boolean;
}

/** One search index per entity type, loaded on the first search and again after the store has changed. */
export class SearchIndexes {
  readonly #indexes = new Map<SearchableType, () => Promise<SearchIndex>>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    for (const type of SEARCHABLE_TYPES) {
      const load = () => loadSearchIndex(type, store, () => turns.next());
      this.#indexes.set(type, perVersion(store, load));
    }
  }

  /** The ids of the best matches, best first; none for a text without letters or digits. */
  async search(type: SearchableType, text: string): Promise<number[]> {
    return (await this.searchNames(type, text)).map(({ id }) => id);
  }

  /** The best matches with their names, best first. */
  async searchNames(type: SearchableType, text: string): Promise<NamedHit[]> {
    const hits = await this.#hits([type], text);
    return hits.map((hit) => ({ id: hit.document.id, name: hit.document.name, exact: isExact(hit, text) }));
  }

  /** The best matches of all types, best first. */
  async searchAll(text: string): Promise<{ type: SearchableType; id: number }[]> {
    const hits = await this.#hits(SEARCHABLE_TYPES, text);
    return hits.map(({ type, document }) => ({ type, id: document.id }));
  }

  async #hits(types: readonly SearchableType[], text: string): Promise<Hit[]> {
    const indexes = await Promise.all(types.map((type) => this.#indexes.get(type)!()));
    const search = new TextSearch(indexes, text);
    const inContext = await Promise.all(
      search
        .findNamedWithin()
        .map(async (named) => search.findInContext(named, await this.#ancestorsOf(named))),
    );
    return search.bestFirst(inContext.flat()).slice(0, MAX_HITS);
  }

  /** The ids of all ancestors of each hit. */
  async #ancestorsOf({ index, hits }: PartialNames): Promise<ReadonlyMap<number, readonly number[]>> {
    if (!isContaining(index.type) || hits.length === 0) return new Map();
    const ids = hits.map(({ document }) => document.id);
    return this.#store.traverse(index.type, 'belongs-to', ids, ANY_DISTANCE);
  }
}

function isContaining(type: SearchableType): type is SearchableType & ContainingType {
  return (CONTAINING_TYPES as readonly string[]).includes(type);
}
