import { DataType, type Vector } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { epochWords } from '../../columns/series-dates.js';
import { getOrCompute } from '../../model/grouping.js';
import { anyColumn, asOther, joinValues, type Validity, validityWhere } from '../table/columns.js';
import { type OrderedValue, orderedColumn } from '../table/ordered.js';

/** Codes for the values of a column. Null rows have a code of their own. */
export interface ColumnCodes extends Codes {
  /** The code for null and NaN, or -1 if no row is null or NaN. */
  readonly nullCode: number;
}

export function encodeColumn(vector: Vector): ColumnCodes {
  const { type, data } = vector;
  if (DataType.isUtf8(type) && data.length === 1 && vector.length > 0) {
    // The offsets array may be longer than needed, because other software pads it.
    const offsets = data[0]!.valueOffsets.subarray(0, vector.length + 1);
    return withNulls(numberTexts(data[0]!.values, offsets), asOther(vector).valid);
  }
  if (DataType.isInt(type) && type.bitWidth === 64)
    return withNulls(numberWords(epochWords(joinValues(vector, BigInt64Array))), asOther(vector).valid);
  const column = anyColumn(vector);
  const { valid } = column;
  switch (column.type) {
    case 'dictionary':
      return withNulls({ codes: column.values, size: column.categories.length }, valid);
    case 'int32':
      return withNulls(codeNumbers(column.values), valid);
    case 'float64':
      return encodeDoubles(column.values);
    case 'timestamp':
      return withNulls(numberWords(epochWords(column.values)), valid);
    default:
      return encodeValues(vector.length, orderedColumn(column, true).at);
  }
}

function withNulls({ codes, size }: Codes, valid: Validity): ColumnCodes {
  if (valid === null) return { codes, size, nullCode: -1 };
  const all = codes.map((code, row) => (isValid(valid, row) ? code : size));
  return { codes: all, size: size + 1, nullCode: all.includes(size) ? size : -1 };
}

function encodeDoubles(values: Float64Array): ColumnCodes {
  const valid = validityWhere(values.length, (row) => !Number.isNaN(values[row]));
  return withNulls(codeNumbers(valid === null ? values : values.map((value) => value || 0)), valid);
}

/** Encodes integers in a small range by offset from the minimum, and other numbers by their bits. −0 counts as 0. */
function codeNumbers(values: Float64Array | Int32Array): Codes {
  let [min, max, areIntegers] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  for (let row = 0; row < values.length && areIntegers; row++) {
    const value = values[row]!;
    if (value < min) min = value;
    if (value > max) max = value;
    areIntegers = Number.isInteger(value);
  }
  const byPosition = areIntegers ? codeIntegers(values, { min, max }) : undefined;
  return byPosition ?? numberWords(epochWords(new Float64Array(values).map((value) => value + 0)));
}

function encodeValues(length: number, at: (row: number) => OrderedValue): ColumnCodes {
  const codeOf = new Map<OrderedValue, number>();
  const codes = new Int32Array(length);
  for (let row = 0; row < length; row++) codes[row] = getOrCompute(codeOf, at(row), () => codeOf.size);
  return { codes, size: codeOf.size, nullCode: codeOf.get(null) ?? -1 };
}

/** A code for each row. Equal values have equal codes. */
export interface Codes {
  readonly codes: Int32Array;
  /** The exclusive upper bound of the codes. Some codes below it may be unused. */
  readonly size: number;
}

/** Codes that are numbered from 0 in order of first appearance. */
export interface NumberedCodes extends Codes {
  /** The row in which each code first appears. */
  readonly firsts: Int32Array;
}

const MAX_POSITIONS = 2 ** 24;

const MIN_SLOTS = 1024;

/** Assigns codes to rows using a hash table with open addressing. `isEqual` compares rows whose hashes are equal. */
function numberHashes(hashes: Int32Array, isEqual: (a: number, b: number) => boolean): NumberedCodes {
  const codes = new Int32Array(hashes.length);
  let slots: Int32Array = new Int32Array(MIN_SLOTS);
  let firsts: Int32Array = new Int32Array(MIN_SLOTS);
  let count = 0;
  for (let row = 0; row < hashes.length; row++) {
    const mask = slots.length - 1;
    const hash = hashes[row]!;
    let slot = hash & mask;
    let code = slots[slot]! - 1;
    while (code >= 0 && !(hashes[firsts[code]!] === hash && isEqual(firsts[code]!, row))) {
      slot = (slot + 1) & mask;
      code = slots[slot]! - 1;
    }
    if (code < 0) {
      code = count++;
      firsts[code] = row;
      slots[slot] = count;
      if (count > mask >> 1) [slots, firsts] = growTable(hashes, firsts);
    }
    codes[row] = code;
  }
  return { codes, firsts: firsts.slice(0, count), size: count };
}

