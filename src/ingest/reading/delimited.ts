import { readFields } from '../../model/delimited-fields.js';

/** One row of a table in a text file. */
export interface TextRecord {
  /** The cell values, as strings in column order. */
  readonly fields: readonly string[];
  /** The line on which the row begins, counted from 1. */
  readonly line: number;
  /** The row's original text; omitted if it can be restored from the fields. */
  readonly text?: string | undefined;
  /** Why the row is rejected, if its text cannot be split into fields. */
  readonly fault?: string | undefined;
  /** The name of the row's file, if several files are read together. */
  readonly file?: string | undefined;
}

export interface DelimitedFormat {
  readonly delimiter: string;
  readonly quotes: boolean;
}

/** A format in which each line is a row with a single field. */
export const WHOLE_LINES: DelimitedFormat = { delimiter: '\n', quotes: false };

const BYTE_ORDER_MARK = '\uFEFF';

/** The maximum length of a quoted field, in characters. If a field is longer, its closing quote must be missing. */
const MAX_QUOTED_LENGTH = 1_000_000;

/** Reads delimited records, for rejected rows and for files that the engine cannot read. @throws DamagedTextError */
export async function* readDelimited(chunks: AsyncIterable<Uint8Array>, format: DelimitedFormat) {
  let rest = '';
  let line = 1;
  for await (const text of readLineBlocks(chunks)) {
    ({ rest, line } = yield* splitRecords(rest + text, line, format));
    if (rest.length > MAX_QUOTED_LENGTH) break;
  }
  if (rest !== '') throw new DamagedTextError(line, 'a quoted field is never closed');
}

/** Yields records. Stops at an unclosed quote, and returns the text and line number from which to continue. */
export function* splitRecords(text: string, firstLine: number, format: DelimitedFormat) {
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  let line = firstLine;
  for (let at = 0; at < whole.length; line++) {
    const empty = whole[at] === '\n' ? 1 : whole.startsWith('\r\n', at) ? 2 : 0;
    if (empty > 0) {
      at += empty;
      continue;
    }
    // A file that was concatenated from several files may have a byte order mark at the beginning of each part.
    const read = readFields(whole, whole[at] === BYTE_ORDER_MARK ? at + 1 : at, format);
    if (read === null) return { rest: whole.slice(at), line };
    yield { fields: read.fields, line, text: whole.slice(at, read.end).replace(/\r?\n$/, '') };
    line += read.breaks;
    at = read.end;
  }
  return { rest: '', line };
}

/** Thrown if a file is damaged at `line`. Nothing from that line on can be trusted. */
export class DamagedTextError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** The maximum length of a line. A file with a longer line is damaged or of a different kind. */
const MAX_LINE_BYTES = 16_000_000;

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Splits a stream into blocks of lines. Lines that are not UTF-8 are decoded as Windows-1252. */
export async function* readLineBlocks(chunks: Chunks): AsyncGenerator<string> {
  let carry: Uint8Array[] = [];
  let carried = 0;
  let firstLine = 1;
  for await (const chunk of withLineFeeds(chunks)) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      const lines = Buffer.concat([...carry, chunk.subarray(0, end)]);
      yield decodeFrom(firstLine, lines);
      for (let at = lines.indexOf(LINE_FEED); at >= 0; at = lines.indexOf(LINE_FEED, at + 1)) firstLine++;
      carry = [];
      carried = 0;
    }
    carry.push(chunk.subarray(end));
    carried += chunk.length - end;
    if (carried > MAX_LINE_BYTES) throw new DamagedTextError(firstLine, 'a line is longer than 16 MB');
  }
  if (carried > 0) yield decodeFrom(firstLine, Buffer.concat(carry));
}

/** Replaces carriage returns with line feeds if the first chunk that contains line endings contains no line feed. */
async function* withLineFeeds(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let hasFeeds: boolean | undefined;
  for await (const chunk of chunks) {
    if (chunk.includes(LINE_FEED)) hasFeeds ??= true;
    else if (chunk.includes(CARRIAGE_RETURN)) hasFeeds ??= false;
    yield hasFeeds === false ? chunk.map((byte) => (byte === CARRIAGE_RETURN ? LINE_FEED : byte)) : chunk;
  }
}

function decodeFrom(firstLine: number, bytes: Uint8Array): string {
  const text = decodeUtf8(bytes) ?? decodeLines(bytes);
  return firstLine === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const latin1 = new TextDecoder('latin1');

/** The Windows-1252 characters from 0x80 on. Node.js 20 decodes these bytes as ISO 8859-1 control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes each line separately, because concatenated files may have different encodings. */
function decodeLines(lines: Uint8Array): string {
  let text = '';
  for (let from = 0, end = 0; from < lines.length; from = end) {
    end = lines.indexOf(LINE_FEED, from) + 1 || lines.length;
    const line = lines.subarray(from, end);
    text +=
      decodeUtf8(line) ??
      latin1.decode(line).replace(/[\u0080-\u009f]/g, (letter) => WINDOWS_1252[letter.charCodeAt(0) - 0x80]!);
  }
  return text;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
