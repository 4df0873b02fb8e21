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
  readonly #slots = new Array<string>(SLOTS).fill('');
  #reads = 0;
  #misses = 0;
  #isVaried = false;

  /** @param text the text with these codes */
  read(codes: Codes, text: string, start: number, end: number): string {
    if (this.#isVaried || end - start > MAX_LENGTH) return text.slice(start, end);
    if (isText(this.#last, codes, start, end)) return this.#last;
    const slot = hashCodes(codes, start, end) & (SLOTS - 1);
    let found = this.#slots[slot]!;
    this.#reads++;
    if (!isText(found, codes, start, end)) {
      found = copyText(text.slice(start, end));
      this.#slots[slot] = found;
      this.#misses++;
      this.#isVaried = this.#reads >= FIELDS_TO_JUDGE && this.#misses > this.#reads / 2;
    }
    this.#last = found;
    return found;
  }
}

function isText(text: string, codes: Codes, start: number, end: number): boolean {
  const { length } = text;
  if (length !== end - start) return false;
  for (let i = 0; i < length; i++) if (text.charCodeAt(i) !== codes[start + i]) return false;
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
