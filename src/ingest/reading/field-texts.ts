/** Character codes of a text: bytes where all are ASCII. */
export type Codes = Uint8Array | Uint16Array;

/** Slots of texts, a power of two. */
const SLOTS = 4_096;
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
  readonly #slots = new Array<string>(SLOTS).fill('');
  #reads = 0;
  #misses = 0;
  #isVaried = false;

  /** The codes of another block come next. */
  beginBlock(): void {
    this.#lastStart = -1;
  }

  /** @param text the text with these codes */
  read(codes: Codes, text: string, start: number, end: number): string {
    const last = this.#lastStart;
    if (last >= 0 && this.#last.length === end - start && areEqual(codes, last, start, end))
      return this.#last;
    const isUnique = this.#isVaried || end - start > MAX_LENGTH;
    this.#last = isUnique ? text.slice(start, end) : this.#find(codes, text, start, end);
    this.#lastStart = start;
    return this.#last;
  }

  #find(codes: Codes, text: string, start: number, end: number): string {
    const slot = hashCodes(codes, start, end) & (SLOTS - 1);
    const found = this.#slots[slot]!;
    this.#reads++;
    if (isText(found, codes, start, end)) return found;
    const copy = copyText(text.slice(start, end));
    this.#slots[slot] = copy;
    this.#misses++;
    this.#isVaried = this.#reads >= FIELDS_TO_JUDGE && this.#misses > this.#reads / 2;
    return copy;
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

/** A slice of a text keeps all of it in memory; joining texts copies them. */
function copyText(slice: string): string {
  return ` ${slice}`.slice(1);
}
