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

/** Maximum number of candidates that are matched; with more, those of highest priority. */
const MAX_CANDIDATES = 500;
/** Documents indexed between two yields to the event loop. */
const DOCUMENTS_PER_YIELD = 50;

/** Searches the names and aliases of the entities of one type. */
export class SearchIndex {
  readonly #byId: ReadonlyMap<number, Labels>;

  readonly #entries: readonly Entry[];
  readonly #words: Postings;
  readonly #wholeNames: Postings;
  readonly #fuzzyMatcher: FuzzyMatcher;

  private constructor(
    readonly type: SearchableType,
    /** What it was built of. */
    readonly documents: readonly SearchDocument[],
    /** In order of priority, so that of many candidates the first are kept. */
    entries: readonly Entry[],
    words: Postings,
    wholeNames: Postings,
    fuzzyMatcher: FuzzyMatcher,
  ) {
    this.#entries = entries;
    this.#words = words;
    this.#wholeNames = wholeNames;
    this.#fuzzyMatcher = fuzzyMatcher;
    this.#byId = new Map(entries.map((entry) => [entry.document.id, entry]));
  }

  /** @param yieldToEventLoop awaited regularly, so that a service can answer other requests during the build */
  static async build(
    type: SearchableType,
    documents: readonly SearchDocument[],
    yieldToEventLoop: () => Promise<void> = async () => {},
  ): Promise<SearchIndex> {
    const entries: Entry[] = [];
    const words = new PostingsBuilder();
    const wholes = new PostingsBuilder();
    for (const document of [...documents].sort(comparePriority)) {
      const at = entries.length;
      if (at % DOCUMENTS_PER_YIELD === DOCUMENTS_PER_YIELD - 1) await yieldToEventLoop();
      const labels = labelsOf(document);
      const meanings = labels.texts.map(meaningOf);
      entries.push({ document, ...labels });
      words.add(at, indexedWords(labels.texts, meanings));
      wholes.add(at, wholeTexts(labels.texts, meanings));
    }
    await yieldToEventLoop();
    const builtWords = words.build();
    await yieldToEventLoop();
    const builtWholes = wholes.build();
    await yieldToEventLoop();
    const fuzzyMatcher = new FuzzyMatcher(new Set(builtWords.texts.map(withoutMarker)));
    return new SearchIndex(type, documents, entries, builtWords, builtWholes, fuzzyMatcher);
  }

  /** Names and aliases of an entity, folded; none when there is no such entity. */
  namesOf(id: number): readonly string[] {
    return this.#byId.get(id)?.texts ?? [];
  }

  /** Entities that have all words of the text, as written or as prefixes. */
  findExact(query: Query): Hit[] {
    const whole = this.#wholeNames.findText(query.compact);
    const prefixed = this.#wholeNames.findPrefix(query.compact, MAX_CANDIDATES);
    const containing = this.#findWords(query.terms.map(asWritten));
    return this.#hits([...whole, ...prefixed, ...containing], (entry) => matchLabels(query, entry));
  }

  /** Entities that have all words of the text once misspelt ones are corrected. */
  findNear(query: Query): Hit[] {
    const unknown = query.terms.filter(({ written }) => !this.#words.has(written));
    const found = unknown.length === 0 ? [] : this.#findCorrected(query, unknown);
    return found.length > 0 ? found : this.#findCorrected(query, query.terms);
  }

  /** Entities whose whole name is in the text, or that share most of its words. */
  findPartial(query: Query): Hit[] {
    const max = Math.floor(query.terms.length / 2) + 1;
    const sharing = this.#findWords(query.terms.map(asMeant), max);
    return this.#hits([...this.#namesWithin(query), ...sharing], (entry) => matchPartial(query, entry));
  }

  #findCorrected(query: Query, misspelt: readonly Term[]): Hit[] {
    const corrections: Corrections = new Map(
      misspelt.map((term) => [term.written, this.#neighbours(term)] as const),
    );
    const demands = query.terms.map((term): Demand => {
      const near = [...(corrections.get(term.written)?.keys() ?? [])];
      const { words, prefixes } = asWritten(term);
      return { words: [...words, ...near, ...near.map(withMarker)], prefixes };
    });
    return this.#hits(this.#findWords(demands), (entry) => matchNear(query, entry, corrections));
  }

  #neighbours({ written, meaning }: Term): ReadonlyMap<string, number> {
    return new Map([...this.#fuzzyMatcher.findNear(meaning), ...this.#fuzzyMatcher.findNear(written)]);
  }

  #namesWithin({ words, meaning }: Query): number[] {
    return [...wordRuns(words), ...wordRuns(meaning)].flatMap((text) => this.#wholeNames.findText(text));
  }

  #findWords(demands: readonly Demand[], min = demands.length): number[] {
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

/** An entity whose name has no letters or digits is found by its aliases only. */
function labelsOf({ name, aliases }: SearchDocument): Labels {
  const names = foldedForms(name).filter((text) => text !== '');
  const texts = [...new Set([...names, ...aliases.flatMap(foldedForms)])].filter((text) => text !== '');
  return { texts, names: names.length };
}

/** The words as written, and their meanings with a marker that keeps them out of prefix searches. */
function indexedWords(texts: readonly string[], meanings: readonly string[][]): string[] {
  const words = new Set(texts.flatMap((text) => text.split(' ')));
  const others = meanings.flat().filter((meaning) => !words.has(meaning));
  return [...words, ...others.map(withMarker)];
}

/** Names and aliases without spaces, as written and by their meaning. */
function wholeTexts(texts: readonly string[], meanings: readonly string[][]): string[] {
  const wholes = texts.map(compact);
  for (const [at, meaning] of meanings.entries()) {
    const meant = meaning.join('');
    if (meant !== wholes[at]) wholes.push(meant);
  }
  return wholes;
}

/** Every run of neighbouring words, joined without spaces. */
function wordRuns(words: readonly string[]): string[] {
  return words.flatMap((_, from) =>
    words.slice(from).map((_, more) => words.slice(from, from + more + 1).join('')),
  );
}

const MARKER = '=';

function withMarker(meaning: string): string {
  return MARKER + meaning;
}

function withoutMarker(word: string): string {
  return word.startsWith(MARKER) ? word.slice(MARKER.length) : word;
}

function asWritten(term: Term): Demand {
  const prefixes = term.written.includes(' ') ? [] : [term.written];
  return { words: asMeant(term).words, prefixes };
}

function asMeant({ meaning }: Term): Demand {
  return { words: [meaning, withMarker(meaning)], prefixes: [] };
}
