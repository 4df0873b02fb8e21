import {
  CONTAINING_TYPES,
  type ContainingType,
  SEARCHABLE_TYPES,
  type SearchableType,
} from '../model/entity.js';
import type { Hit } from '../search/order.js';
import { SearchIndex } from '../search/search-index.js';
import { type NamedWithin, TextSearch } from '../search/text-search.js';
import type { Store } from '../store/store.js';
import { perVersion } from './per-version.js';

/** Hits that one search answers. */
const MAX_HITS = 100;
const ANY_DISTANCE = { distance: null, level: null, includeHistorical: true };

/** One search index a type, built when first asked and anew when the store changes. */
export class SearchIndexes {
  readonly #indexes = new Map<SearchableType, () => Promise<SearchIndex>>();

  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    for (const type of SEARCHABLE_TYPES) {
      const build = async () => SearchIndex.build(type, await store.searchDocuments(type), yieldToEventLoop);
      this.#indexes.set(type, perVersion(store, build));
    }
  }

  /** Ids of the best matches, best first; none for a text without letters or digits. */
  async search(type: SearchableType, text: string): Promise<number[]> {
    return (await this.#hits([type], text)).map(({ document }) => document.id);
  }

  /** Best matches of every type together, best first. */
  async searchAll(text: string): Promise<{ type: SearchableType; id: number }[]> {
    const hits = await this.#hits(SEARCHABLE_TYPES, text);
    return hits.map(({ type, document }) => ({ type, id: document.id }));
  }

  async #hits(types: readonly SearchableType[], text: string): Promise<Hit[]> {
    const indexes = await Promise.all(types.map((type) => this.#indexes.get(type)!()));
    const search = new TextSearch(indexes, text);
    const inContext = await Promise.all(
      search.namedWithin().map(async (named) => search.inContext(named, await this.#around(named))),
    );
    return search.bestFirst(inContext.flat()).slice(0, MAX_HITS);
  }

  /** Ids of all that each entity lies in. */
  async #around({ index, hits }: NamedWithin): Promise<ReadonlyMap<number, readonly number[]>> {
    if (!isContaining(index.type) || hits.length === 0) return new Map();
    const ids = hits.map(({ document }) => document.id);
    return this.#store.traverse(index.type, 'belongs-to', ids, ANY_DISTANCE);
  }
}

/** Lets other requests be answered. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isContaining(type: SearchableType): type is SearchableType & ContainingType {
  return (CONTAINING_TYPES as readonly string[]).includes(type);
}
