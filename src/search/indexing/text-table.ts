/** Many texts in one array of UTF-16 code units, which can be kept in a file and used without being read into strings. */
export class TextTable {
  /** Code units of all texts, one text after the other; of one byte where none needs more. */
  readonly units: Uint8Array | Uint16Array;
  /** Where each text starts, and where the last one ends. */
  readonly starts: Uint32Array;

  constructor(units: Uint8Array | Uint16Array, starts: Uint32Array) {
    this.units = units;
    this.starts = starts;
  }

  static of(texts: readonly string[]): TextTable {
    const starts = new Uint32Array(texts.length + 1);
    for (const [i, text] of texts.entries()) starts[i + 1] = starts[i]! + text.length;
    const isWide = texts.some((text) => WIDE.test(text));
    const units = new (isWide ? Uint16Array : Uint8Array)(starts[texts.length]!);
    let at = 0;
    for (const text of texts) for (let i = 0; i < text.length; i++) units[at++] = text.charCodeAt(i);
    return new TextTable(units, starts);
  }

  get length(): number {
    return this.starts.length - 1;
  }

  at(i: number): string {
    const [from, to] = [this.starts[i]!, this.starts[i + 1]!];
    if (to - from <= MAX_ARGUMENTS) return toText(this.units.subarray(from, to));
    let text = '';
    for (let part = from; part < to; part += MAX_ARGUMENTS)
      text += toText(this.units.subarray(part, Math.min(to, part + MAX_ARGUMENTS)));
    return text;
  }

  /** Number of code units of a text. */
  lengthOf(i: number): number {
    return this.starts[i + 1]! - this.starts[i]!;
  }

  /** The position of a text in a sorted table; -1 when it is not in it. */
  find(text: string): number {
    const at = this.lowerBound(text);
    return at < this.length && this.#compare(at, text) === 0 ? at : -1;
  }

  /** The range (end exclusive) of the texts with this prefix in a sorted table. */
  prefixRange(prefix: string): [from: number, to: number] {
    return [this.lowerBound(prefix), this.lowerBound(`${prefix}\uffff`)];
  }

  /** The position of the first text of a sorted table that is not before this one. */
  lowerBound(text: string): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, text) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** As JavaScript compares texts: by code units. */
  #compare(i: number, text: string): number {
    const { units } = this;
    const [from, to] = [this.starts[i]!, this.starts[i + 1]!];
    const common = Math.min(to - from, text.length);
    for (let at = 0; at < common; at++) {
      const difference = units[from + at]! - text.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return to - from - text.length;
  }
}

const WIDE = /[\u0100-\uffff]/;

/** A call takes a limited number of arguments. */
const MAX_ARGUMENTS = 8192;

function toText(units: Uint8Array | Uint16Array): string {
  return String.fromCharCode.apply(null, units as unknown as number[]);
}
