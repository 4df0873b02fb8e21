import type { SearchableType, SearchDocument } from '../model/entity.js';
import { compact } from './fold.js';
import { labelsOf, type NameIndex, toNamedEntity, withMarker } from './indexing/name-index.js';
import type { Demand } from './indexing/postings.js';
import { type Corrections, type Hit, type Labels, type Match, matchWhole, type Query } from './match.js';
import type { Term } from './words.js';

/** The maximum number of candidates that are matched. If there are more, those with the lowest priority are ignored. */
const MAX_CANDIDATES = 500;

/**
 * Searches the names and aliases of all entities of one type. MiniSearch was tried: with 8,600 regions, it takes 90 ms
 * to load, whereas this index takes 15 ms. MiniSearch cannot rank by kind of match, limit candidates by priority, or
 * count swapped letters as one edit, so our own matching code would still be needed.
 */
export class SearchIndex {
  /** The entities that were candidates so far, and their folded names, by position. */
  readonly #documents = new Map<number, SearchDocument>();
  readonly #labels = new Map<number, Labels>();
  /** The positions of the entities in the name index, in order of priority. */
  readonly #order: Uint32Array;
  #positions: ReadonlyMap<number, number> | null = null;

  readonly #pointCounts: ReadonlyMap<number, number>;
  readonly #isRestricted: boolean;

  /** `pointCounts` has the point count of each entity with data. If `isRestricted`, only these entities are found. */
  constructor(
    readonly names: NameIndex,
    pointCounts: ReadonlyMap<number, number>,
    isRestricted = false,
  ) {
    this.#pointCounts = pointCounts;
    this.#isRestricted = isRestricted;
    this.#order = orderByPriority(names, pointCounts);
  }

  get type(): SearchableType {
    return this.names.type;
  }

  has(id: number): boolean {
    return this.#position(id) !== undefined;
  }

  /** Returns an entity's names and aliases as normalised by `fold`, or an empty list if there is no such entity. */
  namesOf(id: number): readonly string[] {
    const at = this.#position(id);
    return at === undefined ? [] : this.#labelsAt(at).texts;
  }

  /** Finds entities whose names contain all words of the query, as whole words or as prefixes. */
  findExact(query: Query): Hit[] {
    const whole = this.names.wholeNames.findText(query.compact);
    const prefixed = this.names.wholeNames.findPrefix(query.compact, MAX_CANDIDATES, this.#order);
    const containing = this.#findWords(query.terms.map(demandWord));
    return this.#hits([...whole, ...prefixed, ...containing], (at) => query.all(this.#labelsAt(at)));
  }

  /** Finds entities with a name or alias that `fold` normalises to exactly this text. */
  findNamed(folded: string): Hit[] {
    const whole = this.names.wholeNames.findText(compact(folded));
    return this.#hits(whole, (at) => matchWhole(folded, this.#documentAt(at)));
  }

  /** Finds entities whose names contain all words of the query once misspelt words are corrected. */
  findNear(query: Query): Hit[] {
    const unknown = query.terms.filter(({ written }) => !this.names.words.has(written));
    const found = unknown.length === 0 ? [] : this.#findCorrected(query, unknown);
    return found.length > 0 ? found : this.#findCorrected(query, query.terms);
  }

  /** Finds entities whose whole name is in the query, or whose names contain more than half of the query's words. */
  findPartial(query: Query): Hit[] {
    const max = Math.floor(query.terms.length / 2) + 1;
    const sharing = this.#findWords(query.terms.map(demandMeaning), max);
    return this.#hits([...this.#namesWithin(query), ...sharing], (at) => query.partial(this.#labelsAt(at)));
  }

  #findCorrected(query: Query, misspelt: readonly Term[]): Hit[] {
    const corrections: Corrections = new Map(
      misspelt.map((term) => [term.written, this.#neighbours(term)] as const),
    );
    const demands = query.terms.map((term): Demand => {
      const near = [...(corrections.get(term.written)?.keys() ?? [])];
      const { words, prefixes } = demandWord(term);
      return { words: [...words, ...near, ...near.map(withMarker)], prefixes };
    });
    return this.#hits(this.#findWords(demands), (at) => query.near(this.#labelsAt(at), corrections));
  }

  #neighbours({ written, meaning }: Term): ReadonlyMap<string, number> {
    const { findNear } = this.names;
    return new Map([...findNear(meaning), ...findNear(written)]);
  }

  #namesWithin({ words, meaning }: Query): number[] {
    return [...wordRuns(words), ...wordRuns(meaning)].flatMap((text) => this.names.wholeNames.findText(text));
  }

  #findWords(demands: readonly Demand[], min = demands.length): number[] {
    return this.names.words.find(demands, { min, max: MAX_CANDIDATES, order: this.#order });
  }

  #hits(found: readonly number[], match: (at: number) => Match | null): Hit[] {
    return [...new Set(found)].flatMap((at) => {
      const document = this.#documentAt(at);
      if (this.#isRestricted && document.pointCount === 0) return [];
      const matched = match(at);
      return matched === null ? [] : [{ type: this.type, document, match: matched }];
    });
  }

  #documentAt(at: number): SearchDocument {
    const known = this.#documents.get(at);
    if (known !== undefined) return known;
    const named = toNamedEntity(this.names, at);
    const document = { ...named, pointCount: this.#pointCounts.get(named.id) ?? 0 };
    this.#documents.set(at, document);
    return document;
  }

  #labelsAt(at: number): Labels {
    const labels = this.#labels.get(at) ?? labelsOf(this.#documentAt(at));
    this.#labels.set(at, labels);
    return labels;
  }

  #position(id: number): number | undefined {
    this.#positions ??= new Map(this.names.ids.map((one, at) => [one, at]));
    return this.#positions.get(id);
  }
}

/** Orders current entities before historical ones and, within each group, entities with data before those without. */
function orderByPriority({ ids, current }: NameIndex, pointCounts: ReadonlyMap<number, number>): Uint32Array {
  const ranks: number[][] = [[], [], [], []];
  for (const [at, id] of ids.entries())
    ranks[(at < current ? 0 : 2) + (pointCounts.has(id) ? 0 : 1)]!.push(at);
  return Uint32Array.from(ranks.flat());
}

/** Returns every sequence of one or more consecutive words, joined without spaces. */
function wordRuns(words: readonly string[]): string[] {
  return words.flatMap((_, from) =>
    words.slice(from).map((_, more) => words.slice(from, from + more + 1).join('')),
  );
}

function demandWord(term: Term): Demand {
  const prefixes = term.written.includes(' ') ? [] : [term.written];
  return { words: demandMeaning(term).words, prefixes };
}

function demandMeaning({ meaning }: Term): Demand {
  return { words: [meaning, withMarker(meaning)], prefixes: [] };
}
