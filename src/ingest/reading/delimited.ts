import { DamagedTextError, type LineBlock, readLineBlocks } from './line-blocks.js';

/** Records of a delimited text; `lines[i]` is the line on which `rows[i]` begins, counted from 1. */
export interface RowBlock {
  readonly rows: readonly (readonly string[])[];
  readonly lines: readonly number[];
}

export interface DelimitedFormat {
  readonly delimiter: string;
  /** Whether fields may be in double quotes (RFC 4180), which can enclose line ends. */
  readonly quotes: boolean;
}

/** A quoted field longer than this has lost its closing quote. */
const MAX_QUOTED_LENGTH = 1_000_000;

/**
 * Records of a delimited text in blocks, without empty lines; a block may have none. The engine reads the rows of imports:
 * this finds headers, the lines and texts of rejected rows, and rewrites texts that the engine cannot read.
 * @throws DamagedTextError when a quoted field is never closed
 */
export async function* readDelimited(
  chunks: AsyncIterable<Uint8Array>,
  format: DelimitedFormat,
): AsyncGenerator<RowBlock> {
  const records = new DelimitedRecords(format);
  let open: LineBlock | null = null;
  for await (const block of readLineBlocks(chunks, () => records.nextLine)) {
    records.open(open === null ? block : { text: open.text + block.text, firstLine: open.firstLine });
    const rows: (readonly string[])[] = [];
    const lines: number[] = [];
    while (records.next()) {
      rows.push(records.fields);
      lines.push(records.line);
    }
    yield { rows, lines };
    open = records.rest;
    if (open !== null && open.text.length > MAX_QUOTED_LENGTH) throw unclosedQuoteError(open);
  }
  if (open !== null) throw unclosedQuoteError(open);
}

function unclosedQuoteError({ firstLine }: LineBlock): DamagedTextError {
  return new DamagedTextError(firstLine, 'a quoted field is never closed');
}

/** A cursor over the records of a block, without empty lines. */
export class DelimitedRecords {
  /** The fields of the record. */
  fields: readonly string[] = [];
  /** The line on which the record begins, counted from 1. */
  line = 0;
  /** The line after what is read of the block. */
  nextLine = 1;
  /** The rest of the block, from the record whose quoted field does not end within it. */
  rest: LineBlock | null = null;

  #text = '';
  #next = 0;
  readonly #format: DelimitedFormat;

  constructor(format: DelimitedFormat) {
    this.#format = format;
  }

  open({ text, firstLine }: LineBlock): void {
    this.#text = text.endsWith('\n') ? text : `${text}\n`;
    this.#next = 0;
    this.nextLine = firstLine;
    this.rest = null;
  }

  /** Moves to the next record. @returns false at the end of the block */
  next(): boolean {
    const text = this.#text;
    for (let length = this.#emptyLine(); length > 0; length = this.#emptyLine()) {
      this.#next += length;
      this.nextLine++;
    }
    this.line = this.nextLine;
    if (this.#next >= text.length) return false;
    const start = this.#next;
    const fields = this.#readFields(start);
    if (fields === null) {
      this.rest = { text: text.slice(start), firstLine: this.line };
      this.#next = text.length;
      return false;
    }
    this.fields = fields;
    this.nextLine++;
    return true;
  }

  /** The length of the next line with its end, when it is empty; else 0. */
  #emptyLine(): number {
    const at = this.#next;
    if (this.#text[at] === '\n') return 1;
    return this.#text[at] === '\r' && this.#text[at + 1] === '\n' ? 2 : 0;
  }

  /** The fields of the record at `start`, which is left behind; null when the text ends inside quotes. */
  #readFields(start: number): string[] | null {
    const text = this.#text;
    const { delimiter, quotes } = this.#format;
    const fields: string[] = [];
    for (let at = start; ; at++) {
      let quoted = '';
      if (quotes && text[at] === '"') {
        const close = this.#endOfQuotes(at);
        if (close < 0) return null;
        quoted = text.slice(at + 1, close).replaceAll('""', '"');
        at = close + 1;
      }
      const from = at;
      while (text[at] !== delimiter && text[at] !== '\n') at++;
      if (text[at] === delimiter) {
        fields.push(quoted + text.slice(from, at));
        continue;
      }
      const end = at > from && text[at - 1] === '\r' ? at - 1 : at;
      fields.push(quoted + text.slice(from, end));
      this.#next = at + 1;
      return fields;
    }
  }

  /** The position of the quote that ends a quoted field, counting line ends; -1 when there is none. */
  #endOfQuotes(start: number): number {
    const text = this.#text;
    for (let at = start + 1; at < text.length; at++) {
      if (text[at] === '\n') this.nextLine++;
      if (text[at] !== '"') continue;
      if (text[at + 1] !== '"') return at;
      at++;
    }
    return -1;
  }
}
