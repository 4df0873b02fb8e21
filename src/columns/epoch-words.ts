/**
 * A column of UTC milliseconds as pairs of 32-bit words, low word first: reading numbers from it allocates no BigInt.
 * Shares the column's memory.
 */
export type EpochWords = Int32Array;

export function epochWords(dates: BigInt64Array): EpochWords {
  return new Int32Array(dates.buffer, dates.byteOffset, dates.length * 2);
}

/** Milliseconds of row `i`; exact, because dates stay far below 2^53. */
export function epochAt(words: EpochWords, i: number): number {
  return words[2 * i + 1]! * 4_294_967_296 + (words[2 * i]! >>> 0);
}

/** Writes milliseconds (whole, within ±2^53) at row `i`. */
export function setEpoch(words: EpochWords, i: number, ms: number): void {
  words[2 * i] = ms;
  words[2 * i + 1] = Math.floor(ms / 4_294_967_296);
}
