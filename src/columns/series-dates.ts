/** Evenly spaced dates. */
export interface DateGrid {
  /** The first date in UTC milliseconds. */
  readonly firstMs: number;
  /** The number of milliseconds between neighbouring dates; 0 if there is only one distinct date. */
  readonly stepMs: number;
}

/** The dates of one series: a grid if they are evenly spaced, otherwise an array of UTC milliseconds. */
export type SeriesDates = DateGrid | Float64Array;

export function gridOf(dates: Float64Array): SeriesDates {
  const firstMs = dates[0] ?? 0;
  const stepMs = dates.length > 1 ? dates[1]! - firstMs : 0;
  for (let i = 1; i < dates.length; i++) if (dates[i]! - dates[i - 1]! !== stepMs) return dates;
  return { firstMs, stepMs };
}

export function readEpochs(column: BigInt64Array): Float64Array {
  const words = epochWords(column);
  const dates = new Float64Array(column.length);
  for (let i = 0; i < dates.length; i++) dates[i] = epochAt(words, i);
  return dates;
}

/** Writes `length` dates to a column of UTC milliseconds, starting at row `at` of the column. */
export function unpackDates(dates: SeriesDates, length: number, target: BigInt64Array, at = 0): void {
  const words = epochWords(target.subarray(at));
  if (dates instanceof Float64Array) for (let i = 0; i < length; i++) setEpoch(words, i, dates[i]!);
  else writeGrid(dates, length, words);
}

export function dateAt(dates: SeriesDates, i: number): number {
  return dates instanceof Float64Array ? dates[i]! : dates.firstMs + i * dates.stepMs;
}

/** Returns dates `from` to `to` (exclusive). An array is not copied. */
export function sliceDates(dates: SeriesDates, from: number, to: number): SeriesDates {
  if (dates instanceof Float64Array) return dates.subarray(from, to);
  return { ...dates, firstMs: dates.firstMs + from * dates.stepMs };
}

export function distinctDates(dates: Iterable<number>): Float64Array {
  return Float64Array.from(new Set(dates)).sort();
}

/** Returns the position of the first of `length` ascending numbers that is at least `value`, or `length` if none is. */
export function firstFrom(ascending: Float64Array, value: number, length = ascending.length): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const WORD = 4_294_967_296;

/** Views a column as pairs of 32-bit words, low word first, which can be read without allocating BigInts. */
export function epochWords({ buffer, byteOffset, byteLength }: ArrayBufferView): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

/** Returns the date in row `i` in milliseconds. The number is exact, because dates are far below 2^53. */
export function epochAt(words: Int32Array, i: number): number {
  return words[2 * i + 1]! * WORD + (words[2 * i]! >>> 0);
}

function setEpoch(words: Int32Array, i: number, ms: number): void {
  words[2 * i] = ms;
  words[2 * i + 1] = Math.floor(ms / WORD);
}

/** Writes each date by adding the step to the previous one, because a division per date is several times slower. */
function writeGrid({ firstMs, stepMs }: DateGrid, length: number, words: Int32Array): void {
  let high = Math.floor(firstMs / WORD);
  let low = firstMs - high * WORD;
  const stepHigh = Math.floor(stepMs / WORD);
  const stepLow = stepMs - stepHigh * WORD;
  for (let i = 0; i < length; i++) {
    words[2 * i] = low;
    words[2 * i + 1] = high;
    low += stepLow;
    high += stepHigh;
    if (low < WORD) continue;
    low -= WORD;
    high++;
  }
}
