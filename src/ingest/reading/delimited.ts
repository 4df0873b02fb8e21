import { DamagedTextError, readLineBlocks } from './line-blocks.js';

/** A row of a text. */
export interface TextRecord {
  readonly fields: readonly string[];
  /** The line on which it begins, counted from 1. */
  readonly line: number;
  /** The row as its text has it; absent where that says no more than the fields. */
  readonly text?: string | undefined;
  /** The name of its text, where several texts are read together. */
  readonly file?: string | undefined;
}

export interface DelimitedFormat {
  readonly delimiter: string;
  /** Whether fields may be in double quotes (RFC 4180), which can enclose line ends. */
  readonly quotes: boolean;
}

/** A quoted field longer than this has lost its closing quote. */
const MAX_QUOTED_LENGTH = 1_000_000;

/**
 * Records of a delimited text, some at a time, without empty lines. The engine reads the rows of imports: this finds the
 * lines and texts of rejected rows, and rewrites texts that the engine cannot read.
 * @throws DamagedTextError when a quoted field is never closed
 */
export async function* readDelimited(
  chunks: AsyncIterable<Uint8Array>,
  format: DelimitedFormat,
): AsyncGenerator<readonly TextRecord[]> {
  let rest = '';
  let line = 1;
  for await (const { text } of readLineBlocks(chunks)) {
    const split = splitRecords(rest + text, line, format);
    const records: TextRecord[] = [];
    let next = split.next();
    for (; !next.done; next = split.next()) records.push(next.value);
    yield records;
    ({ rest, line } = next.value);
    if (rest.length > MAX_QUOTED_LENGTH) break;
  }
  if (rest !== '') throw new DamagedTextError(line, 'a quoted field is never closed');
}

/**
 * The records of a text of whole lines, without empty ones.
 * @returns the text from a record whose quoted field does not end within it, and the line on which that begins
 */
export function* splitRecords(
  text: string,
  firstLine: number,
  format: DelimitedFormat,
): Generator<TextRecord, { rest: string; line: number }> {
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  let line = firstLine;
  for (let at = 0; at < whole.length; line++) {
    const empty = whole[at] === '\n' ? 1 : whole.startsWith('\r\n', at) ? 2 : 0;
    if (empty > 0) {
      at += empty;
      continue;
    }
    const read = readFields(whole, at, format);
    if (read === null) return { rest: whole.slice(at), line };
    yield { fields: read.fields, line, text: whole.slice(at, read.end).replace(/\r?\n$/, '') };
    line += read.breaks;
    at = read.end;
  }
  return { rest: '', line };
}

/** The fields of the record at `start`, its end, and the line ends in its quotes; null when the text ends inside quotes. */
function readFields(
  text: string,
  start: number,
  { delimiter, quotes }: DelimitedFormat,
): { fields: string[]; end: number; breaks: number } | null {
  const fields: string[] = [];
  let breaks = 0;
  for (let at = start; ; at++) {
    let quoted = '';
    if (quotes && text[at] === '"') {
      const close = closingQuote(text, at);
      if (close < 0) return null;
      quoted = text.slice(at + 1, close).replaceAll('""', '"');
      breaks += countLineFeeds(quoted);
      at = close + 1;
    }
    const from = at;
    while (text[at] !== delimiter && text[at] !== '\n') at++;
    const isLast = text[at] === '\n';
    const to = isLast && at > from && text[at - 1] === '\r' ? at - 1 : at;
    fields.push(quoted + text.slice(from, to));
    if (isLast) return { fields, end: at + 1, breaks };
  }
}

/** The position of the quote that ends a quoted field; -1 when there is none. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
