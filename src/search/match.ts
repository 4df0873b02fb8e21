import {
  REGION_LEVELS,
  SEARCHABLE_TYPES,
  type SearchableType,
  type SearchDocument,
} from '../model/entity.js';
import { compact, foldForms } from './fold.js';
import { distinctMeanings, type Term, termsOf } from './words.js';

/** The kinds of match between a text and an entity, best first. */
const MATCH_KINDS = [
  /** The text is the entity's name. */
  'name',
  /** The text is one of the entity's aliases. */
  'alias',
  /** The text is a name or alias followed or preceded by the name of a container ("Georgia, USA"). */
  'context',
  /** A name or alias equals the text apart from spaces, or apart from word order, plurals and synonyms. */
  'same',
  /** A name or alias begins with the words of the text, which are all complete. */
  'prefix',
  /** A name or alias contains all words of the text, in any order. */
  'words',
  /** A name or alias begins with the text, but the last word of the text is incomplete. */
  'partial-prefix',
  /** The entity's names contain all words of the text, some of them only as prefixes. */
  'word-prefixes',
  /** The text is a name or alias with misspellings. */
  'near',
  /** A name or alias contains all words of the text, some of them misspelt. */
  'near-words',
  /** The text contains a whole name or alias as well as other words. */
  'within',
  /** A name or alias contains more than half of the words in the text. */
  'some-words',
] as const;
type MatchKind = (typeof MATCH_KINDS)[number];

export interface Match {
  readonly kind: MatchKind;
  /** The number of edits or unmatched letters in the text, depending on the kind. Ranks matches of the same kind. */
  readonly distance: number;
  /** The number of letters in the name or alias that the text does not match. */
  readonly unmatched: number;
}

/** A parsed search text, with methods that compare it to the names and aliases of entities. */
export class Query {
  readonly compact: string;
  readonly words: readonly string[];
  readonly terms: readonly Term[];
  readonly meaning: readonly string[];
  readonly repeats: boolean;

  constructor(readonly folded: string) {
    this.words = folded.split(' ').slice(0, MAX_WORDS);
    const compared = this.words.join(' ');
    this.compact = compact(folded);
    this.terms = termsOf(compared);
    this.meaning = distinctMeanings(compared);
    this.repeats = repeatsWord(compared);
  }

  /** Returns the best match with an entity whose names are known to contain all words, even if only as prefixes. */
  all(labels: Labels): Match {
    const some: Match = { kind: 'word-prefixes', distance: 0, unmatched: labels.texts[0]?.length ?? 0 };
    const whole = this.one(labels);
    return whole !== null && isBetter(whole, some) ? whole : some;
  }

  /** Returns the best match with a single name, without corrections, or null if no name contains all words. */
  one({ texts, names }: Labels): Match | null {
    return bestOf(
      texts.map((text, at) => {
        const kind = labelKind(this, text, at < names);
        return kind && { kind, distance: 0, unmatched: Math.max(0, text.length - this.folded.length) };
      }),
    );
  }

  /** Returns the best match after correcting misspelt words, or null if no name contains all corrected words. */
  near({ texts }: Labels, corrections: Corrections): Match | null {
    return bestOf(texts.map((text) => nearMatch(this, text, corrections)));
  }

  /** Returns the best match with a name that shares only some of the query's words, or null if too few are shared. */
  partial({ texts }: Labels): Match | null {
    return bestOf(texts.map((text) => partialMatch(this, text)));
  }
}

/** The maximum number of words that are compared individually. A text with more words is still compared as a whole. */
const MAX_WORDS = 32;

/** Checks whether a word occurs twice, which distinguishes the county "Iowa, Iowa" from the state. */
function repeatsWord(folded: string): boolean {
  const words = folded.split(' ');
  return new Set(words).size < words.length;
}

/** An entity's name and aliases, normalised by `fold`. The first `names` items of `texts` are forms of the name. */
export interface Labels {
  readonly texts: readonly string[];
  readonly names: number;
}

/** Returns the same match as `Query.all` if the text is a whole name or alias, or null otherwise. */
export function matchWhole(folded: string, { name, aliases }: SearchDocument): Match | null {
  const isLabel = (label: string) => foldForms(label).includes(folded);
  const kind = isLabel(name) ? 'name' : aliases.some(isLabel) ? 'alias' : null;
  return kind && { kind, distance: 0, unmatched: 0 };
}

/** The minimum length of a query that may match a whole word inside a name. A shorter query is more likely a prefix. */
const MIN_WORD_LETTERS = 3;

