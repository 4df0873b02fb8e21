/**
 * A column of UTC milliseconds as pairs of 32-bit words, low word first. It shares the column's memory. Numbers are
 * read from it without allocating a BigInt.
 */
export type EpochWords = Int32Array;

export function epochWords(dates: BigInt64Array): EpochWords {
  return wordsOf(dates);
}

/** The memory of a column as 32-bit words; shared, not copied. */
export function wordsOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

/** Milliseconds of row `i`; exact, because dates are far below 2^53. */
export function epochAt(words: EpochWords, i: number): number {
  return words[2 * i + 1]! * 4_294_967_296 + (words[2 * i]! >>> 0);
}

/** Writes milliseconds (whole, within ±2^53) at row `i`. */
export function setEpoch(words: EpochWords, i: number, ms: number): void {
  words[2 * i] = ms;
  words[2 * i + 1] = Math.floor(ms / 4_294_967_296);
}

/** Whether rows `a` and `b` hold the same date. */
export function sameEpoch(words: EpochWords, a: number, b: number): boolean {
  return words[2 * a] === words[2 * b] && words[2 * a + 1] === words[2 * b + 1];
}
