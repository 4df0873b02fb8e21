/** Edits that a word may be off: none below four letters, one below eight, two from there on. */
export function allowedEdits(word: string): number {
  if (word.length < 4 || word.length > LONGEST_CORRECTED || /\p{N}/u.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

const LONGEST_CORRECTED = 40;
/** More than any misspelling needs; keeps a query short. */
const MAX_NEAR_WORDS = 20;
/** What makes one of two words that are equally many edits away the less likely. */
const UNLIKELY = {
  /** A first letter is seldom wrong. */
  otherFirstLetter: 0.5,
  /** Letters are left out more often than added. */
  letterTooMany: 0.2,
  /** What sounds alike is written for one another. */
  otherSound: 0.1,
} as const;

/** All words of an index, to find those that a misspelt one may stand for. */
export class FuzzyMatcher {
  readonly #words: readonly string[];
  readonly #letters: Uint32Array;

  constructor(words: ReadonlySet<string>) {
    this.#words = [...words];
    this.#letters = Uint32Array.from(this.#words, letterSet);
  }

  /** Words near to this one with their distance, nearest first. */
  findNear(word: string): ReadonlyMap<string, number> {
    const max = allowedEdits(word);
    if (max === 0) return new Map();
    const found: [string, number][] = [];
    const letters = letterSet(word);
    for (let i = 0; i < this.#words.length; i++) {
      // One edit changes at most two letters of the set, so that most words need no closer look.
      if (bitCount(letters ^ this.#letters[i]!) > 2 * max) continue;
      const other = this.#words[i]!;
      if (Math.abs(other.length - word.length) > max) continue;
      const edits = editDistance(word, other, max);
      if (edits <= max) found.push([other, edits + unlikeliness(word, other)]);
    }
    found.sort(([a, aFar], [b, bFar]) => aFar - bFar || (a < b ? -1 : 1));
    return new Map(found.slice(0, MAX_NEAR_WORDS));
  }
}

/**
 * Letters added, left out, exchanged, or swapped with their neighbour (optimal string alignment distance: Damerau 1964,
 * each stretch edited once); above `max` any number above it.
 */
export function editDistance(a: string, b: string, max: number): number {
  let before = new Uint16Array(b.length + 1);
  let above = Uint16Array.from({ length: b.length + 1 }, (_, j) => j);
  let row = new Uint16Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let min = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) edits = Math.min(edits, before[j - 2]! + 1);
      row[j] = edits;
      min = Math.min(min, edits);
    }
    if (min > max) return max + 1;
    [before, above, row] = [above, row, before];
  }
  return above[b.length]!;
}

function unlikeliness(written: string, meant: string): number {
  return (
    (meant[0] === written[0] ? 0 : UNLIKELY.otherFirstLetter) +
    (meant.length < written.length ? UNLIKELY.letterTooMany : 0) +
    (sound(meant) === sound(written) ? 0 : UNLIKELY.otherSound)
  );
}

/** Letters that sound alike in names of many languages become one; doubled letters are single. */
function sound(word: string): string {
  return word
    .replaceAll('ph', 'f')
    .replace(/[cq]/g, 'k')
    .replaceAll('z', 's')
    .replace(/[yj]/g, 'i')
    .replaceAll('w', 'v')
    .replace(/(.)\1+/gu, '$1');
}

/** A bit for each letter a–z that occurs; all others share six bits. */
function letterSet(word: string): number {
  let set = 0;
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i) - 97;
    set |= 1 << (code >= 0 && code < 26 ? code : 26 + (word.charCodeAt(i) % 6));
  }
  return set >>> 0;
}

/** Bits set in 32 (Warren, Hacker's Delight, section 5-1). */
function bitCount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
