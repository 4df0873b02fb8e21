import { keepShape } from '../keep-shape.js';

/** Character codes of a text: bytes where all are ASCII. */
export type Codes = Uint8Array | Uint16Array;

/** A text and its character codes. */
export interface CodedText {
  readonly codes: Codes;
  /** It may be made when it is first asked for. */
  readonly text: string;
}

/** Slots of texts, powers of two: at first, and at most. There are at most half as many texts, until no slot is added. */
const MIN_SLOTS = 256;
const MAX_SLOTS = 65_536;
/** Slots in which a text may be. */
const PROBES = 4;
/** Longer texts are not kept. */
const MAX_LENGTH = 256;
/** After so many fields, texts of a column that are mostly new are no longer looked for. */
const FIELDS_TO_JUDGE = 4_096;

/**
 * The texts of the fields of one column. Fields that repeat get the same string, found by their character codes: nothing is
 * allocated, and maps of strings find it at once. There are no more strings than slots.
 */
export class FieldTexts {
  #last = '';
  /** Where the last text begins in the block that is read; -1 when it was in an earlier one. */
  #lastStart = -1;
  /** Empty texts are in free slots. */
  #slots = new Array<string>(MIN_SLOTS).fill('');
  #hashes = new Int32Array(MIN_SLOTS);
  #taken = 0;
  #reads = 0;
  #misses = 0;
  #isVaried = false;

  /** The codes of another block come next. */
  beginBlock(): void {
    this.#lastStart = -1;
  }

  /** The text from `start` to `end`, which are not equal. */
  read(block: CodedText, start: number, end: number): string {
    const last = this.#lastStart;
    if (last >= 0 && this.#last.length === end - start && areEqual(block.codes, last, start, end))
      return this.#last;
    const isUnique = this.#isVaried || end - start > MAX_LENGTH;
    this.#last = isUnique ? block.text.slice(start, end) : this.#find(block, start, end);
    this.#lastStart = start;
    return this.#last;
  }

  #find(block: CodedText, start: number, end: number): string {
    const hash = hashCodes(block.codes, start, end);
    const mask = this.#slots.length - 1;
    this.#reads++;
    let free = hash & mask;
    for (let probe = 0; probe < PROBES; probe++) {
      const slot = (hash + probe) & mask;
      const found = this.#slots[slot]!;
      if (found === '') {
        free = slot;
        break;
      }
      if (this.#hashes[slot] === hash && isText(found, block.codes, start, end)) return found;
    }
    this.#misses++;
    this.#isVaried = this.#reads >= FIELDS_TO_JUDGE && this.#misses > this.#reads / 2;
    const text = String.fromCharCode(...block.codes.subarray(start, end));
    this.#put(text, hash, free);
    return text;
  }

  #put(text: string, hash: number, slot: number): void {
    if (this.#slots[slot] === '') this.#taken++;
    this.#slots[slot] = text;
    this.#hashes[slot] = hash;
    if (this.#taken * 2 > this.#slots.length && this.#slots.length < MAX_SLOTS) this.#grow();
  }

  #grow(): void {
    const [slots, hashes] = [this.#slots, this.#hashes];
    const mask = slots.length * 2 - 1;
    this.#slots = new Array<string>(mask + 1).fill('');
    this.#hashes = new Int32Array(mask + 1);
    this.#taken = 0;
    for (const [i, text] of slots.entries()) {
      const hash = hashes[i]!;
      if (text !== '' && this.#slots[hash & mask] === '') this.#put(text, hash, hash & mask);
    }
  }
}

/** Whether the codes from `start` to `end` are those from `other` on; backwards, because most texts differ at their ends. */
function areEqual(codes: Codes, other: number, start: number, end: number): boolean {
  const offset = other - start;
  for (let at = end - 1; at >= start; at--) if (codes[at] !== codes[at + offset]) return false;
  return true;
}

function isText(text: string, codes: Codes, start: number, end: number): boolean {
  const { length } = text;
  if (length !== end - start) return false;
  for (let i = length - 1; i >= 0; i--) if (text.charCodeAt(i) !== codes[start + i]) return false;
  return true;
}

/** FNV-1a by Fowler, Noll and Vo, with the high bits folded into the low. */
function hashCodes(codes: Codes, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ codes[at]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

keepShape(new FieldTexts());
