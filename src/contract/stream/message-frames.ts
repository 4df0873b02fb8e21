import { ContractError } from '../../model/errors.js';
import { bytesChecksum } from './checksum.js';

/**
 * The messages of an Arrow IPC stream: a continuation mark, the length of the metadata, the metadata with its padding,
 * the body. Padding may be of any length, and readers pass over it: ours ends in a mark and the checksum of the
 * metadata, so that damage is found before anything is built from what it says.
 */
const CONTINUATION = 0xffffffff;
const PREFIX_BYTES = 8;
const SEAL_BYTES = 8;
const SEAL_MARK = 0x4b434643;

/** Larger lengths than any message has; that of the metadata is not sealed, and must not fill the memory. */
const MAX_METADATA_BYTES = 0x0400_0000;
const MAX_MESSAGE_BYTES = 0x7fff_ffff;

/** One message, given as the pieces that a writer wrote, with its seal. */
export function addChecksum(pieces: readonly Uint8Array[]): Uint8Array[] {
  const { head, rest } = splitHead(pieces);
  const length = headView(head).getInt32(4, true);
  if (length === 0) return [...pieces];
  const sealed = new Uint8Array(head.byteLength + SEAL_BYTES);
  sealed.set(head);
  const view = headView(sealed);
  view.setInt32(4, length + SEAL_BYTES, true);
  view.setUint32(head.byteLength, SEAL_MARK, true);
  view.setUint32(head.byteLength + 4, bytesChecksum(sealed.subarray(PREFIX_BYTES, head.byteLength)), true);
  return [sealed, ...rest];
}

/** Prefix and metadata in one piece, and what follows them as it was. */
function splitHead(pieces: readonly Uint8Array[]): { head: Uint8Array; rest: Uint8Array[] } {
  let head = new Uint8Array(0);
  for (const [at, piece] of pieces.entries()) {
    const longer = new Uint8Array(head.byteLength + piece.byteLength);
    longer.set(head);
    longer.set(piece, head.byteLength);
    head = longer;
    if (head.byteLength < PREFIX_BYTES) continue;
    const end = PREFIX_BYTES + headView(head).getInt32(4, true);
    if (head.byteLength < end) continue;
    const over = head.subarray(end);
    return {
      head: head.slice(0, end),
      rest: [...(over.byteLength > 0 ? [over] : []), ...pieces.slice(at + 1)],
    };
  }
  return { head, rest: [] };
}

function headView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * The messages of a stream, each whole and with undamaged metadata; the bodies are not looked at. All stand in the same
 * memory, one after the other: what is to be kept of one is copied before the next is asked for.
 * @throws ContractError when the stream is cut short, or a message does not fit its seal
 */
export async function* verifiedMessages(
  bytes: AsyncIterable<Uint8Array>,
  endpoint: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = new ByteSource(bytes, endpoint);
  try {
    for (;;) {
      const prefix = await source.fill(0, PREFIX_BYTES);
      const view = headView(prefix);
      const length = view.getInt32(4, true);
      if (view.getUint32(0, true) !== CONTINUATION || length < 0)
        throw damagedStream(endpoint, 'a message does not begin');
      if (length === 0) {
        yield prefix;
        return;
      }
      if (length > MAX_METADATA_BYTES) throw outOfBounds(endpoint);
      const bodyAt = PREFIX_BYTES + length;
      const metadata = (await source.fill(PREFIX_BYTES, bodyAt)).subarray(PREFIX_BYTES);
      checkSeal(metadata, endpoint);
      yield await source.fill(bodyAt, bodyAt + bodyLength(metadata));
    }
  } finally {
    await source.leave();
  }
}

function checkSeal(metadata: Uint8Array, endpoint: string): void {
  const sealAt = metadata.byteLength - SEAL_BYTES;
  const view = headView(metadata);
  const sealed = sealAt >= 0 && view.getUint32(sealAt, true) === SEAL_MARK;
  if (sealed && view.getUint32(sealAt + 4, true) === bytesChecksum(metadata.subarray(0, sealAt))) return;
  throw damagedStream(endpoint, 'a message does not fit its seal');
}

/** Where a message's flatbuffer keeps the length of its body: the fourth field of the root table. */
const BODY_LENGTH_SLOT = 4 + 2 * 3;

function bodyLength(metadata: Uint8Array): number {
  const view = headView(metadata);
  const table = view.getUint32(0, true);
  const vtable = table - view.getInt32(table, true);
  if (view.getUint16(vtable, true) <= BODY_LENGTH_SLOT) return 0;
  const field = view.getUint16(vtable + BODY_LENGTH_SLOT, true);
  return field === 0 ? 0 : Number(view.getBigInt64(table + field, true));
}

/** Bytes by the number wanted, however they arrive; each is copied once, to where those of the last message stood. */
class ByteSource {
  readonly #pieces: AsyncIterator<Uint8Array>;
  /** What arrived and was not taken. */
  #left: Uint8Array = new Uint8Array(0);
  #room: Uint8Array = new Uint8Array(0);

  readonly #endpoint: string;

  constructor(bytes: AsyncIterable<Uint8Array>, endpoint: string) {
    this.#endpoint = endpoint;
    this.#pieces = bytes[Symbol.asyncIterator]();
  }

  /** The message up to `to`, of which what stands before `from` is there. @throws ContractError when the stream ends */
  async fill(from: number, to: number): Promise<Uint8Array> {
    if (to < from || to > MAX_MESSAGE_BYTES) throw outOfBounds(this.#endpoint);
    this.#makeRoom(from, to);
    for (let at = from; at < to; ) {
      if (this.#left.byteLength === 0) this.#left = await this.#next();
      const part = this.#left.subarray(0, to - at);
      this.#room.set(part, at);
      at += part.byteLength;
      this.#left = this.#left.subarray(part.byteLength);
    }
    return this.#room.subarray(0, to);
  }

  #makeRoom(kept: number, wanted: number): void {
    if (wanted <= this.#room.byteLength) return;
    const room = new Uint8Array(wanted);
    room.set(this.#room.subarray(0, kept));
    this.#room = room;
  }

  async #next(): Promise<Uint8Array> {
    const { done, value } = await this.#pieces.next();
    if (done) throw damagedStream(this.#endpoint, 'it was cut short');
    return value;
  }

  async leave(): Promise<void> {
    this.#left = new Uint8Array(0);
    await this.#pieces.return?.();
  }
}

function outOfBounds(endpoint: string): ContractError {
  return damagedStream(endpoint, 'a length is out of bounds');
}

/** The error of a stream that is not what was sent. */
export function damagedStream(endpoint: string, what: string, cause?: unknown): ContractError {
  const message = `${endpoint}: the point stream cannot be read: ${what}`;
  return new ContractError(endpoint, message, cause === undefined ? undefined : { cause });
}
