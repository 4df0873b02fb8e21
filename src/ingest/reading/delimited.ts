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
  /**
   * Which columns are wanted, given the first record (default: all). Fields of the others may be empty strings, because
   * slicing every field of a wide file takes longer than everything else.
   */
  readonly wantsColumns?: ((header: readonly string[]) => readonly boolean[]) | undefined;
}

/** A quoted field longer than this has lost its closing quote. */
const MAX_QUOTED_LENGTH = 1_000_000;
const CARRIAGE_RETURN = 13;

/**
 * Records of a delimited text in blocks, without empty lines. Memory is bounded by the chunks of the stream.
 * @throws DamagedTextError when a quoted field is never closed
 */
export async function* readDelimited(
  chunks: AsyncIterable<Uint8Array>,
  format: DelimitedFormat,
): AsyncGenerator<RowBlock> {
  let open: LineBlock | null = null;
  let wanted: readonly boolean[] | null = null;
  for await (const block of readLineBlocks(chunks)) {
    const whole: LineBlock =
      open === null ? block : { text: open.text + block.text, firstLine: open.firstLine };
    const parsed = parseBlock(whole, format, wanted);
    const first = parsed.rows[0];
    if (wanted === null && first !== undefined) wanted = format.wantsColumns?.(first) ?? [];
    open = parsed.open;
    if (open !== null && open.text.length > MAX_QUOTED_LENGTH) throw unclosedQuoteError(open);
    if (parsed.rows.length > 0) yield parsed;
  }
  if (open !== null) throw unclosedQuoteError(open);
}

function unclosedQuoteError({ firstLine }: LineBlock): DamagedTextError {
  return new DamagedTextError(firstLine, 'a quoted field is never closed');
}

/** `open` is the rest of the block, from the record whose quoted field does not end within it. */
function parseBlock(
  block: LineBlock,
  format: DelimitedFormat,
  wanted: readonly boolean[] | null,
): RowBlock & { open: LineBlock | null } {
  const { text } = block;
  const { delimiter, quotes } = format;
  const rows: string[][] = [];
  const lines: number[] = [];
  let line = block.firstLine;
  let quote = quotes ? text.indexOf('"') : -1;
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf('\n', at);
    const end = feed < 0 ? text.length : feed;
    if (quote >= 0 && quote < at) quote = text.indexOf('"', at);
    if (quote < 0 || quote >= end) {
      const last = end > at && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
      if (last > at) {
        rows.push(splitFields(text.slice(at, last), delimiter, wanted));
        lines.push(line);
      }
      line++;
      at = end + 1;
      continue;
    }
    const record = parseQuotedRecord(text, at, delimiter);
    if (record === null) return { rows, lines, open: { text: text.slice(at), firstLine: line } };
    rows.push(record.fields);
    lines.push(line);
    line += record.lineFeeds;
    at = record.next;
  }
  return { rows, lines, open: null };
}

/** The fields of a record without quotes; fields of unwanted columns are empty. */
function splitFields(record: string, delimiter: string, wanted: readonly boolean[] | null): string[] {
  if (wanted === null || wanted.length === 0) return record.split(delimiter);
  const fields = new Array<string>(wanted.length);
  let count = 0;
  for (let start = 0, found = 0; found >= 0; start = found + 1) {
    found = record.indexOf(delimiter, start);
    fields[count] = wanted[count] ? record.slice(start, found < 0 ? record.length : found) : '';
    count++;
  }
  fields.length = count;
  return fields;
}

interface QuotedRecord {
  readonly fields: string[];
  readonly lineFeeds: number;
  readonly next: number;
}

/** One record from `start` with plain and quoted fields; null when the text ends inside quotes. */
function parseQuotedRecord(text: string, start: number, delimiter: string): QuotedRecord | null {
  const fields: string[] = [];
  let lineFeeds = 0;
  for (let at = start; ; ) {
    let field = '';
    if (text[at] === '"') {
      const quoted = parseQuotedField(text, at);
      if (quoted === null) return null;
      field = quoted.field;
      lineFeeds += quoted.lineFeeds;
      at = quoted.next;
    }
    const end = findFieldEnd(text, at, delimiter);
    const atLineEnd = end >= text.length || text[end] === '\n';
    const stop = atLineEnd && end > at && text[end - 1] === '\r' ? end - 1 : end;
    fields.push(field + text.slice(at, stop));
    if (atLineEnd) return { fields, lineFeeds: lineFeeds + 1, next: end + 1 };
    at = end + 1;
  }
}

function findFieldEnd(text: string, at: number, delimiter: string): number {
  let end = at;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end++;
  return end;
}

function parseQuotedField(
  text: string,
  start: number,
): { field: string; lineFeeds: number; next: number } | null {
  let field = '';
  let lineFeeds = 0;
  for (let at = start + 1; ; ) {
    const close = text.indexOf('"', at);
    if (close < 0) return null;
    const piece = text.slice(at, close);
    for (let feed = piece.indexOf('\n'); feed >= 0; feed = piece.indexOf('\n', feed + 1)) lineFeeds++;
    field += piece;
    if (text[close + 1] !== '"') return { field, lineFeeds, next: close + 1 };
    field += '"';
    at = close + 2;
  }
}
