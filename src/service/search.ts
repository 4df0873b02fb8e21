import MiniSearch from 'minisearch';
import { SEARCHABLE_TYPES, type SearchableType } from '../model/entity.js';
import type { SearchDocument, Store } from '../store/store.js';
import { perVersion } from './per-version.js';

/** Hits that one search answers. */
const MOST_HITS = 100;

/** One search index a type, built when first asked and anew when the store changes. */
export class SearchIndexes {
  private readonly indexes = new Map<SearchableType, () => Promise<SearchIndex>>();

  constructor(store: Store) {
    for (const type of SEARCHABLE_TYPES) {
      this.indexes.set(
        type,
        perVersion(store, async () => new SearchIndex(await store.searchDocuments(type))),
      );
    }
  }

  /** Ids of the best matches, best first. */
  async search(type: SearchableType, text: string): Promise<number[]> {
    const index = await this.indexes.get(type)!();
    return index.search(text).map((hit) => hit.id);
  }

  /** Best matches of every type together, best first. */
  async searchAll(text: string): Promise<{ type: SearchableType; id: number }[]> {
    const found = await Promise.all(
      SEARCHABLE_TYPES.map(async (type) => {
        const index = await this.indexes.get(type)!();
        return index.search(text).map((hit) => ({ type, ...hit }));
      }),
    );
    return found
      .flat()
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST_HITS);
  }
}

interface ScoredHit {
  id: number;
  score: number;
}

/** Matches names and aliases: exact first, then prefixes and words in any order, then with typos. */
class SearchIndex {
  private readonly words: MiniSearch<SearchDocument>;
  private readonly documents = new Map<number, SearchDocument>();
  private readonly exact = new Map<string, SearchDocument[]>();

  constructor(documents: readonly SearchDocument[]) {
    this.words = new MiniSearch<SearchDocument>({
      fields: ['name', 'aliases'],
      extractField: (document, field) =>
        field === 'id' ? document.id : field === 'name' ? document.name : document.aliases.join(' '),
      processTerm: normalise,
    });
    this.words.addAll(documents);
    for (const document of documents) this.add(document);
  }

  search(text: string): ScoredHit[] {
    const exact = (this.exact.get(normalise(text)) ?? []).map((document) => ({
      id: document.id,
      match: 1000,
    }));
    const seen = new Set(exact.map(({ id }) => id));
    const partial = this.match(text).filter(({ id }) => !seen.has(id));
    return [...exact, ...partial]
      .map(({ id, match }) => ({ id, score: match * weight(this.documents.get(id)!) }))
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, MOST_HITS);
  }

  private match(text: string): { id: number; match: number }[] {
    const all = this.words.search(text, { prefix: true, combineWith: 'AND', boost: { name: 2 } });
    const found =
      all.length > 0 ? all : this.words.search(text, { prefix: true, fuzzy: 0.25, boost: { name: 2 } });
    return found.map((hit) => ({ id: hit.id as number, match: hit.score }));
  }

  private add(document: SearchDocument): void {
    this.documents.set(document.id, document);
    for (const name of new Set([document.name, ...document.aliases].map(normalise))) {
      this.exact.set(name, [...(this.exact.get(name) ?? []), document]);
    }
  }
}

/** Entities with data stand before those without; wider and living regions before narrower and historical ones. */
function weight(document: SearchDocument): number {
  const data = document.pointCount > 0 ? 2 : 1;
  const level = document.level === null ? 1 : 1 + 1 / (1 + document.level);
  return data * level * (document.historical ? 0.5 : 1);
}

/** Lower case without accents and punctuation. */
function normalise(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
