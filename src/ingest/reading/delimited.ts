import { keepShape } from '../keep-shape.js';
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
const MIN_FIELDS = 64;

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
  /** Empty until they are asked for; those of unwanted columns stay so. */
  #fields: string[] = [];
  #hasFields = false;
  #count = 0;
  /** Where the texts of the wanted fields begin and end in the block. */
  #starts = new Int32Array(MIN_FIELDS);
  #ends = new Int32Array(MIN_FIELDS);
  /** Where a field ends whose text is not just what is in the block; -1 for all others. */
  #tails = new Int32Array(MIN_FIELDS);
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
  /** Null until the first record is read; empty for all. */
  #wanted: readonly boolean[] | null = null;
  /** The wanted columns, after the first record; null for all. */
  #wantedAt: readonly number[] | null = null;
  #isHeader = true;
  readonly #columns: (FieldTexts | undefined)[] = [];

  readonly #format: DelimitedFormat;
  readonly #delimiter: number;
  readonly #quote: number;

  /** The fields of the record, until the next one; those of unwanted columns are empty. */
  get fields(): readonly string[] {
    if (!this.#hasFields) this.#makeFields();
    return this.#fields;
  }

  /** The number of fields. */
  get count(): number {
    return this.#count;
  }

  /** The character codes of the block. */
  get codes(): CodedText['codes'] {
    return this.#block.codes;
  }

  /**
   * Copies where the texts of some wanted fields begin and end, two numbers for each.
   * @returns whether they are in the block as they are: quotes may be doubled, or end before the field does
   */
  copyBounds(columns: readonly number[], bounds: Int32Array): boolean {
    const [starts, ends, tails] = [this.#starts, this.#ends, this.#tails];
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!;
      if (tails[column]! >= 0) return false;
      bounds[2 * i] = starts[column]!;
      bounds[2 * i + 1] = ends[column]!;
    }
    return true;
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
    else if (this.#isHeader) {
      this.#isHeader = false;
      const wanted = this.#wanted;
      if (wanted.length > 0) this.#wantedAt = wanted.flatMap((isWanted, i) => (isWanted ? [i] : []));
      this.#fields = [];
    }
    return true;
  }

  /** @returns where the next record begins; -1 when the text ends inside quotes */
  #readRecord(start: number): number {
    const { codes } = this.#block;
    const delimiter = this.#delimiter;
    const quote = this.#quote;
    const wanted = this.#wanted ?? [];
    const isAll = wanted.length === 0;
    let count = 0;
    this.#hasFields = false;
    for (let at = start; ; at++) {
      const first = at;
      let code = codes[at]!;
      const isQuoted = code === quote;
      if (isQuoted) {
        at = this.#endOfQuotes(at);
        if (at < 0) return -1;
        code = codes[at]!;
      }
      const tail = at;
      while (code !== delimiter && code !== LINE_FEED) code = codes[++at]!;
      if (isAll || wanted[count] === true) {
        while (count >= this.#starts.length) this.#growBounds();
        const end = code === LINE_FEED && codes[at - 1] === CARRIAGE_RETURN ? at - 1 : at;
        if (isQuoted) this.#setQuoted(count, first, { tail, end });
        else {
          this.#starts[count] = first;
          this.#ends[count] = end;
          this.#tails[count] = -1;
        }
      }
      count++;
      if (code !== LINE_FEED) continue;
      this.#count = count;
      return at + 1;
    }
  }

  /** Notes where the text of a field begins and ends whose quotes begin at `start` and end before `tail`. */
  #setQuoted(column: number, start: number, { tail, end }: { tail: number; end: number }): void {
    this.#starts[column] = start + 1;
    this.#ends[column] = tail - 1;
    this.#tails[column] = this.#hasDoubled || tail < end ? end : -1;
  }

  #growBounds(): void {
    this.#starts = twice(this.#starts);
    this.#ends = twice(this.#ends);
    this.#tails = twice(this.#tails);
  }

  #makeFields(): void {
    const fields = this.#fields;
    const count = this.#count;
    while (fields.length < count) fields.push('');
    if (fields.length > count) fields.length = count;
    const columns = this.#wantedAt;
    if (columns === null) for (let i = 0; i < count; i++) fields[i] = this.#text(i);
    else for (const column of columns) if (column < count) fields[column] = this.#text(column);
    this.#hasFields = true;
  }

  #text(column: number): string {
    const start = this.#starts[column]!;
    const end = this.#ends[column]!;
    const inner = this.#field(column, start, end);
    const tail = this.#tails[column]!;
    return tail < 0 ? inner : inner.replaceAll('""', '"') + this.#block.text.slice(end + 1, tail);
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

function twice(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

keepShape(new DelimitedRecords({ delimiter: ',', quotes: true }));