function labelKind(query: Query, text: string, isName: boolean): MatchKind | null {
  if (text === query.folded) return isName ? 'name' : 'alias';
  const meaning = distinctMeanings(text);
  const containsAll = query.meaning.every((word) => meaning.includes(word));
  if (containsAll && meaning.length === query.meaning.length && repeatsWord(text) === query.repeats)
    return 'same';
  if (compact(text) === query.compact) return 'same';
  if (query.compact.length >= MIN_WORD_LETTERS) {
    if (text.startsWith(`${query.folded} `)) return 'prefix';
    if (containsAll && query.meaning.every((word, at) => meaning[at] === word)) return 'prefix';
    if (containsAll) return 'words';
  }
  if (text.startsWith(query.folded)) return 'partial-prefix';
  return query.terms.every((term) => containsTerm(term, text, meaning)) ? 'word-prefixes' : null;
}

function containsTerm({ written, meaning }: Term, text: string, textMeaning: readonly string[]): boolean {
  if (textMeaning.includes(meaning)) return true;
  return text.startsWith(written) || text.includes(` ${written}`);
}

/** Maps each misspelt word in a query to the words that may have been meant, each with its edit distance. */
export type Corrections = ReadonlyMap<string, ReadonlyMap<string, number>>;

function nearMatch(query: Query, text: string, corrections: Corrections): Match | null {
  const meaning = distinctMeanings(text);
  const words = [...text.split(' '), ...meaning];
  let distance = 0;
  for (const term of query.terms) {
    if (containsTerm(term, text, meaning)) continue;
    const near = corrections.get(term.written);
    const edits = Math.min(...words.map((word) => near?.get(word) ?? Number.POSITIVE_INFINITY));
    if (edits === Number.POSITIVE_INFINITY) return null;
    distance += edits;
  }
  const kind = meaning.length === query.meaning.length ? 'near' : 'near-words';
  return { kind, distance, unmatched: Math.max(0, text.length - query.folded.length) };
}

function partialMatch(query: Query, text: string): Match | null {
  const meaning = distinctMeanings(text);
  const common = meaning.filter((word) => query.meaning.includes(word));
  if (common.length === 0) return null;
  const distance = letterCount(query.meaning) - letterCount(common);
  const unmatched = letterCount(meaning) - letterCount(common);
  if (common.length === meaning.length) return { kind: 'within', distance, unmatched };
  return common.length * 2 > query.meaning.length ? { kind: 'some-words', distance, unmatched } : null;
}

function letterCount(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}

function bestOf(matches: readonly (Match | null)[]): Match | null {
  return matches.reduce((best, match) => {
    if (match === null || best === null) return match ?? best;
    return isBetter(match, best) ? match : best;
  }, null);
}

export function isBetter(a: Match, b: Match): boolean {
  const kinds = MATCH_KINDS.indexOf(a.kind) - MATCH_KINDS.indexOf(b.kind);
  return (kinds || a.distance - b.distance || a.unmatched - b.unmatched) < 0;
}

export interface Hit {
  readonly type: SearchableType;
  readonly document: SearchDocument;
  readonly match: Match;
}

/**
 * Compares hits, possibly of different types. The order depends on the kind of match, then on whether the region is
 * current, the distance, whether there are data, the level (wider first), the number of unmatched letters, the number
 * of points (most first), the type and the id. For example, "Western" finds the region of that name that has data. The
 * exact name of a historical region ranks no higher than an alias, so "Burma" finds Myanmar.
 */
export function compareHits(a: Hit, b: Hit): number {
  return (
    rankOf(a) - rankOf(b) ||
    Number(a.document.historical) - Number(b.document.historical) ||
    a.match.distance - b.match.distance ||
    Number(b.document.pointCount > 0) - Number(a.document.pointCount > 0) ||
    levelOf(a) - levelOf(b) ||
    a.match.unmatched - b.match.unmatched ||
    b.document.pointCount - a.document.pointCount ||
    SEARCHABLE_TYPES.indexOf(a.type) - SEARCHABLE_TYPES.indexOf(b.type) ||
    a.document.id - b.document.id
  );
}

const ALIAS = MATCH_KINDS.indexOf('alias');

function rankOf({ match, document }: Hit): number {
  const kind = MATCH_KINDS.indexOf(match.kind);
  return document.historical ? Math.max(kind, ALIAS) : kind;
}

/** Returns a hit's region level. Entities without a level, such as metrics and items, rank with countries. */
function levelOf({ document }: Hit): number {
  return document.level ?? REGION_LEVELS.country;
}

export function isWhole({ kind }: Match): boolean {
  return kind === 'name' || kind === 'alias';
}

/** Checks whether the text names the entity, which is the case if the match is of kind `same` or better. */
export function isNameMatch({ match }: Hit): boolean {
  return MATCH_KINDS.indexOf(match.kind) <= MATCH_KINDS.indexOf('same');
}

/** Checks whether the entity's names contain every word of the text, even if only as a prefix or with a misspelling. */
export function matchesAllWords({ match }: Hit): boolean {
  return MATCH_KINDS.indexOf(match.kind) <= MATCH_KINDS.indexOf('near-words');
}
