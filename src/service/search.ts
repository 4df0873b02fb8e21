import {
  CONTAINING_TYPES,
  type ContainingType,
  SEARCHABLE_TYPES,
  type SearchableType,
} from '../model/entity.js';
import type { Store } from '../store/store.js';
import { perVersion } from './per-version.js';
import { fold } from './search-fold.js';
import { SearchIndex } from './search-index.js';
import { KINDS, type Query, queryOf, wordsLeft } from './search-match.js';
import { compareHits, type Hit } from './search-order.js';
import { meaningOf } from './search-words.js';

/** Hits that one search answers. */
const MOST_HITS = 100;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** With this many hits nobody needs misspelt ones. */
const ENOUGH_HITS = 5;

/** One search index a type, built when first asked and anew when the store changes. */
export class SearchIndexes {
  private readonly indexes = new Map<SearchableType, () => Promise<SearchIndex>>();

  constructor(private readonly store: Store) {
    for (const type of SEARCHABLE_TYPES) {
      const build = async () => SearchIndex.build(type, await store.searchDocuments(type));
      this.indexes.set(type, perVersion(store, build));
    }
  }

  /** Ids of the best matches, best first; none for a text without letters or digits. */
  async search(type: SearchableType, text: string): Promise<number[]> {
    return (await this.hits([type], text)).map(({ document }) => document.id);
  }

  /** Best matches of every type together, best first. */
  async searchAll(text: string): Promise<{ type: SearchableType; id: number }[]> {
    const hits = await this.hits(SEARCHABLE_TYPES, text);
    return hits.map(({ type, document }) => ({ type, id: document.id }));
  }

  /**
   * Exact and beginning words first. Where nothing has all words, names with what they lie in, and at the end names that
   * stand in a longer text. Misspelt words between the two, and whenever little is found.
   */
  private async hits(types: readonly SearchableType[], text: string): Promise<Hit[]> {
    const query = queryOf(LETTER_OR_DIGIT.test(text) ? fold(text) : '');
    if (query.folded === '') return [];
    const indexes = await Promise.all(types.map((type) => this.indexes.get(type)!()));
    const found = new Found(indexes.flatMap((index) => index.exactly(query)));
    const longer = found.isEmpty && query.terms.length > 1;
    const partial = longer ? indexes.map((index) => ({ index, hits: index.partly(query) })) : [];
    found.add((await Promise.all(partial.map((each) => this.inContext(query, each)))).flat());
    if (found.isPoor) found.add(indexes.flatMap((index) => index.nearly(query)));
    found.add(partial.flatMap(({ hits }) => hits));
    return found.bestFirst().slice(0, MOST_HITS);
  }

  /** Of entities whose name stands in the text, those around which the rest names what they lie in. */
  private async inContext(
    query: Query,
    { index, hits }: { index: SearchIndex; hits: Hit[] },
  ): Promise<Hit[]> {
    if (!isContaining(index.type)) return [];
    const within = hits
      .filter(({ match }) => match.kind === 'within')
      .sort(compareHits)
      .slice(0, MOST_HITS);
    const ids = within.map(({ document }) => document.id);
    const plan = { distance: null, level: null, includeHistorical: true };
    const around = await this.store.reach(index.type, 'belongs-to', ids, plan);
    return within.flatMap((hit) => {
      const surroundings = (around.get(hit.document.id) ?? []).flatMap((id) => index.textsOf(id));
      const known = new Set(surroundings.flatMap(meaningOf));
      const left = wordsLeft(query, index.textsOf(hit.document.id));
      const explained = left.some((words) => words.length > 0 && words.every((word) => known.has(word)));
      return explained ? [{ ...hit, match: { ...hit.match, kind: 'context' as const } }] : [];
    });
  }
}

function isContaining(type: SearchableType): type is SearchableType & ContainingType {
  return (CONTAINING_TYPES as readonly string[]).includes(type);
}

/** Hits so far, each entity once, by the first way in which it was found. */
class Found {
  private readonly byKey = new Map<string, Hit>();

  constructor(hits: readonly Hit[]) {
    this.add(hits);
  }

  get isEmpty(): boolean {
    return this.byKey.size === 0;
  }

  /** Few hits, and none of them the thing itself. */
  get isPoor(): boolean {
    if (this.byKey.size >= ENOUGH_HITS) return false;
    return [...this.byKey.values()].every(({ match }) => KINDS.indexOf(match.kind) > KINDS.indexOf('same'));
  }

  add(hits: readonly Hit[]): void {
    for (const hit of hits) {
      const key = `${hit.type} ${hit.document.id}`;
      if (!this.byKey.has(key)) this.byKey.set(key, hit);
    }
  }

  bestFirst(): Hit[] {
    return [...this.byKey.values()].sort(compareHits);
  }
}
