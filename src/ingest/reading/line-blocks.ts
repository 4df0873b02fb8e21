import { isAscii } from 'node:buffer';

/** Whole lines of a text. */
export interface LineBlock {
  /** Ends with a line feed, except at the end of a text without one. */
  readonly text: string;
  /** Counted from 1. */
  readonly firstLine: number;
}

/** A text is damaged from `line` on, so that nothing after that line can be trusted. */
export class DamagedTextError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** A longer line means that the file is of another kind, or damaged. */
const MAX_LINE_BYTES = 16_000_000;

/** A block of ASCII has as many bytes, if none of its lines is longer: the memory of larger strings is not used again at once. */
const ASCII_BYTES = 64 * 1024;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A byte stream as blocks of whole lines, at most about as large as its chunks. Lines may end with carriage returns alone. Lines
 * that are not UTF-8 are decoded as Windows-1252, the encoding of older bulk files. A byte order mark is removed.
 * @param nextLine the number of the line after the last block, from a reader that counts the lines of whole blocks; they are
 * counted here by default
 * @throws DamagedTextError when a line is longer than 16 MB
 */
export async function* readLineBlocks(
  chunks: AsyncIterable<Uint8Array>,
  nextLine?: () => number,
): AsyncGenerator<LineBlock> {
  let carry: Uint8Array[] = [];
  let carried = 0;
  let firstLine = 1;
  for await (const chunk of withLineFeeds(chunks)) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) {
      carry.push(chunk);
      carried += chunk.length;
      if (carried > MAX_LINE_BYTES) throw new DamagedTextError(firstLine, 'a line is longer than 16 MB');
      continue;
    }
    for (const bytes of splitAscii(carry, chunk.subarray(0, end))) {
      yield toLineBlock(bytes, firstLine);
      firstLine = nextLine?.() ?? firstLine + countLines(bytes);
    }
    carry = end < chunk.length ? [chunk.subarray(end)] : [];
    carried = chunk.length - end;
  }
  if (carry.length > 0) yield toLineBlock(joined(carry), firstLine);
}

/** Whole lines in parts that are decoded by themselves: small ones of ASCII, which are not copied, or else all. */
function* splitAscii(carry: readonly Uint8Array[], lines: Uint8Array): Generator<Uint8Array> {
  if (!isAscii(lines)) {
    yield joined([...carry, lines]);
    return;
  }
  let from = 0;
  if (carry.length > 0) {
    from = lines.indexOf(LINE_FEED) + 1;
    yield joined([...carry, lines.subarray(0, from)]);
  }
  while (from < lines.length) {
    const end = endOfPart(lines, from);
    yield lines.subarray(from, end);
    from = end;
  }
}

/** Where a part ends that begins at `from`: after a line feed. */
function endOfPart(lines: Uint8Array, from: number): number {
  const max = from + ASCII_BYTES;
  const last = lines.lastIndexOf(LINE_FEED, max - 1) + 1;
  return last > from ? last : lines.indexOf(LINE_FEED, max) + 1;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

/** The chunks; with line feeds in place of carriage returns where the first line ends with a carriage return alone. */
async function* withLineFeeds(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let hasFeeds: boolean | undefined;
  let held: Uint8Array | null = null;
  for await (const next of chunks) {
    const chunk: Uint8Array = held === null ? next : Buffer.concat([held, next]);
    held = null;
    if (hasFeeds === undefined) {
      const at = chunk.indexOf(CARRIAGE_RETURN);
      // A carriage return at the end may be the first half of a line end.
      if (at === chunk.length - 1 && at >= 0) {
        held = chunk;
        continue;
      }
      if (chunk.includes(LINE_FEED)) hasFeeds = true;
      else if (at >= 0) hasFeeds = false;
    }
    yield hasFeeds === false ? feedLines(chunk) : chunk;
  }
  if (held !== null) yield feedLines(held);
}

function feedLines(chunk: Uint8Array): Uint8Array {
  return chunk.map((byte) => (byte === CARRIAGE_RETURN ? LINE_FEED : byte));
}

function toLineBlock(bytes: Uint8Array, firstLine: number): LineBlock {
  const text = isAscii(bytes) ? asciiText(bytes) : decode(bytes);
  return { firstLine, text: firstLine === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text };
}

function asciiText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const windows1252 = new TextDecoder('windows-1252');

function decode(lines: Uint8Array): string {
  return decodeUtf8(lines) ?? decodeLines(lines);
}

/** Each line in its own encoding: files are joined of others, and one letter must not change those of other lines. */
function decodeLines(lines: Uint8Array): string {
  let text = '';
  for (let from = 0, end = 0; from < lines.length; from = end) {
    end = lines.indexOf(LINE_FEED, from) + 1 || lines.length;
    const line = lines.subarray(from, end);
    text += decodeUtf8(line) ?? windows1252.decode(line);
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

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) count++;
  return count;
}

/** The lines of a block without line ends, with their numbers. */
export function* splitLines({ text, firstLine }: LineBlock): Generator<{ text: string; line: number }> {
  let line = firstLine;
  for (let at = 0; at < text.length; line++) {
    const feed = text.indexOf('\n', at);
    const end = feed < 0 ? text.length : feed;
    yield { text: text.slice(at, text[end - 1] === '\r' ? end - 1 : end), line };
    at = end + 1;
  }
}
