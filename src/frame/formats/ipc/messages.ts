import { MessageHeader, Schema } from 'apache-arrow';
import { Footer } from 'apache-arrow/fb/footer';
import { Message as MessageTable } from 'apache-arrow/fb/message';
import type { Schema as SchemaTable } from 'apache-arrow/fb/schema';
import { ByteBuffer } from 'flatbuffers';
import { type ArgumentError, badArgument } from '../../../model/errors.js';

export function damaged(what: string, options?: ErrorOptions): ArgumentError {
  return badArgument(
    'bytes',
    `this Arrow IPC is corrupt or truncated: ${what}; download it again, or write it again with toArrowFile or toArrowStream`,
    options,
  );
}

export interface Message {
  readonly at: number;
  readonly table: MessageTable;
  readonly body: Uint8Array;
  readonly end: number;
}

// Only files have `schema` here. In a stream, the first message contains the schema.
interface Ipc {
  readonly schema?: Schema;
  readonly messages: Iterable<Message>;
}

const MAGIC = 'ARROW1';
const CONTINUATION = -1;

export function readMessages(bytes: Uint8Array): Ipc {
  return hasMagic(bytes, 0) ? readFile(bytes) : { messages: readStream(bytes) };
}

function hasMagic(bytes: Uint8Array, at: number): boolean {
  return String.fromCharCode(...bytes.subarray(at, at + MAGIC.length)) === MAGIC;
}

/** Reads a file: magic number padded to 8 bytes, messages, footer, 4-byte footer length, and magic number again. */
function readFile(bytes: Uint8Array): Ipc {
  const lengthAt = bytes.length - MAGIC.length - 4;
  if (lengthAt < 8 || !hasMagic(bytes, lengthAt + 4))
    throw damaged('the file does not end as an Arrow file does');
  const footerAt = lengthAt - viewOf(bytes).getInt32(lengthAt, true);
  if (footerAt < 8 || footerAt >= lengthAt) throw damaged('the footer is longer than the file');
  const footer = Footer.getRootAsFooter(new BoundedBuffer(bytes.slice(footerAt, lengthAt)));
  const dictionaries = Array.from({ length: footer.dictionariesLength() }, (_, i) => footer.dictionaries(i));
  const batches = Array.from({ length: footer.recordBatchesLength() }, (_, i) => footer.recordBatches(i));
  const messages = [...dictionaries, ...batches].map((block, i) => {
    const at = Number(block!.offset());
    const message = at < 8 || at >= footerAt ? null : readMessage(bytes, at, footerAt);
    const kind = i < dictionaries.length ? MessageHeader.DictionaryBatch : MessageHeader.RecordBatch;
    if (message?.table.headerType() !== kind)
      throw damaged(`the block at byte ${at} is not the kind of batch that the footer indicates`);
    return message;
  });
  return { schema: decodeSchema(footer.schema(), footer.version()), messages };
}

/** Reads a stream: a schema, then batches, until a message of length 0 or the end of the bytes. */
function* readStream(bytes: Uint8Array): Generator<Message> {
  for (let at = 0; at < bytes.length; ) {
    const message = readMessage(bytes, at, bytes.length);
    if (message === null) {
      // A corrupt length field can look like the end of the stream and hide the messages that follow.
      if (bytes.subarray(at + 4).some((byte) => byte !== 0))
        throw damaged(`the stream ends at byte ${at}, but bytes follow`);
      return;
    }
    yield message;
    at = message.end;
  }
}

/**
 * Reads the continuation marker (absent before Arrow 0.15), the 4-byte metadata length, the metadata and the body.
 * Returns null for the message of length 0 that ends a stream.
 */
function readMessage(bytes: Uint8Array, at: number, end: number): Message | null {
  const view = viewOf(bytes);
  const truncated = () => damaged(`the message at byte ${at} is truncated`);
  if (at + 4 > end) throw at === 0 ? notArrow() : truncated();
  const isMarked = view.getInt32(at, true) === CONTINUATION;
  const lengthAt = isMarked ? at + 4 : at;
  if (lengthAt + 4 > end) throw truncated();
  const length = view.getInt32(lengthAt, true);
  const bodyAt = lengthAt + 4 + length;
  if (length === 0) return null;
  if (length < 0 || bodyAt > end) throw at === 0 && !isMarked ? notArrow() : truncated();
  const table = MessageTable.getRootAsMessage(new BoundedBuffer(bytes.slice(lengthAt + 4, bodyAt)));
  const bodyLength = Number(table.bodyLength());
  if (bodyLength < 0 || bodyAt + bodyLength > end) throw truncated();
  return { at, table, body: bytes.subarray(bodyAt, bodyAt + bodyLength), end: bodyAt + bodyLength };
}

export function decodeSchema(table: SchemaTable | null, version: number): Schema {
  if (table === null) throw damaged('it has no schema');
  if (table.endianness() !== 0) {
    throw badArgument(
      'bytes',
      'this Arrow IPC is big-endian, which is not supported; write it as little-endian',
    );
  }
  return Schema.decode(table, new Map(), version);
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const notArrow = () =>
  badArgument('bytes', 'not an Arrow IPC file or stream; write it with toArrowFile or toArrowStream');

// The limit exceeds one element per byte of metadata, because FlatBuffers tables may share parts.
const MAX_READ_PER_BYTE = 8;

/** Limits vector lengths, because Arrow would iterate over as many elements as a corrupt length field claims. */
class BoundedBuffer extends ByteBuffer {
  #allowance = this.capacity() * MAX_READ_PER_BYTE;

  override __vector_len(offset: number): number {
    const length = super.__vector_len(offset);
    this.#allowance -= length;
    if (length < 0 || this.#allowance < 0)
      throw damaged(`${this.capacity()} bytes of metadata claim to contain ${length} elements`);
    return length;
  }
}
