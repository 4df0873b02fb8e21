import { keepShape } from '../keep-shape.js';
import { type CodedText, FieldTexts } from '../reading/field-texts.js';
import { codesOf, type LineBlock } from '../reading/line-blocks.js';

const COMMA = 44;
const MINUS = 45;
const ZERO = 48;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** Station, date, element, value, measurement flag and quality flag, of a record's eight fields. */
const WANTED_FIELDS = 6;
const MAX_DIGITS = 9;

/**
 * A cursor over the records of a by-year file. Fields are read from the block only when they are asked for, because a year
 * has tens of millions of records, most of whose fields repeat.
 */
export class DayRecords {
  /** Line of the current record, counted from 1. */
  line = 0;
  /** Ends with a line feed. */
  #block: CodedText = { text: '', codes: new Uint8Array() };
  #start = 0;
  #end = 0;
  #next = 0;
  /** The end of each wanted field; a field begins after the comma that ends the field before. */
  readonly #ends = new Int32Array(WANTED_FIELDS);
  readonly #seriesBounds = new Int32Array(4);
  readonly #texts = Array.from({ length: WANTED_FIELDS }, () => new FieldTexts());

  open(block: LineBlock): void {
    this.#block = codesOf(block);
    this.#next = 0;
    this.line = block.firstLine - 1;
    for (const texts of this.#texts) texts.beginBlock();
  }

  /** Moves to the next record, skipping empty lines. @returns false at the end of the block */
  next(): boolean {
    const { codes } = this.#block;
    do {
      if (this.#next >= codes.length) return false;
      this.#start = this.#next;
      this.#scan(codes);
      this.line++;
    } while (this.#end === this.#start);
    return true;
  }

  /** The whole record. */
  get text(): string {
    return this.#block.text.slice(this.#start, this.#end);
  }

  /** The text of a field; empty when the record has fewer fields. */
  field(number: number): string {
    const from = this.#from(number);
    const to = this.#ends[number]!;
    return from < to ? this.#texts[number]!.read(this.#block, from, to) : '';
  }

  /** The character codes of the block. */
  get codes(): CodedText['codes'] {
    return this.#block.codes;
  }

  /** Where the texts of station and element begin and end, until the next record. */
  get seriesBounds(): Int32Array {
    const bounds = this.#seriesBounds;
    bounds[0] = this.#start;
    bounds[1] = this.#ends[0]!;
    bounds[2] = this.#from(2);
    bounds[3] = this.#ends[2]!;
    return bounds;
  }

  isEmpty(number: number): boolean {
    return this.#from(number) >= this.#ends[number]!;
  }

  /** The whole number in a field; NaN for other texts. */
  integer(number: number): number {
    const { codes } = this.#block;
    const end = this.#ends[number]!;
    let at = this.#from(number);
    const isNegative = codes[at] === MINUS;
    if (isNegative) at++;
    if (at >= end || end - at > MAX_DIGITS) return Number.NaN;
    let value = 0;
    for (; at < end; at++) {
      const digit = codes[at]! - ZERO;
      if (digit < 0 || digit > 9) return Number.NaN;
      value = value * 10 + digit;
    }
    return isNegative ? -value : value;
  }

  #from(number: number): number {
    return number === 0 ? this.#start : Math.min(this.#ends[number - 1]! + 1, this.#end);
  }

  #scan(codes: CodedText['codes']): void {
    const start = this.#start;
    const ends = this.#ends;
    let at = start;
    let field = 0;
    for (let code = codes[at]!; code !== LINE_FEED; code = codes[++at]!)
      if (code === COMMA && field < WANTED_FIELDS) ends[field++] = at;
    this.#next = at + 1;
    this.#end = at > start && codes[at - 1] === CARRIAGE_RETURN ? at - 1 : at;
    while (field < WANTED_FIELDS) ends[field++] = this.#end;
  }
}

keepShape(new DayRecords());
