/** A validity bitmap for `length` rows, every row invalid; padded to 8 bytes as Arrow asks. */
export function emptyBitmap(length: number): Uint8Array {
  return new Uint8Array(Math.ceil(length / 64) * 8);
}

export function setBit(bitmap: Uint8Array, i: number): void {
  bitmap[i >> 3] = bitmap[i >> 3]! | (1 << (i & 7));
}

export function clearBit(bitmap: Uint8Array, i: number): void {
  bitmap[i >> 3] = bitmap[i >> 3]! & ~(1 << (i & 7));
}

/** Sets rows `from` to `to` (exclusive). */
export function setBits(bitmap: Uint8Array, from: number, to: number): void {
  let i = from;
  while (i < to && (i & 7) !== 0) setBit(bitmap, i++);
  const wholeEnd = i + ((to - i) & ~7);
  if (wholeEnd > i) bitmap.fill(0xff, i >> 3, wholeEnd >> 3);
  for (i = Math.max(i, wholeEnd); i < to; i++) setBit(bitmap, i);
}

/** A run of bits: `count` rows of `bitmap` from row `at`; a null bitmap has every row valid. */
export interface BitRun {
  bitmap: Uint8Array | null;
  at: number;
  count: number;
}

/** Copies a run of bits into `target` at row `at`; the target's rows there must still be clear. */
export function copyBits(target: Uint8Array, at: number, run: BitRun): void {
  const { bitmap, count } = run;
  if (bitmap === null) {
    setBits(target, at, at + count);
    return;
  }
  const lead = Math.min(count, -at & 7);
  copySingly(target, at, { bitmap, at: run.at, count: lead });
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
  copySingly(target, at + done, { bitmap, at: run.at + done, count: count - done });
}

function copySingly(target: Uint8Array, at: number, { bitmap, at: from, count }: BitRun): void {
  for (let i = 0; i < count; i++) {
    const bit = from + i;
    if ((bitmap![bit >> 3]! >> (bit & 7)) & 1) setBit(target, at + i);
  }
}

/** How many of the first `length` rows are valid. */
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
  for (let i = whole * 8; i < length; i++) valid += (bitmap[i >> 3]! >> (i & 7)) & 1;
  return valid;
}

/** Writes NaN in every null row, so that a reader who overlooks the bitmap never takes what lies there for a figure. */
export function blankNulls(values: Float64Array, bitmap: Uint8Array): void {
  for (let from = 0; from < values.length; from += 8) {
    const bits = bitmap[from >> 3]!;
    if (bits === 0xff) continue;
    const to = Math.min(from + 8, values.length);
    for (let i = from; i < to; i++) if (((bits >> (i & 7)) & 1) === 0) values[i] = Number.NaN;
  }
}

/** The same values with NaN in every null row; the array itself where that already holds. */
export function nanAtNulls(values: Float64Array, bitmap: Uint8Array | null): Float64Array {
  if (bitmap === null || blankAtNulls(values, bitmap)) return values;
  const copy = values.slice();
  blankNulls(copy, bitmap);
  return copy;
}

function blankAtNulls(values: Float64Array, bitmap: Uint8Array): boolean {
  for (let from = 0; from < values.length; from += 8) {
    const bits = bitmap[from >> 3]!;
    if (bits === 0xff) continue;
    const to = Math.min(from + 8, values.length);
    for (let i = from; i < to; i++) {
      if (((bits >> (i & 7)) & 1) === 0 && !Number.isNaN(values[i])) return false;
    }
  }
  return true;
}
