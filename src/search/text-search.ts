import { compact, fold, foldForms } from './fold.js';
import { compareHits, type Hit, isBetter, isNameMatch, isWhole, type Match, Query } from './match.js';
import type { SearchIndex } from './search-index.js';
import { distinctMeanings, singular, type Term, termsOf } from './words.js';

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** If a search finds at least this many hits, misspellings are not corrected. */
const ENOUGH_HITS = 5;
/** The maximum number of entities per type whose containers, such as a region's country, are compared to the text. */
const MAX_WITHIN = 100;

/** Entities of one type that match part of the text. */
export interface PartialNames {
  readonly index: SearchIndex;
  readonly hits: readonly Hit[];
}

/**
 * Searches the indexes of one or more entity types for a text. Exact words and prefixes are tried first. If no entity's
 * names contain all words, the next attempts are names combined with their containers ("Georgia, USA"), corrections of
 * misspelt words, and names within a longer text. Misspelt words are also corrected if there are few hits.
 */
export class TextSearch {
  readonly #query: Query;
  readonly #exact: readonly Hit[];
  readonly #partial: readonly PartialNames[];

  readonly #indexes: readonly SearchIndex[];

  constructor(indexes: readonly SearchIndex[], text: string) {
    this.#indexes = indexes;
    this.#query = new Query(foldSearch(text));
    const { folded, terms } = this.#query;
    this.#exact = folded === '' ? [] : indexes.flatMap((index) => index.findExact(this.#query));
    const mayHaveContext = text.includes(',') && !this.#exact.some(({ match }) => isWhole(match));
    const searchesPartial = (this.#exact.length === 0 || mayHaveContext) && folded !== '' && terms.length > 1;
    this.#partial = searchesPartial
      ? indexes.map((index) => ({ index, hits: index.findPartial(this.#query) }))
      : [];
  }

  /** Finds entities whose full name is part of the text, best match first. The other words may name containers. */
  findNamedWithin(): PartialNames[] {
    return this.#partial.map(({ index, hits }) => {
      const within = hits.filter(({ match }) => match.kind === 'within').sort(compareHits);
      return { index, hits: within.slice(0, MAX_WITHIN) };
    });
  }

  /** Returns the hits whose containing entities are named by the other words of the text, as in "Georgia, USA". */
  findInContext({ index, hits }: PartialNames, containing: ReadonlyMap<number, readonly number[]>): Hit[] {
    const found = hits.flatMap((hit) => {
      const { id } = hit.document;
      const containers = (containing.get(id) ?? [])
        .flatMap((one) => index.namesOf(one))
        .map(distinctMeanings);
      const contexts = findContexts(this.#query, index.namesOf(id)).filter(({ words }) => {
        const whole = containers.filter((name) => name.every((word) => words.includes(word)));
        return words.every((word) => whole.some((name) => name.includes(word)));
      });
      const match = { ...hit.match, kind: 'context' as const };
      return contexts.length === 0 ? [] : [{ hit: { ...hit, match }, contexts }];
    });
    const leading = found.filter(({ contexts }) => contexts.some(({ follows }) => follows));
    return (leading.length > 0 ? leading : found).map(({ hit }) => hit);
  }

  /** Returns all hits, best first, each entity only once. A text without letters or digits has no hits. */
  bestFirst(inContext: readonly Hit[] = [], corrects = true): Hit[] {
    if (this.#query.folded === '') return [];
    const found = new Map<string, Hit>();
    const add = (hits: readonly Hit[]): void => {
      for (const hit of hits) {
        const key = `${hit.type} ${hit.document.id}`;
        if (!found.has(key)) found.set(key, hit);
      }
    };
    add([...inContext, ...this.#exact]);
    const isPoor = found.size < ENOUGH_HITS && ![...found.values()].some(isNameMatch);
    if (corrects && isPoor) add(this.#indexes.flatMap((index) => index.findNear(this.#query)));
    add(this.#partial.flatMap(({ hits }) => hits));
    return [...found.values()].sort(compareHits);
  }
}

/** Returns the hits whose name or alias equals the text, best first. This is far faster than a full search. */
export function findNamed(names: Pick<SearchIndex, 'findNamed'>, text: string): Hit[] {
  const folded = foldSearch(text);
  return folded === '' ? [] : names.findNamed(folded).sort(compareHits);
}

function foldSearch(text: string): string {
  return LETTER_OR_DIGIT.test(text) ? fold(text) : '';
}

/** Returns the alias that best matches the text, or `undefined` if the name itself matches or no alias matches. */
export function findAlias(
  text: string,
  { name, aliases }: Pick<Hit['document'], 'name' | 'aliases'>,
): string | undefined {
  const query = new Query(fold(text));
  if (foldForms(name).some((one) => isWritten(query, one))) return undefined;
  let best: { alias: string; match: Match } | undefined;
  for (const alias of aliases) {
    const match = query.one({ texts: foldForms(alias), names: 0 });
    if (match !== null && (best === undefined || isBetter(match, best.match))) best = { alias, match };
  }
  return best?.alias;
}

/** Returns the longest part of a text, in folded form, that is a name or alias of the entity. */
export function findNamePart(
  text: string,
  { name, aliases }: Pick<Hit['document'], 'name' | 'aliases'>,
): string | undefined {
  const { terms } = new Query(foldSearch(text));
  const parts = [name, ...aliases].flatMap(foldForms).map((label) => termsWithin(terms, termsOf(label)));
  const texts = parts.map((part) => part.map(({ written }) => written).join(' '));
  return texts.sort((a, b) => b.length - a.length)[0] || undefined;
}

/** Returns the terms in a text that make up a name, preferably adjacent ones, or none if any term is missing. */
function termsWithin(terms: readonly Term[], name: readonly Term[]): readonly Term[] {
  const hasMeaning = (some: readonly Term[], { meaning }: Term) =>
    some.some((one) => one.meaning === meaning);
  if (!name.every((term) => hasMeaning(terms, term))) return [];
  const sorted = (some: readonly Term[]) =>
    some
      .map(({ meaning }) => meaning)
      .sort()
      .join(' ');
  const whole = sorted(name);
  const adjacent = terms
    .map((_, at) => terms.slice(at, at + name.length))
    .find((some) => sorted(some) === whole);
  const isFirst = (term: Term, at: number) => !hasMeaning(terms.slice(0, at), term);
  return adjacent ?? terms.filter((term, at) => hasMeaning(name, term) && isFirst(term, at));
}

/** Checks whether each word of a query is a prefix of a word in a name, or the whole query is a prefix of the name. */
function isWritten(query: Query, folded: string): boolean {
  return beginWords(query.words, folded) || compact(folded).startsWith(query.compact);
}

/** Checks whether each word is a prefix of a word in a normalised name. */
export function beginWords(words: readonly string[], folded: string): boolean {
  const own = folded.split(' ');
  return words.every((word) => own.some((one) => one.startsWith(word)));
}

/**
 * Returns the hits that the text names exactly. If the text is the whole name or alias of any regions, all other
 * regions are excluded. If any of the named regions are current, historical ones are excluded too. For example, "Burma"
 * names only Myanmar, and "New York" does not name New York County.
 */
export function exactHits(hits: readonly Hit[], text: string): ReadonlySet<Hit> {
  const whole = hits.filter(({ type, match }) => type === 'regions' && isWhole(match));
  const present = whole.filter(({ document }) => !document.historical);
  const regions = present.length > 0 ? present : whole;
  const isNamed = (hit: Hit) =>
    regions.length > 0 && hit.type === 'regions' ? regions.includes(hit) : isExact(hit, text);
  return new Set(hits.filter(isNamed));
}

/** Checks whether the text names the entity, either alone or together with its container ("Georgia, Asia"). */
export function isExact(hit: Hit, text: string): boolean {
  if (isPluralOfPlace(hit, text)) return false;
  return isNameMatch(hit) || isNameAndMore(hit, text);
}

/** Checks whether the text contains the plural of a region's name ("the Dakotas") and so cannot mean the region. */
function isPluralOfPlace({ type, document: { name, aliases } }: Hit, text: string): boolean {
  if (type !== 'regions') return false;
  const terms = termsOf(fold(text));
  const labels = [name, ...aliases].flatMap((label) => foldForms(label).map(termsOf));
  const isMeant = (own: Term) => terms.some(({ written }) => singular(written) === singular(own.written));
  const isSingular = (own: Term) =>
    terms.some(({ written }) => written !== own.written && singular(written) === own.written);
  const shared = labels.filter((label) => label.some(isMeant));
  return shared.length > 0 && shared.every((label) => label.some(isSingular));
}

/** Checks whether the text is a name followed by words from the entity's aliases, such as "Georgia, USA" for US-GA. */
function isNameAndMore({ match, document }: Hit, text: string): boolean {
  const hasAllWords = match.kind === 'words' || match.kind === 'word-prefixes';
  return hasAllWords && fold(text).startsWith(`${fold(document.name)} `);
}

/** The words that precede or follow a name in a text. */
interface Context {
  readonly words: readonly string[];
  /** True if `words` follow a name that begins the text; false if `words` precede a name that ends the text. */
  readonly follows: boolean;
}

/** Finds names at the beginning or the end of the text. Returns the other words of the text for each name found. */
function findContexts({ terms }: Query, names: readonly string[]): Context[] {
  const meanings = terms.map(({ meaning }) => meaning);
  return names.flatMap((name) => {
    const own = termsOf(name).map(({ meaning }) => meaning);
    const rest = meanings.length - own.length;
    if (rest <= 0) return [];
    const leads = own.every((word, at) => meanings[at] === word);
    const ends = own.every((word, at) => meanings[rest + at] === word);
    return [
      ...(leads ? [{ words: meanings.slice(own.length), follows: true }] : []),
      ...(ends ? [{ words: meanings.slice(0, rest), follows: false }] : []),
    ];
  });
}
