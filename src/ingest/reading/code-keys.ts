import type { Codes } from './field-texts.js';

/** Longer keys are not kept. */
const MAX_LENGTH = 256;
/** Keys that are kept at most. */
const MAX_KEYS = 262_144;
const MIN_KEYS = 1_024;

/** Some texts of a row: the first is from `bounds[0]` to `bounds[1]` of its block, the second from `bounds[2]`, and so on. */
export interface RowTexts {
  readonly codes: Codes;
  readonly bounds: Int32Array;
}

/**
 * Numbers the keys of rows in order of appearance. A key is made of several texts and found by their character codes, so that
 * no string is made. Where keys come in the order in which they came before, they are found at once.
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
  find(row: RowTexts): number {
    if (this.#count === 0) return -1;
    const next = this.#next[this.#last]!;
    if (this.#matches(next, row)) {
      this.#last = next;
      return next;
    }
    const found = this.#search(row, hashTexts(row));
    if (found < 0) return found;
    this.#next[this.#last] = found;
    this.#last = found;
    return found;
  }

  /** Keeps a key that is not known. @returns its number; -1 when it is not kept */
  add(row: RowTexts): number {
    const length = keyLength(row);
    const number = this.#count;
    if (length > MAX_LENGTH || number === MAX_KEYS) return -1;
    this.#makeRoom(length);
    const end = this.#starts[number]! + length;
    copyTexts(row, this.#codes, this.#starts[number]!);
    this.#starts[number + 1] = end;
    this.#hashes[number] = hashTexts(row);
    this.#next[number] = number;
    this.#count++;
    this.#takeSlot(number);
    return number;
  }

  #search(row: RowTexts, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = slots[slot]! - 1;
      if (this.#hashes[number] === hash && this.#matches(number, row)) return number;
    }
    return -1;
  }

  #matches(number: number, { codes, bounds }: RowTexts): boolean {
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

function keyLength({ bounds }: RowTexts): number {
  let length = 0;
  for (let i = 0; i < bounds.length; i += 2) length += 1 + bounds[i + 1]! - bounds[i]!;
  return length;
}

function copyTexts({ codes, bounds }: RowTexts, target: Uint16Array, first: number): void {
  let to = first;
  for (let i = 0; i < bounds.length; i += 2) {
    target[to++] = bounds[i + 1]! - bounds[i]!;
    for (let at = bounds[i]!; at < bounds[i + 1]!; at++) target[to++] = codes[at]!;
  }
}

/** FNV-1a by Fowler, Noll and Vo, with the high bits folded into the low. */
function hashTexts({ codes, bounds }: RowTexts): number {
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
