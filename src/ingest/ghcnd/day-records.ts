import type { LineBlock } from '../reading/line-blocks.js';

const COMMA = 44;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** Station, date, element, value, measurement flag and quality flag, of a record's eight fields. */
const WANTED_FIELDS = 6;

/**
 * A cursor over the records of a by-year file. Fields are sliced from the block only when they are read, because a year
 * has tens of millions of records, most of whose fields repeat.
 */
export class DayRecords {
  /** Line of the current record, counted from 1. */
  line = 0;
  #text = '';
  #start = 0;
  #end = 0;
  #next = 0;
  /** The end of each wanted field; a field begins after the comma that ends the field before. */
  readonly #ends = new Int32Array(WANTED_FIELDS);

  open({ text, firstLine }: LineBlock): void {
    this.#text = text;
    this.#next = 0;
    this.line = firstLine - 1;
  }

  /** Moves to the next record, skipping empty lines. @returns false at the end of the block */
  next(): boolean {
    const text = this.#text;
    do {
      if (this.#next >= text.length) return false;
      this.#start = this.#next;
      this.#scan(text);
      this.line++;
    } while (this.#end === this.#start);
    return true;
  }

  /** The whole record. */
  get text(): string {
    return this.#text.slice(this.#start, this.#end);
  }

  /** The text of a field; empty when the record has fewer fields. */
  field(number: number): string {
    return this.#text.slice(this.#from(number), this.#ends[number]);
  }

  isEmpty(number: number): boolean {
    return this.#from(number) >= this.#ends[number]!;
  }

  /** The whole number in a field; NaN for other texts. */
  integer(number: number): number {
    const text = this.#text;
    const end = this.#ends[number]!;
    let at = this.#from(number);
    const negative = text.charCodeAt(at) === 45;
    if (negative) at++;
    if (at >= end || end - at > 9) return Number.NaN;
    let value = 0;
    for (; at < end; at++) {
      const digit = text.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) return Number.NaN;
      value = value * 10 + digit;
    }
    return negative ? -value : value;
  }

  #from(number: number): number {
    return number === 0 ? this.#start : Math.min(this.#ends[number - 1]! + 1, this.#end);
  }

  #scan(text: string): void {
    let at = this.#start;
    let field = 0;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === LINE_FEED) break;
      if (code === COMMA && field < WANTED_FIELDS) this.#ends[field++] = at;
    }
    this.#next = at + 1;
    this.#end = at > this.#start && text.charCodeAt(at - 1) === CARRIAGE_RETURN ? at - 1 : at;
    while (field < WANTED_FIELDS) this.#ends[field++] = this.#end;
  }
}
