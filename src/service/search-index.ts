import MiniSearch, { type Query as WordQuery } from 'minisearch';
import type { SearchableType } from '../model/entity.js';
import type { SearchDocument } from '../store/store.js';
import { compact, foldedForms } from './search-fold.js';
import {
  type Corrections,
  type Labels,
  type Match,
  matchLabels,
  matchNearly,
  matchPartly,
  type Query,
} from './search-match.js';
import type { Hit } from './search-order.js';
import { Spelling } from './search-spelling.js';
import { meaningOf, type Term } from './search-words.js';

interface Entry extends Labels {
  readonly at: number;
  readonly document: SearchDocument;
}

/** Candidates that are looked at closely; the engine's own score and the entity's standing choose them. */
const MOST_CANDIDATES = 1000;
/** Documents indexed between two breaths of the event loop. */
const INDEXED_AT_ONCE = 500;

/** Names and aliases of the entities of one type. */
export class SearchIndex {
  private readonly byId = new Map<number, Entry>();
  /** Entries by a whole name or alias without spaces. */
  private readonly byLabel = new Map<string, number[]>();

  private constructor(
    readonly type: SearchableType,
    private readonly entries: readonly Entry[],
    private readonly words: MiniSearch<Entry>,
    private readonly spelling: Spelling,
  ) {
    for (const entry of entries) {
      this.byId.set(entry.document.id, entry);
      for (const label of new Set(entry.texts.map(compact))) {
        const others = this.byLabel.get(label);
        if (others === undefined) this.byLabel.set(label, [entry.at]);
        else others.push(entry.at);
      }
    }
  }

  /** Builds the index without holding up other requests for long. */
  static async build(type: SearchableType, documents: readonly SearchDocument[]): Promise<SearchIndex> {
    const entries = documents.map((document, at): Entry => ({ at, document, ...labelsOf(document) }));
    const words = new MiniSearch<Entry>({
      idField: 'at',
      fields: ['words'],
      extractField: (entry, field) => (field === 'at' ? entry.at : indexedWords(entry)) as string,
      tokenize: (text) => text.split(' '),
      processTerm: (word) => word,
    });
    await words.addAllAsync(entries, { chunkSize: INDEXED_AT_ONCE });
    const spelling = new Spelling(
      new Set(entries.flatMap((entry) => [...writtenWords(entry), ...entry.texts.flatMap(meaningOf)])),
    );
    return new SearchIndex(type, entries, words, spelling);
  }

  labels(id: number): Labels | undefined {
    return this.byId.get(id);
  }

  /** Entities that have all words of the text, as they are written or as beginnings of words. */
  exactly(query: Query): Hit[] {
    const whole = this.byLabel.get(query.compact) ?? [];
    const found = this.candidates({ combineWith: 'AND', queries: query.terms.map(asWritten) });
    return this.hits([...whole, ...found], (entry) => matchLabels(query, entry));
  }

  /** Entities that have all words of the text once misspelt ones are read as their neighbours. */
  nearly(query: Query): Hit[] {
    const strange = query.terms.filter(({ written }) => !this.spelling.knows(written));
    const found = strange.length === 0 ? [] : this.corrected(query, strange);
    return found.length > 0 ? found : this.corrected(query, query.terms);
  }

  /** Entities of which a whole name stands in the text, or that share most of its words. */
  partly(query: Query): Hit[] {
    const whole = this.labelsWithin(query);
    const found = this.candidates({ combineWith: 'OR', queries: query.terms.map(asMeant) });
    return this.hits([...whole, ...found], (entry) => matchPartly(query, entry));
  }

  private corrected(query: Query, misspelt: readonly Term[]): Hit[] {
    const corrections: Corrections = new Map(
      misspelt.map(({ written }) => [written, this.spelling.near(written)] as const),
    );
    const queries = query.terms.map((term): WordQuery => {
      const near = [...(corrections.get(term.written)?.keys() ?? [])];
      return { combineWith: 'OR', queries: [asWritten(term), ...near, ...near.map(meaningSign)] };
    });
    const found = this.candidates({ combineWith: 'AND', queries });
    return this.hits(found, (entry) => matchNearly(query, entry, corrections));
  }

  private labelsWithin({ words }: Query): number[] {
    return words.flatMap((_, from) =>
      words.slice(from).flatMap((_, length) => {
        return this.byLabel.get(words.slice(from, from + length + 1).join('')) ?? [];
      }),
    );
  }

  private candidates(query: WordQuery): number[] {
    const found = this.words.search(query, {
      boostDocument: (at: number) => standing(this.entries[at]!.document),
    });
    return found.slice(0, MOST_CANDIDATES).map(({ id }) => id as number);
  }

  private hits(found: readonly number[], match: (entry: Entry) => Match | null): Hit[] {
    return [...new Set(found)].flatMap((at) => {
      const entry = this.entries[at]!;
      const matched = match(entry);
      return matched === null ? [] : [{ type: this.type, document: entry.document, match: matched }];
    });
  }
}

/** A name without letters or digits cannot be found by it, only by an alias. */
function labelsOf({ name, aliases }: SearchDocument): Labels {
  const names = foldedForms(name).filter((text) => text !== '');
  const texts = [...new Set([...names, ...aliases.flatMap(foldedForms)])].filter((text) => text !== '');
  return { texts, names: names.length };
}

/** Every word of the names and aliases, as written. */
function writtenWords({ texts }: Labels): string[] {
  return texts.flatMap((text) => text.split(' '));
}

/** The words as written, and their meanings under a sign of their own, out of reach of beginnings of words. */
function indexedWords(entry: Labels): string {
  const words = new Set(writtenWords(entry));
  const meanings = entry.texts.flatMap(meaningOf).filter((meaning) => !words.has(meaning));
  return [...words, ...new Set(meanings.map(meaningSign))].join(' ');
}

function meaningSign(meaning: string): string {
  return `=${meaning}`;
}

function asWritten(term: Term): WordQuery {
  const words: WordQuery = { combineWith: 'AND', queries: term.written.split(' '), prefix: true };
  return { combineWith: 'OR', queries: [words, asMeant(term)] };
}

function asMeant({ meaning }: Term): WordQuery {
  return { combineWith: 'OR', queries: [meaning, meaningSign(meaning)] };
}

/** Which of many equal candidates are worth a closer look: those with data, wide and living. */
function standing({ pointCount, level, historical }: SearchDocument): number {
  return (pointCount > 0 ? 2 : 1) * (1 + 1 / (1 + (level ?? 0))) * (historical ? 0.5 : 1);
}