function growTable(hashes: Int32Array, firsts: Int32Array): [slots: Int32Array, firsts: Int32Array] {
  const [slots, more] = [new Int32Array(firsts.length * 2), new Int32Array(firsts.length * 2)];
  more.set(firsts);
  const mask = slots.length - 1;
  for (let code = 0; code < firsts.length >> 1; code++) {
    let slot = hashes[firsts[code]!]! & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = code + 1;
  }
  return [slots, more];
}

/** Mixes the bits of a 32-bit word using the finaliser of MurmurHash3 (Appleby 2011). */
function mix(word: number): number {
  let bits = word ^ (word >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** Assigns codes to 64-bit values, each stored as two words: `words[2 * row]` and `words[2 * row + 1]`. */
function numberWords(words: Int32Array): NumberedCodes {
  const length = words.length >> 1;
  const hashes = new Int32Array(length);
  for (let row = 0; row < length; row++)
    hashes[row] = mix(words[2 * row]! ^ Math.imul(words[2 * row + 1]!, 0x9e3779b1));
  return numberHashes(
    hashes,
    (a, b) => words[2 * a] === words[2 * b] && words[2 * a + 1] === words[2 * b + 1],
  );
}

/** Assigns codes to strings. A row's UTF-8 bytes extend from `offsets[row]` to `offsets[row + 1]` (exclusive). */
export function numberTexts(bytes: Uint8Array, offsets: Int32Array): NumberedCodes {
  const length = offsets.length - 1;
  const hashes = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    let hash = 0x811c9dc5;
    for (let i = offsets[row]!; i < offsets[row + 1]!; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
    hashes[row] = mix(hash);
  }
  return numberHashes(hashes, (a, b) => {
    const [at, from] = [offsets[a]!, offsets[b]!];
    const size = offsets[b + 1]! - from;
    if (offsets[a + 1]! - at !== size) return false;
    for (let i = 0; i < size; i++) if (bytes[at + i] !== bytes[from + i]) return false;
    return true;
  });
}

const ONE_CODE: Codes = { codes: new Int32Array(0), size: 1 };

/** Renumbers codes, or pairs of codes, in order of first appearance. */
export function numberCodes(outer: Codes, inner: Codes = ONE_CODE): NumberedCodes {
  const { codes, size } = outer;
  if (inner !== ONE_CODE && !isSmall(size * inner.size, codes.length))
    return numberWords(pairWords(outer, inner));
  const numberAt = new Int32Array(size * inner.size);
  const firsts = new Int32Array(Math.min(numberAt.length, codes.length));
  const numbered = new Int32Array(codes.length);
  let count = 0;
  for (let row = 0; row < codes.length; row++) {
    const code = inner === ONE_CODE ? codes[row]! : codes[row]! * inner.size + inner.codes[row]!;
    let number = numberAt[code]!;
    if (number === 0) {
      firsts[count++] = row;
      number = count;
      numberAt[code] = number;
    }
    numbered[row] = number - 1;
  }
  return { codes: numbered, firsts: firsts.slice(0, count), size: count };
}

function pairWords(outer: Codes, inner: Codes): Int32Array {
  const words = new Int32Array(2 * outer.codes.length);
  for (let row = 0; row < outer.codes.length; row++) {
    words[2 * row] = outer.codes[row]!;
    words[2 * row + 1] = inner.codes[row]!;
  }
  return words;
}

/** Checks whether a lookup table of this size is faster than hashing for this number of rows. */
function isSmall(size: number, rows: number): boolean {
  return size <= Math.min(MAX_POSITIONS, Math.max(65_536, rows));
}

function codeIntegers(
  integers: ArrayLike<number>,
  { min, max }: { readonly min: number; readonly max: number },
): Codes | undefined {
  const size = Math.max(0, max - min + 1);
  if (!isSmall(size, integers.length)) return undefined;
  const codes = new Int32Array(integers.length);
  for (let row = 0; row < codes.length; row++) codes[row] = integers[row]! - min;
  return { codes, size };
}
