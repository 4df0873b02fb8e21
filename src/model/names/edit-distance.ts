/**
 * Returns the optimal string alignment distance (Damerau 1964): the minimum number of insertions, deletions,
 * substitutions and transpositions of letters, with no substring edited twice. A result above `max` may be inexact.
 */
export function editDistance(a: string, b: string, max: number): number {
  let secondLast = new Uint16Array(b.length + 1);
  let previous = Uint16Array.from({ length: b.length + 1 }, (_, j) => j);
  let row = new Uint16Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let min = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      const transposed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (transposed) edits = Math.min(edits, secondLast[j - 2]! + 1);
      row[j] = edits;
      min = Math.min(min, edits);
    }
    if (min > max) return max + 1;
    [secondLast, previous, row] = [previous, row, secondLast];
  }
  return previous[b.length]!;
}

/** The minimum length of a word for which search tolerates a wrong first letter. */
const MIN_LETTERS_OF_OTHER_START = 6;

/** Maps letters that sound alike in many languages to the same letter, and doubled letters to a single letter. */
export function toPhoneticKey(word: string): string {
  return word
    .replaceAll('ph', 'f')
    .replace(/[cq]/g, 'k')
    .replaceAll('z', 's')
    .replace(/[yj]/g, 'i')
    .replaceAll('w', 'v')
    .replace(/(.)\1+/gu, '$1');
}

/**
 * Checks whether `typed` may be a misspelling of `meant`. Short words must start with the same sound or have their
 * first two letters swapped.
 */
export function mayBeMisspelt(typed: string, meant: string): boolean {
  const isSwapped = typed[0] === meant[1] && typed[1] === meant[0];
  if (typed[0] === meant[0] || isSwapped || typed.length >= MIN_LETTERS_OF_OTHER_START) return true;
  return toPhoneticKey(typed)[0] === toPhoneticKey(meant)[0];
}

/** Finds the known word with the most similar spelling, or else a word that contains `typed` or is part of it. */
export function nearestWord(typed: string, known: readonly string[]): string | undefined {
  const word = letters(typed);
  if (word === '') return undefined;
  const max = Math.max(1, Math.floor(word.length / 3));
  const near = known
    .map((other) => ({ other, edits: editDistance(word, letters(other), max) }))
    .filter(({ other, edits }) => edits <= max && edits < word.length && mayBeMisspelt(word, letters(other)))
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.other ?? known.find((other) => oneContainsOther(typed, other));
}

function letters(word: string): string {
  return word.toLowerCase().replace(/[_\s-]/g, '');
}

/** Checks whether the shorter string is a prefix of the longer one, or a word in it (`name` in `region_name`). */
function oneContainsOther(a: string, b: string): boolean {
  const [short, long] = letters(a).length <= letters(b).length ? [a, b] : [b, a];
  if (letters(short).length < 3) return false;
  const isBeginning = letters(long).startsWith(letters(short));
  return isBeginning || wordsOf(long).includes(wordsOf(short));
}

function wordsOf(text: string): string {
  const separate = text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return ` ${separate.replace(/[_\s-]+/g, ' ').trim()} `;
}
