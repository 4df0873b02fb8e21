import { keepShape } from '../keep-shape.js';
import type { DelimitedRecords } from './delimited.js';
import type { Codes } from './field-texts.js';

/** Longer keys are not kept. */
const MAX_LENGTH = 256;
/** Keys that are kept at most. */
const MAX_KEYS = 262_144;
const MIN_KEYS = 1_024;

/**
 * Numbers the keys of rows in order of appearance. A key is made of several texts of a block, the first from `bounds[0]` to
 * `bounds[1]`, the second from `bounds[2]`, and so on. It is found by their character codes, so that no string is made. Keys that
 * come in the order in which they came before are found at once.
 */
export class CodeKeys {
  /** The codes of all keys, each text after its length; those of key `n` are from `starts[n]` to `starts[n + 1]`. */
  #codes = new Uint16Array(16 * MIN_KEYS);
  #starts = new Int32Array(MIN_KEYS);
  #hashes = new Int32Array(MIN_KEYS);
  /** The key that was found after each key the last time. */
  #next = new Int32Array(MIN_KEYS);
  #count = 0;
  /** A key's number plus one; 0 in a free slot. There are at least twice as many slots as keys. */
  #slots = new Int32Array(2 * MIN_KEYS);
  #last = 0;

  /** The number of a key; -1 when it is not known. */
  find(codes: Codes, bounds: Int32Array): number {
    if (this.#count === 0) return -1;
    const next = this.#next[this.#last]!;
    if (this.#matches(next, codes, bounds)) {
      this.#last = next;
      return next;
    }
    const found = this.#search(codes, bounds);
    if (found < 0) return found;
    this.#next[this.#last] = found;
    this.#last = found;
    return found;
  }

  /** Keeps a key that is not known. @returns its number; -1 when it is not kept */
  add(codes: Codes, bounds: Int32Array): number {
    const length = keyLength(bounds);
    const number = this.#count;
    if (length > MAX_LENGTH || number === MAX_KEYS) return -1;
    this.#makeRoom(length);
    const end = this.#starts[number]! + length;
    this.#copy(codes, bounds, this.#starts[number]!);
    this.#starts[number + 1] = end;
    this.#hashes[number] = hashTexts(codes, bounds);
    this.#next[number] = number;
    this.#count++;
    this.#takeSlot(number);
    return number;
  }

  #search(codes: Codes, bounds: Int32Array): number {
    const hash = hashTexts(codes, bounds);
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = slots[slot]! - 1;
      if (this.#hashes[number] === hash && this.#matches(number, codes, bounds)) return number;
    }
    return -1;
  }

  #matches(number: number, codes: Codes, bounds: Int32Array): boolean {
    const known = this.#codes;
    let from = this.#starts[number]!;
    for (let i = 0; i < bounds.length; i += 2) {
      const start = bounds[i]!;
      const length = bounds[i + 1]! - start;
      if (known[from++] !== length) return false;
      for (let at = length - 1; at >= 0; at--) if (codes[start + at] !== known[from + at]) return false;
      from += length;
    }
    return true;
  }

  #copy(codes: Codes, bounds: Int32Array, first: number): void {
    let to = first;
    for (let i = 0; i < bounds.length; i += 2) {
      this.#codes[to++] = bounds[i + 1]! - bounds[i]!;
      for (let at = bounds[i]!; at < bounds[i + 1]!; at++) this.#codes[to++] = codes[at]!;
    }
  }

  #makeRoom(length: number): void {
    if (this.#starts[this.#count]! + length > this.#codes.length) this.#codes = larger(this.#codes);
    if (this.#count + 1 < this.#starts.length) return;
    this.#starts = larger(this.#starts);
    this.#hashes = larger(this.#hashes);
    this.#next = larger(this.#next);
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let number = 0; number < this.#count; number++) this.#takeSlot(number);
  }

  #takeSlot(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#hashes[number]! & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }
}

/** Values by the texts of rows: each belongs to the key of the texts between the bounds. */
export class KnownTexts<Value> {
  readonly #keys = new CodeKeys();
  readonly #values: Value[] = [];
  readonly #bounds: Int32Array;

  /** @param bounds as `CodeKeys` takes them; filled anew for each row */
  constructor(bounds: Int32Array) {
    this.#bounds = bounds;
  }

  find(codes: Codes): Value | undefined {
    const number = this.#keys.find(codes, this.#bounds);
    return number < 0 ? undefined : this.#values[number];
  }

  /** Keeps the value of a key that has none, if the key is kept. */
  learn(codes: Codes, value: Value): void {
    if (this.#keys.find(codes, this.#bounds) < 0 && this.#keys.add(codes, this.#bounds) >= 0)
      this.#values.push(value);
  }
}

/** Where the texts of columns begin and end in a record, the columns being in groups. */
export class GroupedBounds {
  /** Those of each group, as `CodeKeys` takes them. */
  readonly groups: readonly Int32Array[];
  readonly #columns: readonly number[];
  readonly #all: Int32Array;
  readonly #fieldCount: number;

  /** @param fieldCount of the records that are read */
  constructor(fieldCount: number, groups: readonly (readonly number[])[]) {
    this.#fieldCount = fieldCount;
    this.#columns = groups.flat();
    this.#all = new Int32Array(2 * this.#columns.length);
    let from = 0;
    this.groups = groups.map(({ length }) => {
      const bounds = this.#all.subarray(from, from + 2 * length);
      from += 2 * length;
      return bounds;
    });
  }

  /** @returns whether the record has all fields, and these texts stand in it as they are: then the bounds are those of it */
  find(record: DelimitedRecords): boolean {
    return record.count === this.#fieldCount && record.copyBounds(this.#columns, this.#all);
  }
}

function keyLength(bounds: Int32Array): number {
  let length = 0;
  for (let i = 0; i < bounds.length; i += 2) length += 1 + bounds[i + 1]! - bounds[i]!;
  return length;
}

/** FNV-1a by Fowler, Noll and Vo, with the high bits folded into the low. */
function hashTexts(codes: Codes, bounds: Int32Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bounds.length; i += 2) {
    const end = bounds[i + 1]!;
    for (let at = bounds[i]!; at < end; at++) hash = Math.imul(hash ^ codes[at]!, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}

function larger<Numbers extends Int32Array | Uint16Array>(numbers: Numbers): Numbers {
  const twice =
    numbers instanceof Int32Array ? new Int32Array(numbers.length * 2) : new Uint16Array(numbers.length * 2);
  twice.set(numbers);
  return twice as Numbers;
}

keepShape(new CodeKeys());
keepShape(new KnownTexts(new Int32Array()));
keepShape(new GroupedBounds(0, []));
