import { type CodedText, FieldTexts } from './field-texts.js';
import { codesOf, DamagedTextError, type LineBlock, readLineBlocks } from './line-blocks.js';

/** Records of a delimited text; `lines[i]` is the line on which `rows[i]` begins, counted from 1. */
export interface RowBlock {
  readonly rows: readonly (readonly string[])[];
  readonly lines: readonly number[];
}

export interface DelimitedFormat {
  readonly delimiter: string;
  /** Whether fields may be in double quotes (RFC 4180), which can enclose line ends. */
  readonly quotes: boolean;
  /**
   * Which columns are wanted, given the first record (default: all). Fields of the others may be empty strings, because
   * making a string of every field of a wide file takes longer than everything else.
   */
  readonly wantsColumns?: ((header: readonly string[]) => readonly boolean[]) | undefined;
}

/** A quoted field longer than this has lost its closing quote. */
const MAX_QUOTED_LENGTH = 1_000_000;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;
const NO_CODE = -1;

/**
 * Records of a delimited text in blocks, without empty lines; a block may have none.
 * @throws DamagedTextError as `readRecords` does
 */
export async function* readDelimited(
  chunks: AsyncIterable<Uint8Array>,
  format: DelimitedFormat,
): AsyncGenerator<RowBlock> {
  for await (const records of readRecords(chunks, format)) {
    const rows: string[][] = [];
    const lines: number[] = [];
    while (records.next()) {
      rows.push([...records.fields]);
      lines.push(records.line);
    }
    yield { rows, lines };
  }
}

/**
 * Records of a delimited text: a cursor that is at the beginning of the next block each time. Memory is bounded by the
 * chunks of the stream.
 * @throws DamagedTextError when a quoted field is never closed
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  format: DelimitedFormat,
): AsyncGenerator<DelimitedRecords> {
  const records = new DelimitedRecords(format);
  let open: LineBlock | null = null;
  for await (const block of readLineBlocks(chunks, () => records.nextLine)) {
    records.open(open === null ? block : joinBlocks(open, block));
    yield records;
    // Whoever stops before the end of a block reads no further one.
    while (records.next());
    open = records.rest;
    if (open !== null && open.text.length > MAX_QUOTED_LENGTH) throw unclosedQuoteError(open);
  }
  if (open !== null) throw unclosedQuoteError(open);
}

function joinBlocks(open: LineBlock, { text }: LineBlock): LineBlock {
  return { text: open.text + text, firstLine: open.firstLine };
}

function unclosedQuoteError({ firstLine }: LineBlock): DamagedTextError {
  return new DamagedTextError(firstLine, 'a quoted field is never closed');
}

/** A cursor over the records of a block, without empty lines. */
export class DelimitedRecords {
  readonly #fields: string[] = [];
  /** The line on which the record begins, counted from 1. */
  line = 0;
  /** The rest of the block, from the record whose quoted field does not end within it. */
  rest: LineBlock | null = null;

  /** Ends with a line feed. */
  #block: CodedText = { text: '', codes: new Uint8Array() };
  #next = 0;
  #nextLine = 1;
  /** Whether a quote is doubled in the quoted field that is read. */
  #hasDoubled = false;
  /** Null until the first record is read. */
  #wanted: readonly boolean[] | null = null;
  readonly #columns: (FieldTexts | undefined)[] = [];

  readonly #format: DelimitedFormat;
  readonly #delimiter: number;
  readonly #quote: number;

  /** The fields of the record, until the next one; those of unwanted columns are empty. */
  get fields(): readonly string[] {
    return this.#fields;
  }

  /** The line after what is read of the block. */
  get nextLine(): number {
    return this.#nextLine;
  }

  constructor(format: DelimitedFormat) {
    this.#format = format;
    this.#delimiter = format.delimiter.charCodeAt(0);
    this.#quote = format.quotes ? QUOTE : NO_CODE;
  }

  open(block: LineBlock): void {
    this.#block = codesOf(block);
    this.#next = 0;
    this.#nextLine = block.firstLine;
    this.rest = null;
    for (const column of this.#columns) column?.beginBlock();
  }

  /** Moves to the next record. @returns false at the end of the block */
  next(): boolean {
    const { codes } = this.#block;
    let start = this.#next;
    for (let code = codes[start]; code === LINE_FEED || code === CARRIAGE_RETURN; code = codes[start]) {
      const after = code === LINE_FEED ? start + 1 : start + 2;
      if (codes[after - 1] !== LINE_FEED) break;
      start = after;
      this.#nextLine++;
    }
    this.line = this.#nextLine;
    this.#next = start;
    if (start >= codes.length) return false;
    const end = this.#readRecord(start);
    if (end < 0) {
      this.rest = { text: this.#block.text.slice(start), firstLine: this.line };
      this.#next = codes.length;
      return false;
    }
    this.#next = end;
    this.#nextLine++;
    if (this.#wanted === null) this.#wanted = this.#format.wantsColumns?.(this.fields) ?? [];
    return true;
  }

  /** @returns where the next record begins; -1 when the text ends inside quotes */
  #readRecord(start: number): number {
    const { codes } = this.#block;
    const delimiter = this.#delimiter;
    const quote = this.#quote;
    const fields = this.#fields;
    const wanted = this.#wanted ?? [];
    const isAll = wanted.length === 0;
    let count = 0;
    for (let at = start; ; at++) {
      const first = at;
      const isQuoted = codes[at] === quote;
      if (isQuoted) at = this.#endOfQuotes(at);
      if (at < 0) return -1;
      const tail = at;
      let code = codes[at]!;
      while (code !== delimiter && code !== LINE_FEED) code = codes[++at]!;
      if (!isAll && wanted[count] !== true) {
        if (fields[count] !== '') fields[count] = '';
      } else {
        const end = code === LINE_FEED && codes[at - 1] === CARRIAGE_RETURN ? at - 1 : at;
        fields[count] = isQuoted
          ? this.#quotedField(count, first, { tail, end })
          : this.#field(count, first, end);
      }
      count++;
      if (code !== LINE_FEED) continue;
      if (fields.length !== count) fields.length = count;
      return at + 1;
    }
  }

  #field(column: number, start: number, end: number): string {
    if (start === end) return '';
    let texts = this.#columns[column];
    if (texts === undefined) {
      texts = new FieldTexts();
      this.#columns[column] = texts;
    }
    return texts.read(this.#block, start, end);
  }

  /** A field that begins with a quote at `start`, whose quotes end before `tail`, and what follows them. */
  #quotedField(column: number, start: number, { tail, end }: { tail: number; end: number }): string {
    const inner = this.#field(column, start + 1, tail - 1);
    const text = this.#hasDoubled ? inner.replaceAll('""', '"') : inner;
    return tail === end ? text : text + this.#block.text.slice(tail, end);
  }

  /** The position after the quote that ends a quoted field, counting line ends; -1 when there is none. */
  #endOfQuotes(start: number): number {
    this.#hasDoubled = false;
    const { codes } = this.#block;
    const { length } = codes;
    for (let at = start + 1; at < length; at++) {
      const code = codes[at];
      if (code === LINE_FEED) this.#nextLine++;
      if (code !== QUOTE) continue;
      if (codes[at + 1] !== QUOTE) return at + 1;
      this.#hasDoubled = true;
      at++;
    }
    return -1;
  }
}
