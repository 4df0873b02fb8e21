import type { SearchableType, SearchDocument } from '../model/entity.js';
import { compact, foldedForms } from './fold.js';
import { FuzzyMatcher } from './fuzzy-match.js';
import {
  type Corrections,
  type Labels,
  type Match,
  matchLabels,
  matchNear,
  matchPartial,
  type Query,
} from './match.js';
import { comparePriority, type Hit } from './order.js';
import { type Demand, type Postings, PostingsBuilder } from './postings.js';
import { meaningOf, type Term } from './words.js';

interface Entry extends Labels {
  readonly document: SearchDocument;
}

/** Candidates that are looked at closely: of more, those that stand best. */
const MAX_CANDIDATES = 500;
/** Documents taken in between two breaths. */
const READ_AT_ONCE = 2000;

/** Names and aliases of the entities of one type. */
export class SearchIndex {
  readonly #byId: ReadonlyMap<number, Labels>;

  readonly #entries: readonly Entry[];
  readonly #words: Postings;
  readonly #wholes: Postings;
  readonly #spelling: FuzzyMatcher;

  private constructor(
    readonly type: SearchableType,
    /** Best standing first, so that of many candidates the first are kept. */
    entries: readonly Entry[],
    words: Postings,
    wholes: Postings,
    spelling: FuzzyMatcher,
  ) {
    this.#entries = entries;
    this.#words = words;
    this.#wholes = wholes;
    this.#spelling = spelling;
    this.#byId = new Map(entries.map((entry) => [entry.document.id, entry]));
  }

  /** @param breathe awaited now and then, so that a service can answer other requests while it builds */
  static async build(
    type: SearchableType,
    documents: readonly SearchDocument[],
    breathe: () => Promise<void> = async () => {},
  ): Promise<SearchIndex> {
    const entries: Entry[] = [];
    const words = new PostingsBuilder();
    const wholes = new PostingsBuilder();
    for (const document of [...documents].sort(comparePriority)) {
      const at = entries.length;
      if (at % READ_AT_ONCE === READ_AT_ONCE - 1) await breathe();
      const labels = labelsOf(document);
      const meanings = labels.texts.map(meaningOf);
      entries.push({ document, ...labels });
      words.add(at, indexedWords(labels.texts, meanings));
      wholes.add(at, wholeTexts(labels.texts, meanings));
    }
    await breathe();
    const builtWords = words.build();
    await breathe();
    const builtWholes = wholes.build();
    await breathe();
    const spelling = new FuzzyMatcher(new Set(builtWords.texts.map(withoutSign)));
    return new SearchIndex(type, entries, builtWords, builtWholes, spelling);
  }

  /** Names and aliases of an entity, folded; none when there is no such entity. */
  textsOf(id: number): readonly string[] {
    return this.#byId.get(id)?.texts ?? [];
  }

  /** Entities that have all words of the text, as they are written or as beginnings of words. */
  findExact(query: Query): Hit[] {
    const whole = this.#wholes.having(query.compact);
    const beginning = this.#wholes.beginningWith(query.compact, MAX_CANDIDATES);
    const holding = this.#having(query.terms.map(asWritten));
    return this.#hits([...whole, ...beginning, ...holding], (entry) => matchLabels(query, entry));
  }

  /** Entities that have all words of the text once misspelt ones are read as their neighbours. */
  findNear(query: Query): Hit[] {
    const strange = query.terms.filter(({ written }) => !this.#words.has(written));
    const found = strange.length === 0 ? [] : this.#corrected(query, strange);
    return found.length > 0 ? found : this.#corrected(query, query.terms);
  }

  /** Entities of which a whole name stands in the text, or that share most of its words. */
  findPartial(query: Query): Hit[] {
    const max = Math.floor(query.terms.length / 2) + 1;
    const sharing = this.#having(query.terms.map(asMeant), max);
    return this.#hits([...this.#labelsWithin(query), ...sharing], (entry) => matchPartial(query, entry));
  }

  #corrected(query: Query, misspelt: readonly Term[]): Hit[] {
    const corrections: Corrections = new Map(
      misspelt.map((term) => [term.written, this.#neighbours(term)] as const),
    );
    const demands = query.terms.map((term): Demand => {
      const near = [...(corrections.get(term.written)?.keys() ?? [])];
      const { words, beginnings } = asWritten(term);
      return { words: [...words, ...near, ...near.map(withSign)], beginnings };
    });
    return this.#hits(this.#having(demands), (entry) => matchNear(query, entry, corrections));
  }

  #neighbours({ written, meaning }: Term): ReadonlyMap<string, number> {
    return new Map([...this.#spelling.findNear(meaning), ...this.#spelling.findNear(written)]);
  }

  #labelsWithin({ words, meaning }: Query): number[] {
    return [...stretchesOf(words), ...stretchesOf(meaning)].flatMap((text) => this.#wholes.having(text));
  }

  #having(demands: readonly Demand[], min = demands.length): number[] {
    return this.#words.find(demands, min, MAX_CANDIDATES);
  }

  #hits(found: readonly number[], match: (entry: Entry) => Match | null): Hit[] {
    return [...new Set(found)].flatMap((at) => {
      const entry = this.#entries[at]!;
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

/** The words as written, and their meanings under a sign of their own, out of reach of beginnings of words. */
function indexedWords(texts: readonly string[], meanings: readonly string[][]): string[] {
  const words = new Set(texts.flatMap((text) => text.split(' ')));
  const others = meanings.flat().filter((meaning) => !words.has(meaning));
  return [...words, ...others.map(withSign)];
}

/** Names and aliases without spaces, as written and as compared. */
function wholeTexts(texts: readonly string[], meanings: readonly string[][]): string[] {
  const wholes = texts.map(compact);
  for (const [at, meaning] of meanings.entries()) {
    const meant = meaning.join('');
    if (meant !== wholes[at]) wholes.push(meant);
  }
  return wholes;
}

/** Every run of words, written together. */
function stretchesOf(words: readonly string[]): string[] {
  return words.flatMap((_, from) =>
    words.slice(from).map((_, more) => words.slice(from, from + more + 1).join('')),
  );
}

const SIGN = '=';

function withSign(meaning: string): string {
  return SIGN + meaning;
}

function withoutSign(word: string): string {
  return word.startsWith(SIGN) ? word.slice(SIGN.length) : word;
}

function asWritten(term: Term): Demand {
  const beginnings = term.written.includes(' ') ? [] : [term.written];
  return { words: asMeant(term).words, beginnings };
}

function asMeant({ meaning }: Term): Demand {
  return { words: [meaning, withSign(meaning)], beginnings: [] };
}
