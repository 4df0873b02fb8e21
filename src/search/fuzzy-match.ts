import { editDistance, mayBeMisspelt, sound } from '../model/names/edit-distance.js';
import type { TextTable } from './indexing/text-table.js';

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
export function letterSetsOf(words: readonly string[]): Uint32Array {
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
