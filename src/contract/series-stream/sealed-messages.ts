import { ArrivingBytes } from '../stream/arriving-bytes.js';
import { viewOf } from '../stream/byte-view.js';
import { crc32 } from '../stream/crc32.js';
import { damagedStream } from '../stream/damaged-stream.js';
import { FlatTable, MESSAGE } from './flatbuffer.js';

/**
 * A message of an Arrow IPC stream is a continuation marker, the length of the metadata, the metadata with padding, and
 * the body. The padding of ours ends with a seal: a marker, and the CRC-32 of the metadata up to there and of the body,
 * which continues the CRC-32 of the message before. So one number shows a changed byte, and a message that is missing,
 * repeated, at another place or of another stream.
 */
const CONTINUATION = 0xffffffff;
const PREFIX_BYTES = 8;
const SEAL_BYTES = 8;
const SEAL_MARKER = 0x53534643;

/** No message is larger: a damaged length must not make a reader wait for, and hold, all that follows. */
const MAX_PART_BYTES = 0x0400_0000;

/** Memory that is taken for a part before any of it has arrived. */
const FIRST_BYTES = 0x0010_0000;

/** Seals the messages of one stream, in order. */
export class MessageSealer {
  #crc = 0;

  /** The bytes before the body: prefix, metadata and seal. */
  seal(metadata: Uint8Array, body: readonly Uint8Array[]): Uint8Array {
    const length = Math.ceil(metadata.byteLength / 8) * 8 + SEAL_BYTES;
    const head = new Uint8Array(PREFIX_BYTES + length);
    const view = new DataView(head.buffer);
    view.setUint32(0, CONTINUATION, true);
    view.setInt32(4, length, true);
    head.set(metadata, PREFIX_BYTES);
    view.setUint32(head.byteLength - SEAL_BYTES, SEAL_MARKER, true);
    this.#crc = crc32(head.subarray(PREFIX_BYTES, -4), this.#crc);
    for (const part of body) this.#crc = crc32(part, this.#crc);
    view.setUint32(head.byteLength - 4, this.#crc, true);
    return head;
  }

  /** The end of the stream. */
  end(): Uint8Array {
    const mark = new Uint8Array(PREFIX_BYTES);
    new DataView(mark.buffer).setUint32(0, CONTINUATION, true);
    return mark;
  }
}

/** A message whose seal is verified. Its body begins memory of its own. */
export interface SealedMessage {
  readonly message: FlatTable;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * The messages of a sealed stream up to its end, each verified as soon as it is complete. No more memory is taken than
 * has arrived.
 * @throws ContractError when the stream is truncated, or a message does not match its seal
 */
export async function* sealedMessages(
  bytes: AsyncIterable<Uint8Array>,
  endpoint: string,
): AsyncGenerator<SealedMessage, void, undefined> {
  const source = new PartSource(bytes, endpoint);
  let crc = 0;
  try {
    for (;;) {
      const prefix = viewOf(await source.read(PREFIX_BYTES));
      const length = prefix.getInt32(4, true);
      if (prefix.getUint32(0, true) !== CONTINUATION || length < 0)
        throw damagedStream(endpoint, 'a message has no continuation marker');
      if (length === 0) return;
      const metadata = await source.read(length);
      const message = readMessage(metadata, endpoint);
      const body = await source.read(message.bodyLength);
      crc = crc32(body, crc32(metadata.subarray(0, -4), crc));
      if (crc !== viewOf(metadata).getUint32(length - 4, true))
        throw damagedStream(endpoint, 'a message does not match its checksum, or one is missing before it');
      yield { message: message.table, body };
    }
  } finally {
    await source.close();
  }
}

/** Of metadata that are not verified yet. */
function readMessage(metadata: Uint8Array, endpoint: string): { table: FlatTable; bodyLength: number } {
  try {
    if (viewOf(metadata).getUint32(metadata.byteLength - SEAL_BYTES, true) !== SEAL_MARKER)
      throw new RangeError('a message has no checksum');
    const table = FlatTable.root(metadata);
    return { table, bodyLength: table.count(MESSAGE.bodyLength) };
  } catch (error) {
    throw damagedStream(endpoint, (error as Error).message, error);
  }
}

/** Reads a given number of bytes at a time, from chunks of any size into memory of their own. */
class PartSource {
  readonly #arriving: ArrivingBytes;
  readonly #endpoint: string;

  constructor(bytes: AsyncIterable<Uint8Array>, endpoint: string) {
    this.#endpoint = endpoint;
    this.#arriving = new ArrivingBytes(bytes, endpoint);
  }

  /** @throws ContractError when the stream ends before, or the part would be too large */
  async read(length: number): Promise<Uint8Array<ArrayBuffer>> {
    if (length > MAX_PART_BYTES) throw damagedStream(this.#endpoint, 'a length is out of bounds');
    let part = new Uint8Array(Math.min(length, FIRST_BYTES));
    for (let at = 0; at < length; ) {
      if (at === part.byteLength) part = enlarged(part, Math.min(length, 2 * at));
      const next = await this.#arriving.take(part.byteLength - at);
      part.set(next, at);
      at += next.byteLength;
    }
    return part;
  }

  close(): Promise<void> {
    return this.#arriving.close();
  }
}

function enlarged(part: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(part);
  return larger;
}
