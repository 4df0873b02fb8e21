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
  if (((at | run.at) & 7) === 0 && count >= 8) {
    const bytes = count >> 3;
    target.set(bitmap.subarray(run.at >> 3, (run.at >> 3) + bytes), at >> 3);
    copyBits(target, at + bytes * 8, { bitmap, at: run.at + bytes * 8, count: count & 7 });
    return;
  }
  for (let i = 0; i < count; i++) {
    const from = run.at + i;
    if ((bitmap[from >> 3]! >> (from & 7)) & 1) setBit(target, at + i);
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
  for (let i = nextNull(bitmap, 0); i < values.length; i = nextNull(bitmap, i + 1)) values[i] = Number.NaN;
}

/** The same values with NaN in every null row; the array itself where that already holds. */
export function nanAtNulls(values: Float64Array, bitmap: Uint8Array | null): Float64Array {
  if (bitmap === null) return values;
  for (let i = nextNull(bitmap, 0); i < values.length; i = nextNull(bitmap, i + 1)) {
    if (Number.isNaN(values[i])) continue;
    const copy = values.slice();
    blankNulls(copy, bitmap);
    return copy;
  }
  return values;
}

/** The first null row from row `i` on; past the bitmap's end where there is none. */
function nextNull(bitmap: Uint8Array, i: number): number {
  const end = bitmap.length * 8;
  while (i < end && ((bitmap[i >> 3]! >> (i & 7)) & 1) === 1) {
    i++;
    while ((i & 7) === 0 && i < end && bitmap[i >> 3] === 0xff) i += 8;
  }
  return i;
}
