import type { ContractError } from '../../model/errors.js';
import { ArrivingBytes } from './arriving-bytes.js';
import { viewOf } from './byte-view.js';
import { bytesChecksum } from './checksum.js';
import { damagedStream } from './damaged-stream.js';

/**
 * A message of an Arrow IPC stream is a continuation marker, the length of the metadata, the metadata with padding, and
 * the body. Padding may have any length, and readers ignore it. Ours ends with a marker and the checksum of the
 * metadata, so that damage is detected before the metadata is used.
 */
const CONTINUATION = 0xffffffff;
const PREFIX_BYTES = 8;
const CHECKSUM_BYTES = 8;
const CHECKSUM_MARKER = 0x4b434643;

/** Limits above the size of any message: a damaged length, which no checksum covers, must not exhaust memory. */
const MAX_METADATA_BYTES = 0x0400_0000;
const MAX_MESSAGE_BYTES = 0x7fff_ffff;

/** Memory that is taken for what has not arrived: a length may say more than ever does. */
const MAX_UNFILLED_BYTES = 0x0040_0000;

/** Adds the checksum to one message, given as the pieces that a writer wrote. */
export function addChecksum(pieces: readonly Uint8Array[]): Uint8Array[] {
  const { head, rest } = splitHead(pieces);
  const length = viewOf(head).getInt32(4, true);
  if (length === 0) return [...pieces];
  const extended = new Uint8Array(head.byteLength + CHECKSUM_BYTES);
  extended.set(head);
  const view = viewOf(extended);
  view.setInt32(4, length + CHECKSUM_BYTES, true);
  view.setUint32(head.byteLength, CHECKSUM_MARKER, true);
  view.setUint32(head.byteLength + 4, bytesChecksum(extended.subarray(PREFIX_BYTES, head.byteLength)), true);
  return [extended, ...rest];
}

/** Splits a message into its prefix and metadata, in one piece, and the pieces of its body. */
function splitHead(pieces: readonly Uint8Array[]): { head: Uint8Array; rest: Uint8Array[] } {
  let head = new Uint8Array(0);
  for (const [at, piece] of pieces.entries()) {
    const longer = new Uint8Array(head.byteLength + piece.byteLength);
    longer.set(head);
    longer.set(piece, head.byteLength);
    head = longer;
    if (head.byteLength < PREFIX_BYTES) continue;
    const end = PREFIX_BYTES + viewOf(head).getInt32(4, true);
    if (head.byteLength < end) continue;
    const bodyStart = head.subarray(end);
    return {
      head: head.slice(0, end),
      rest: [...(bodyStart.byteLength > 0 ? [bodyStart] : []), ...pieces.slice(at + 1)],
    };
  }
  return { head, rest: [] };
}

/**
 * The messages of a stream, each complete and with verified metadata; bodies are not verified. Each message reuses the
 * memory of the one before it, so copy what must be kept before requesting the next.
 * @throws ContractError when the stream is truncated, or the metadata of a message does not match its checksum
 */
export async function* verifiedMessages(
  bytes: AsyncIterable<Uint8Array>,
  endpoint: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = new ByteSource(bytes, endpoint);
  try {
    for (;;) {
      const prefix = await source.fill(0, PREFIX_BYTES);
      const view = viewOf(prefix);
      const length = view.getInt32(4, true);
      if (view.getUint32(0, true) !== CONTINUATION || length < 0)
        throw damagedStream(endpoint, 'a message has no continuation marker');
      if (length === 0) {
        yield prefix;
        return;
      }
      if (length > MAX_METADATA_BYTES) throw outOfBounds(endpoint);
      const bodyAt = PREFIX_BYTES + length;
      const metadata = (await source.fill(PREFIX_BYTES, bodyAt)).subarray(PREFIX_BYTES);
      verifyMetadata(metadata, endpoint);
      yield await source.fill(bodyAt, bodyAt + bodyLength(metadata));
    }
  } finally {
    await source.close();
  }
}

function verifyMetadata(metadata: Uint8Array, endpoint: string): void {
  const checksumAt = metadata.byteLength - CHECKSUM_BYTES;
  const view = viewOf(metadata);
  const hasChecksum = checksumAt > 0 && view.getUint32(checksumAt, true) === CHECKSUM_MARKER;
  if (hasChecksum && view.getUint32(checksumAt + 4, true) === bytesChecksum(metadata.subarray(0, checksumAt)))
    return;
  throw damagedStream(endpoint, 'the metadata of a message does not match its checksum');
}

/** Offset in the vtable of a message of its body length, the fourth field of the root table. */
const BODY_LENGTH_SLOT = 4 + 2 * 3;

function bodyLength(metadata: Uint8Array): number {
  const view = viewOf(metadata);
  const table = view.getUint32(0, true);
  const vtable = table - view.getInt32(table, true);
  if (view.getUint16(vtable, true) <= BODY_LENGTH_SLOT) return 0;
  const field = view.getUint16(vtable + BODY_LENGTH_SLOT, true);
  return field === 0 ? 0 : Number(view.getBigInt64(table + field, true));
}

/** Reads a given number of bytes at a time from chunks of any size, into memory that each message reuses. */
class ByteSource {
  #message: Uint8Array = new Uint8Array(0);

  readonly #arriving: ArrivingBytes;
  readonly #endpoint: string;

  constructor(bytes: AsyncIterable<Uint8Array>, endpoint: string) {
    this.#endpoint = endpoint;
    this.#arriving = new ArrivingBytes(bytes, endpoint);
  }

  /** Reads the bytes of the message up to `to`, of which those before `from` are read. @throws ContractError when the stream ends */
  async fill(from: number, to: number): Promise<Uint8Array> {
    if (to < from || to > MAX_MESSAGE_BYTES) throw outOfBounds(this.#endpoint);
    this.#ensureSize(from, Math.min(to, from + MAX_UNFILLED_BYTES));
    for (let at = from; at < to; ) {
      if (at === this.#message.byteLength) this.#ensureSize(at, Math.min(to, 2 * at));
      const part = await this.#arriving.take(Math.min(to, this.#message.byteLength) - at);
      this.#message.set(part, at);
      at += part.byteLength;
    }
    return this.#message.subarray(0, to);
  }

  #ensureSize(kept: number, wanted: number): void {
    if (wanted <= this.#message.byteLength) return;
    const larger = new Uint8Array(wanted);
    larger.set(this.#message.subarray(0, kept));
    this.#message = larger;
  }

  close(): Promise<void> {
    return this.#arriving.close();
  }
}

function outOfBounds(endpoint: string): ContractError {
  return damagedStream(endpoint, 'a length is out of bounds');
}
