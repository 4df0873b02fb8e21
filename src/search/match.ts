import { compact } from './fold.js';
import { meaningOf, type Term, termsOf } from './words.js';

/** How a text meets an entity, best first. */
export const MATCH_KINDS = [
  /** It is the name. */
  'name',
  /** It is an alias. */
  'alias',
  /** The same words in any order, in number or synonyms apart; or the same letters, spaces apart. */
  'same',
  /** A name or alias begins with it, up to the end of a word. */
  'begins',
  /** A name or alias holds all its words, in any order. */
  'holds',
  /** A name or alias begins with it, up to the middle of a word. */
  'begins-part',
  /** The entity's names hold all its words, some as beginnings of words. */
  'holds-part',
  /** A name or alias, and around it what the entity lies in ("Georgia, USA"). */
  'context',
  /** A name or alias up to misspellings. */
  'near',
  /** All its words, some of them misspelt. */
  'near-part',
  /** It holds a whole name or alias, and other words. */
  'within',
  /** A name or alias holds more than half of its words. */
  'some',
] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

export interface Match {
  readonly kind: MatchKind;
  /** How far it falls short within its kind: edits of misspelt words, or letters of the text left over; else 0. */
  readonly distance: number;
  /** Letters of the name or alias that the text does not account for. */
  readonly unmatched: number;
}

/** A search text taken apart. */
export interface Query {
  readonly folded: string;
  readonly compact: string;
  readonly words: readonly string[];
  readonly terms: readonly Term[];
  readonly meaning: readonly string[];
}

/** Words of a text that are looked at one by one; a longer text is still compared as a whole. */
const MAX_WORDS = 16;

export function parseQuery(folded: string): Query {
  const words = folded.split(' ').slice(0, MAX_WORDS);
  const looked = words.join(' ');
  return { folded, compact: compact(folded), words, terms: termsOf(looked), meaning: meaningOf(looked) };
}

/** Names and aliases of one entity, folded; the first `names` of them are forms of the name. */
export interface Labels {
  readonly texts: readonly string[];
  readonly names: number;
}

/** How a text that has all its words among the entity's names meets them, without misspellings. */
export function matchLabels(query: Query, { texts, names }: Labels): Match {
  let best: Match = { kind: 'holds-part', distance: 0, unmatched: lengthOf(texts) };
  for (const [at, text] of texts.entries()) {
    const kind = labelKind(query, text, at < names);
    if (kind === null) continue;
    const extra = Math.max(0, text.length - query.folded.length);
    const match: Match = { kind, distance: 0, unmatched: extra };
    if (isBetter(match, best)) best = match;
  }
  return best;
}

/** Fewer letters are more likely the beginning of a name than a word in it, such as a part of a code. */
const SHORTEST_WORD = 3;

function labelKind(query: Query, text: string, isName: boolean): MatchKind | null {
  if (text === query.folded) return isName ? 'name' : 'alias';
  const meaning = meaningOf(text);
  const held = query.meaning.every((word) => meaning.includes(word));
  if (held && meaning.length === query.meaning.length) return 'same';
  if (compact(text) === query.compact) return 'same';
  if (query.compact.length >= SHORTEST_WORD) {
    if (text.startsWith(`${query.folded} `)) return 'begins';
    if (held && query.meaning.every((word, at) => meaning[at] === word)) return 'begins';
    if (held) return 'holds';
  }
  if (text.startsWith(query.folded)) return 'begins-part';
  return query.terms.every((term) => holdsTerm(term, text, meaning)) ? 'holds-part' : null;
}

function holdsTerm({ written, meaning }: Term, text: string, textMeaning: readonly string[]): boolean {
  if (textMeaning.includes(meaning)) return true;
  return text.startsWith(written) || text.includes(` ${written}`);
}

/** Misspelt words of a query, each with the words that it may stand for and how far off they are. */
export type Corrections = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** How a text meets an entity that has all its words once misspelt ones are read as their neighbours. */
export function matchNear(query: Query, { texts }: Labels, corrections: Corrections): Match | null {
  return bestOf(texts.map((text) => nearMatch(query, text, corrections)));
}

function nearMatch(query: Query, text: string, corrections: Corrections): Match | null {
  const meaning = meaningOf(text);
  const words = [...text.split(' '), ...meaning];
  let lack = 0;
  for (const term of query.terms) {
    if (holdsTerm(term, text, meaning)) continue;
    const near = corrections.get(term.written);
    const edits = Math.min(...words.map((word) => near?.get(word) ?? Number.POSITIVE_INFINITY));
    if (edits === Number.POSITIVE_INFINITY) return null;
    lack += edits;
  }
  const kind = meaning.length === query.meaning.length ? 'near' : 'near-part';
  return { kind, distance: lack, unmatched: Math.max(0, text.length - query.folded.length) };
}

/** How a text that is longer than a name meets it; null when they share too little. */
export function matchPartial(query: Query, { texts }: Labels): Match | null {
  return bestOf(texts.map((text) => partialMatch(query, text)));
}

function partialMatch(query: Query, text: string): Match | null {
  const meaning = meaningOf(text);
  const shared = meaning.filter((word) => query.meaning.includes(word));
  if (shared.length === 0) return null;
  const lack = lettersOf(query.meaning) - lettersOf(shared);
  const extra = lettersOf(meaning) - lettersOf(shared);
  if (shared.length === meaning.length) return { kind: 'within', distance: lack, unmatched: extra };
  return shared.length * 2 > query.meaning.length ? { kind: 'some', distance: lack, unmatched: extra } : null;
}

function lengthOf([first]: readonly string[]): number {
  return first?.length ?? 0;
}

function lettersOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}

/** Words of a query that a name accounts for no part of; what the entity lies in may. */
export function unmatchedWords(query: Query, texts: readonly string[]): string[][] {
  return texts
    .map((text) => meaningOf(text))
    .filter((meaning) => meaning.every((word) => query.meaning.includes(word)))
    .map((meaning) => query.meaning.filter((word) => !meaning.includes(word)));
}

function bestOf(matches: readonly (Match | null)[]): Match | null {
  return matches.reduce((best, match) => {
    if (match === null || best === null) return match ?? best;
    return isBetter(match, best) ? match : best;
  }, null);
}

function isBetter(a: Match, b: Match): boolean {
  const kinds = MATCH_KINDS.indexOf(a.kind) - MATCH_KINDS.indexOf(b.kind);
  return (kinds || a.distance - b.distance || a.unmatched - b.unmatched) < 0;
}
