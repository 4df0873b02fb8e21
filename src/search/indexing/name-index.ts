import type { SearchableType, SearchDocument } from '../../model/entity.js';
import { editDistance, mayBeMisspelt, sound } from '../../model/names/edit-distance.js';
import { compact, foldedForms } from '../fold.js';
import type { Labels } from '../match.js';
import { meaningOf } from '../words.js';
import { type Postings, PostingsBuilder, type Work } from './postings.js';
import { TextTable } from './text-table.js';

/** The maximum distance of a correction: 0 below four letters, 1 below eight, otherwise 2; 0 for words with digits. */
function allowedEdits(word: string): number {
  if (word.length < 4 || word.length > MAX_CORRECTED_LENGTH || /\p{N}/u.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

const MAX_CORRECTED_LENGTH = 40;
/** More than any misspelling needs; limits the size of a query. */
const MAX_CORRECTIONS = 20;
/** Penalties that order words of equal distance. */
const PENALTY = {
  /** A first letter is rarely wrong. */
  otherFirstLetter: 0.5,
  /** Letters are omitted more often than added. */
  extraLetter: 0.2,
  /** Letters that sound alike are often confused. */
  otherSound: 0.1,
} as const;

/** Finds the words of an index that a misspelt word may mean. */
export class FuzzyMatcher {
  readonly #words: TextTable;
  /** One for each word. */
  readonly #letterSets: Uint32Array;

  constructor(words: TextTable, letterSets: Uint32Array) {
    this.#words = words;
    this.#letterSets = letterSets;
  }

  /** The words near this one with their distances, nearest first. */
  findNear(word: string): ReadonlyMap<string, number> {
    const max = allowedEdits(word);
    if (max === 0) return new Map();
    const found: [string, number][] = [];
    const letters = letterSet(word);
    for (let i = 0; i < this.#words.length; i++) {
      // One edit changes at most two letters of the set, which rules out most words cheaply.
      if (bitCount(letters ^ this.#letterSets[i]!) > 2 * max) continue;
      if (Math.abs(this.#words.lengthOf(i) - word.length) > max) continue;
      const other = this.#words.at(i);
      if (!mayBeMisspelt(word, other)) continue;
      const edits = editDistance(word, other, max);
      if (edits <= max) found.push([other, edits + penaltyOf(word, other)]);
    }
    found.sort(([a, aDistance], [b, bDistance]) => aDistance - bDistance || (a < b ? -1 : 1));
    return new Map(found.slice(0, MAX_CORRECTIONS));
  }
}

function penaltyOf(written: string, meant: string): number {
  return (
    (sound(meant)[0] === sound(written)[0] ? 0 : PENALTY.otherFirstLetter) +
    (meant.length < written.length ? PENALTY.extraLetter : 0) +
    (sound(meant) === sound(written) ? 0 : PENALTY.otherSound)
  );
}

/** The sets by which `FuzzyMatcher` rules out words. */
function letterSetsOf(words: readonly string[]): Uint32Array {
  return Uint32Array.from(words, letterSet);
}

/** One bit for each letter a–z that occurs; all other characters share six bits. */
function letterSet(word: string): number {
  let set = 0;
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i) - 97;
    set |= 1 << (code >= 0 && code < 26 ? code : 26 + (word.charCodeAt(i) % 6));
  }
  return set >>> 0;
}

/** Number of bits set (Warren, Hacker's Delight, section 5-1). */
function bitCount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** An entity without its number of points, which changes more often than its names. */
type NamedEntity = Omit<SearchDocument, 'pointCount'>;

/** The names of the entities of one type as arrays: the content of a search index, which a file can hold. */
export interface NameIndex {
  readonly type: SearchableType;
  /** Current entities before historical ones, then wider levels, then by id. The same holds for the next four. */
  readonly ids: Int32Array;
  /** `NO_LEVEL` for types without levels. */
  readonly levels: Int32Array;
  readonly historical: Uint8Array;
  readonly names: TextTable;
  /** Aliases as JSON. */
  readonly aliases: TextTable;
  /** The words of names and aliases as written, and their meanings with a marker that keeps them out of prefix searches. */
  readonly words: Postings;
  /** Names and aliases without spaces, as written and by their meaning. */
  readonly wholeNames: Postings;
  /** The words and meanings without marker, for misspellings, and a set of letters of each. */
  readonly plainWords: TextTable;
  readonly letterSets: Uint32Array;
}

const NO_LEVEL = -(2 ** 31);

/** Documents indexed between two yields to the event loop. */
const DOCUMENTS_PER_YIELD = 50;
const WORDS_PER_YIELD = 5_000;

/** Indexes names; pauses regularly, so that a service can answer other requests meanwhile. */
export function* buildNameIndex(type: SearchableType, documents: readonly NamedEntity[]): Work<NameIndex> {
  yield;
  const sorted = [...documents].sort(compareNarrowness);
  const words = new PostingsBuilder();
  const wholes = new PostingsBuilder();
  for (const [at, document] of sorted.entries()) {
    if (at % DOCUMENTS_PER_YIELD === DOCUMENTS_PER_YIELD - 1) yield;
    const { texts } = labelsOf(document);
    const meanings = texts.map(meaningOf);
    words.add(at, indexedWords(texts, meanings));
    wholes.add(at, wholeTexts(texts, meanings));
  }
  yield;
  const builtWords = yield* words.build();
  yield;
  const builtWholes = yield* wholes.build();
  yield;
  const plain = yield* plainWordsOf(builtWords.texts);
  yield;
  const plainWords = TextTable.of(plain);
  yield;
  const letterSets = letterSetsOf(plain);
  yield;
  const names = TextTable.of(sorted.map(({ name }) => name));
  yield;
  const aliases = TextTable.of(sorted.map((document) => JSON.stringify(document.aliases)));
  yield;
  return {
    type,
    ids: Int32Array.from(sorted, ({ id }) => id),
    levels: Int32Array.from(sorted, ({ level }) => level ?? NO_LEVEL),
    historical: Uint8Array.from(sorted, ({ historical }) => Number(historical)),
    names,
    aliases,
    words: builtWords,
    wholeNames: builtWholes,
    plainWords,
    letterSets,
  };
}

/** The entity at a position. */
export function namedEntity(index: NameIndex, at: number): NamedEntity {
  const level = index.levels[at]!;
  return {
    id: index.ids[at]!,
    name: index.names.at(at),
    aliases: JSON.parse(index.aliases.at(at)) as string[],
    level: level === NO_LEVEL ? null : level,
    historical: index.historical[at] === 1,
  };
}

/** Folded names and aliases. An entity whose name has no letters or digits is found by its aliases only. */
export function labelsOf({ name, aliases }: Pick<SearchDocument, 'name' | 'aliases'>): Labels {
  const names = foldedForms(name).filter((text) => text !== '');
  const texts = [...new Set([...names, ...aliases.flatMap(foldedForms)])].filter((text) => text !== '');
  return { texts, names: names.length };
}

function indexedWords(texts: readonly string[], meanings: readonly string[][]): string[] {
  const words = new Set(texts.flatMap((text) => text.split(' ')));
  const others = meanings.flat().filter((meaning) => !words.has(meaning));
  return [...words, ...others.map(withMarker)];
}

function wholeTexts(texts: readonly string[], meanings: readonly string[][]): string[] {
  const wholes = texts.map(compact);
  for (const [at, meaning] of meanings.entries()) {
    const meant = meaning.join('');
    if (meant !== wholes[at]) wholes.push(meant);
  }
  return wholes;
}

function* plainWordsOf(words: TextTable): Work<string[]> {
  const plain = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    if (i % WORDS_PER_YIELD === 0) yield;
    plain.add(withoutMarker(words.at(i)));
  }
  return [...plain];
}

const MARKER = '=';

export function withMarker(meaning: string): string {
  return MARKER + meaning;
}

function withoutMarker(word: string): string {
  return word.startsWith(MARKER) ? word.slice(MARKER.length) : word;
}

/**
 * Orders entities independently of a text and of their data. With those that have data first among the current and among
 * the historical ones, this is the order in which the first of too many candidates are kept.
 */
function compareNarrowness(
  a: Omit<SearchDocument, 'pointCount'>,
  b: Omit<SearchDocument, 'pointCount'>,
): number {
  return Number(a.historical) - Number(b.historical) || (a.level ?? 0) - (b.level ?? 0) || a.id - b.id;
}
