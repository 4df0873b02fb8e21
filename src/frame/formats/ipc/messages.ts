import { ArgumentError } from '../../../model/errors.js';
import { type ByteRange, damaged, Flatbuffer, type FlatTable, int64At } from './flatbuffer.js';
import { checkKeyValues } from './schema.js';

export const SCHEMA = 1;
export const DICTIONARY_BATCH = 2;
export const RECORD_BATCH = 3;

export interface Message {
  readonly view: DataView;
  readonly at: number;
  readonly version: number;
  readonly kind: number;
  /** The Message table itself. */
  readonly table: FlatTable;
  readonly header: FlatTable;
  readonly bodyAt: number;
  readonly bodyLength: number;
}

/** Where the buffers of a message's batch stand. */
export function bodyOf({ view, bodyAt, bodyLength, version }: Message): IpcBody {
  return { view, at: bodyAt, length: bodyLength, version };
}

/** A Block of a file's footer: where it stands, and the message that it refers to. */
export interface Block {
  readonly entryAt: number;
  readonly message: Message;
}

interface IpcFile {
  readonly schema: FlatTable;
  readonly version: number;
  /** Dictionaries first. */
  readonly blocks: readonly Block[];
}

const MAGIC = [...'ARROW1'].map((letter) => letter.charCodeAt(0));
const CONTINUATION = -1;

/** Whether the bytes begin as a file does; otherwise they are a stream. */
export function isIpcFile(view: DataView): boolean {
  return hasMagic(view, 0);
}

function hasMagic(view: DataView, at: number): boolean {
  return at + MAGIC.length <= view.byteLength && MAGIC.every((byte, i) => view.getUint8(at + i) === byte);
}

/** A file: the magic number, padded to 8 bytes, messages, the footer, its length in 4 bytes, the magic number. */
export function readIpcFile(view: DataView): IpcFile {
  const lengthAt = view.byteLength - MAGIC.length - 4;
  if (lengthAt < 8 || !hasMagic(view, lengthAt + 4))
    throw damaged('the file does not end as an Arrow file does');
  const footerAt = lengthAt - view.getInt32(lengthAt, true);
  if (footerAt < 8 || footerAt >= lengthAt) throw damaged('the footer is longer than the file');
  const footer = new Flatbuffer(view, footerAt, lengthAt).root();
  const schema = footer.table(1);
  if (schema === null) throw damaged('the footer has no schema');
  const ranges = [
    ...readRanges(view, footer.vector(2, 24)).map((range) => ({ ...range, kind: DICTIONARY_BATCH })),
    ...readRanges(view, footer.vector(3, 24)).map((range) => ({ ...range, kind: RECORD_BATCH })),
  ];
  if (ranges.reduce((sum, { length }) => sum + length, 0) > footerAt)
    throw damaged('its blocks are longer than the file');
  const blocks = ranges.map(({ entryAt, at, length, kind }) => {
    if (at + length > footerAt) throw damaged(`the block at byte ${at} reaches past the messages`);
    const message = readMessage(view, at, footerAt);
    if (message?.kind !== kind)
      throw damaged(`the block at byte ${at} is not the batch that the footer says`);
    return { entryAt, message };
  });
  return { schema, version: footer.int16(0), blocks };
}

interface Range {
  readonly entryAt: number;
  readonly at: number;
  readonly length: number;
}

/** The ranges of messages in the footer; each Block is an offset, metadata length, 4 bytes of padding, body length. */
function readRanges(view: DataView, blocks: { at: number; length: number }): Range[] {
  return Array.from({ length: blocks.length }, (_, i) => {
    const entryAt = blocks.at + 24 * i;
    const at = int64At(view, entryAt);
    const [metadata, body] = [view.getInt32(entryAt + 8, true), int64At(view, entryAt + 16)];
    if (at < 8 || metadata < 0 || body < 0) throw damaged(`block ${i} of the footer is out of range`);
    return { entryAt, at, length: metadata + body };
  });
}

/** A stream: a schema, then batches, until a message of length 0 or the end of the bytes. */
export function* readIpcStream(view: DataView): Generator<Message> {
  for (let at = 0; at < view.byteLength; ) {
    const message = readMessage(view, at, view.byteLength);
    if (message === null) {
      checkEndOfStream(view, at);
      return;
    }
    yield message;
    at = message.bodyAt + message.bodyLength;
  }
}

/**
 * Checks that only zeros follow: a damaged length can look like the end of the stream and hide its rest. The first 4 bytes
 * are the continuation marker, or the length 0 of a message without one.
 */
function checkEndOfStream(view: DataView, end: number): void {
  for (let at = end + 4; at < view.byteLength; at++) {
    if (view.getUint8(at) !== 0) throw damaged(`the stream ends at byte ${end}, but bytes follow`);
  }
}

/**
 * An encapsulated message: the continuation marker (absent before Arrow 0.15), the length of the metadata in 4 bytes, the
 * metadata, the body. Null for the message of length 0 that ends a stream.
 */
function readMessage(view: DataView, at: number, end: number): Message | null {
  const truncated = () => damaged(`the message at byte ${at} is cut short`);
  if (at + 4 > end) throw at === 0 ? notArrow() : truncated();
  const isMarked = view.getInt32(at, true) === CONTINUATION;
  const lengthAt = isMarked ? at + 4 : at;
  if (lengthAt + 4 > end) throw truncated();
  const length = view.getInt32(lengthAt, true);
  const bodyAt = lengthAt + 4 + length;
  if (length === 0) return null;
  if (length < 0 || bodyAt > end) throw at === 0 && !isMarked ? notArrow() : truncated();
  const table = new Flatbuffer(view, lengthAt + 4, bodyAt).root();
  const header = table.table(2);
  if (header === null) throw damaged(`the message at byte ${at} is empty`);
  const bodyLength = table.int64(3);
  if (bodyLength < 0 || bodyAt + bodyLength > end) throw truncated();
  checkKeyValues(table, 4);
  return { view, at, version: table.int16(0), kind: table.uint8(1), table, header, bodyAt, bodyLength };
}

const notArrow = () =>
  new ArgumentError(
    'bytes',
    'bytes: not an Arrow IPC file or stream; write it with toArrowFile or toArrowStream',
  );

/** The body of one RecordBatch table. */
export interface IpcBody {
  readonly view: DataView;
  readonly at: number;
  readonly length: number;
  /** The MetadataVersion of its message: 3 is V4. Before V4, the description of a buffer has 24 bytes instead of 16. */
  readonly version: number;
}

const V4 = 3;

/** Where the offset and the length of each buffer of a RecordBatch table stand, 8 bytes each. */
export function bufferEntries(batch: FlatTable, version: number): number[] {
  const [stride, skipped] = version < V4 ? [24, 8] : [16, 0];
  const { at, length } = batch.vector(2, stride);
  return Array.from({ length }, (_, i) => at + stride * i + skipped);
}

/** The range of a buffer, which must be within its body; `owner` names it in the error. */
export function readBuffer({ view, at, length }: IpcBody, entry: number, owner: string): ByteRange {
  const buffer = { at: int64At(view, entry), length: int64At(view, entry + 8) };
  if (buffer.at < 0 || buffer.length < 0 || buffer.at + buffer.length > length) {
    throw damaged(`a buffer of ${owner} is outside its batch`);
  }
  return { at: at + buffer.at, length: buffer.length };
}
