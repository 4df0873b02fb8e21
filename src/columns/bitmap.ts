/**
 * Returns the number of bytes for a validity bitmap of `length` rows. The bitmap has Arrow's layout: one bit per row,
 * least significant bit first. A bit is set if the row has a value. A `null` bitmap means that every row has a value.
 */
export function bitmapBytes(length: number): number {
  return (length + 7) >> 3;
}

/** Returns a bitmap of `length` null rows, padded to a multiple of 8 bytes as Arrow recommends. */
export function emptyBitmap(length: number): Uint8Array {
  return new Uint8Array(Math.ceil(length / 64) * 8);
}

export function setBit(bitmap: Uint8Array, i: number): void {
  bitmap[i >> 3] = bitmap[i >> 3]! | (1 << (i & 7));
}

export function clearBit(bitmap: Uint8Array, i: number): void {
  bitmap[i >> 3] = bitmap[i >> 3]! & ~(1 << (i & 7));
}

export function isValid(bitmap: Uint8Array | null, i: number): boolean {
  return bitmap === null || ((bitmap[i >> 3]! >> (i & 7)) & 1) === 1;
}

function setBits(bitmap: Uint8Array, from: number, to: number): void {
  let i = from;
  while (i < to && (i & 7) !== 0) setBit(bitmap, i++);
  const wholeEnd = i + ((to - i) & ~7);
  if (wholeEnd > i) bitmap.fill(0xff, i >> 3, wholeEnd >> 3);
  for (i = Math.max(i, wholeEnd); i < to; i++) setBit(bitmap, i);
}

/** The bits of `count` rows in `bitmap`, starting at row `at`. */
interface BitRun {
  bitmap: Uint8Array | null;
  at: number;
  count: number;
}

/** Copies a run of bits into `target`, starting at row `at`. The bits to be overwritten must be unset. */
export function copyBits(target: Uint8Array, at: number, run: BitRun): void {
  const { bitmap, count } = run;
  if (bitmap === null) {
    setBits(target, at, at + count);
    return;
  }
  const lead = Math.min(count, -at & 7);
  copyBitByBit(target, at, { bitmap, at: run.at, count: lead });
  const bytes = (count - lead) >> 3;
  const shift = (run.at + lead) & 7;
  const from = (run.at + lead) >> 3;
  const to = (at + lead) >> 3;
  if (shift === 0) target.set(bitmap.subarray(from, from + bytes), to);
  else {
    for (let i = 0; i < bytes; i++) {
      target[to + i] = (bitmap[from + i]! >> shift) | (bitmap[from + i + 1]! << (8 - shift));
    }
  }
  const done = lead + bytes * 8;
  copyBitByBit(target, at + done, { bitmap, at: run.at + done, count: count - done });
}

/** Concatenates runs of bits into one bitmap. Returns null if every row has a value. */
export function joinBits(runs: readonly BitRun[]): Uint8Array | null {
  if (runs.every(({ bitmap }) => bitmap === null)) return null;
  const joined = emptyBitmap(runs.reduce((sum, { count }) => sum + count, 0));
  let at = 0;
  for (const run of runs) {
    copyBits(joined, at, run);
    at += run.count;
  }
  return joined;
}

function copyBitByBit(target: Uint8Array, at: number, { bitmap, at: from, count }: BitRun): void {
  for (let i = 0; i < count; i++) if (isValid(bitmap, from + i)) setBit(target, at + i);
}

export function countValid(bitmap: Uint8Array | null, length: number): number {
  if (bitmap === null) return length;
  let valid = 0;
  const whole = length >> 3;
  for (let byte = 0; byte < whole; byte++) {
    let bits = bitmap[byte]!;
    bits -= (bits >> 1) & 0x55;
    bits = (bits & 0x33) + ((bits >> 2) & 0x33);
    valid += (bits + (bits >> 4)) & 0x0f;
  }
  for (let i = whole * 8; i < length; i++) if (isValid(bitmap, i)) valid++;
  return valid;
}

function forEachNull(bitmap: Uint8Array, length: number, visit: (row: number) => void): void {
  for (let from = 0; from < length; from += 8) {
    if (bitmap[from >> 3] === 0xff) continue;
    for (let row = from; row < from + 8 && row < length; row++) if (!isValid(bitmap, row)) visit(row);
  }
}

/** Writes NaN into every null row, so that code that ignores the bitmap does not read a number there. */
export function blankNulls(values: Float64Array, bitmap: Uint8Array): void {
  forEachNull(bitmap, values.length, (row) => {
    values[row] = Number.NaN;
  });
}

/** Returns the values with NaN in every null row. The array is copied only if a value changes. */
export function nanAtNulls(values: Float64Array, bitmap: Uint8Array | null): Float64Array {
  if (bitmap === null) return values;
  let blanked = values;
  forEachNull(bitmap, values.length, (row) => {
    if (Number.isNaN(blanked[row])) return;
    if (blanked === values) blanked = values.slice();
    blanked[row] = Number.NaN;
  });
  return blanked;
}
