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

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A byte stream as blocks of whole lines, about as large as its chunks. Lines may end with carriage returns alone. Blocks
 * that are not UTF-8 are decoded as Windows-1252, the encoding of older bulk files. A byte order mark is removed.
 * @throws DamagedTextError when a line is longer than 16 MB
 */
export async function* readLineBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineBlock> {
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
    const block = toLineBlock([...carry, chunk.subarray(0, end)], firstLine);
    carry = end < chunk.length ? [chunk.subarray(end)] : [];
    carried = chunk.length - end;
    firstLine += countLines(block.text);
    yield block;
  }
  if (carry.length > 0) yield toLineBlock(carry, firstLine);
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

function toLineBlock(parts: readonly Uint8Array[], firstLine: number): LineBlock {
  const text = decode(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
  return { firstLine, text: firstLine === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const windows1252 = new TextDecoder('windows-1252');

function decode(bytes: Uint8Array): string {
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return windows1252.decode(bytes);
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
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
