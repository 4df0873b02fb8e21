import { ArgumentError } from '../../../model/errors.js';
import { checkIpcBatch } from './ipc-batch.js';
import { damaged, Flatbuffer, type FlatTable, int64At } from './ipc-flatbuffer.js';
import { checkKeyValues, type IpcSchema, readIpcSchema } from './ipc-schema.js';

/**
 * Checks that bytes are a complete Arrow IPC file or stream: every length, count and reference of the metadata is within
 * the bytes, and every buffer is as long as its column needs. A reader that trusts them then neither reads past an end nor
 * loops over a wrong count. Values are not checked, and neither are columns of unknown types. The time depends on the
 * number of batches and columns and not of rows, except for lists.
 *
 * The format: https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc, fields
 * in the order of Message.fbs and File.fbs in https://github.com/apache/arrow/tree/main/format
 * @throws ArgumentError that says what is damaged, compressed, or not Arrow IPC
 */
export function checkIpc(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (hasMagic(view, 0)) checkFile(view);
  else checkStream(view);
}

const MAGIC = [...'ARROW1'].map((letter) => letter.charCodeAt(0));
const CONTINUATION = -1;
const SCHEMA = 1;
const DICTIONARY_BATCH = 2;
const RECORD_BATCH = 3;

function hasMagic(view: DataView, at: number): boolean {
  return (
    at >= 0 &&
    at + MAGIC.length <= view.byteLength &&
    MAGIC.every((byte, i) => view.getUint8(at + i) === byte)
  );
}

/** A file: the magic number, padded to 8 bytes, messages, the footer, its length in 4 bytes, the magic number. */
function checkFile(view: DataView): void {
  const lengthAt = view.byteLength - MAGIC.length - 4;
  if (lengthAt < 8 || !hasMagic(view, lengthAt + 4))
    throw damaged('the file does not end as an Arrow file does');
  const footerAt = lengthAt - view.getInt32(lengthAt, true);
  if (footerAt < 8 || footerAt >= lengthAt) throw damaged('the footer is longer than the file');
  const footer = new Flatbuffer(view, footerAt, lengthAt).root();
  const schema = footer.table(1);
  if (schema === null) throw damaged('the footer has no schema');
  const messages = new MessageChecker(readIpcSchema(schema, footer.int16(0)));
  const blocks = [
    ...readBlocks(view, footer.vector(2, 24)).map((block) => ({ ...block, kind: DICTIONARY_BATCH })),
    ...readBlocks(view, footer.vector(3, 24)).map((block) => ({ ...block, kind: RECORD_BATCH })),
  ];
  if (blocks.reduce((sum, { length }) => sum + length, 0) > footerAt)
    throw damaged('its blocks are longer than the file');
  for (const { at, length, kind } of blocks) {
    if (at + length > footerAt) throw damaged(`the block at byte ${at} reaches past the messages`);
    const message = readMessage(view, at, footerAt);
    if (message?.kind !== kind)
      throw damaged(`the block at byte ${at} is not the batch that the footer says`);
    messages.check(message);
  }
}

/** The ranges of messages in the footer; each Block is an offset, metadata length, 4 bytes of padding, body length. */
function readBlocks(
  view: DataView,
  blocks: { at: number; length: number },
): { at: number; length: number }[] {
  return Array.from({ length: blocks.length }, (_, i) => {
    const block = blocks.at + 24 * i;
    const at = int64At(view, block);
    const [metadata, body] = [view.getInt32(block + 8, true), int64At(view, block + 16)];
    if (at < 8 || metadata < 0 || body < 0) throw damaged(`block ${i} of the footer is out of range`);
    return { at, length: metadata + body };
  });
}

/** A stream: a schema, then batches, until a message of length 0 or the end of the bytes. */
function checkStream(view: DataView): void {
  const messages = new MessageChecker();
  for (let at = 0; at < view.byteLength; ) {
    const message = readMessage(view, at, view.byteLength);
    if (message === null) {
      checkEndOfStream(view, at);
      return;
    }
    messages.check(message);
    at = message.bodyAt + message.bodyLength;
  }
}

/** Checks that only zeros follow: a damaged length can look like the end of the stream and hide its rest. */
function checkEndOfStream(view: DataView, end: number): void {
  const isMarked = view.getInt32(end, true) === CONTINUATION;
  for (let at = end + (isMarked ? 8 : 4); at < view.byteLength; at++) {
    if (view.getUint8(at) !== 0) throw damaged(`the stream ends at byte ${end}, but bytes follow`);
  }
}

interface Message {
  readonly view: DataView;
  readonly at: number;
  readonly version: number;
  readonly kind: number;
  readonly header: FlatTable;
  readonly bodyAt: number;
  readonly bodyLength: number;
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
  return { view, at, version: table.int16(0), kind: table.uint8(1), header, bodyAt, bodyLength };
}

const notArrow = () =>
  new ArgumentError(
    'bytes',
    'bytes: not an Arrow IPC file or stream; write it with toArrowFile or toArrowStream',
  );

/** Checks messages in order, each against the schema and the dictionaries before it. */
class MessageChecker {
  #schema: IpcSchema | null;
  readonly #dictionaries = new Set<number>();

  constructor(schema: IpcSchema | null = null) {
    this.#schema = schema;
  }

  check(message: Message): void {
    if (message.kind === SCHEMA) this.#checkSchema(message);
    else if (message.kind === DICTIONARY_BATCH) this.#checkDictionary(message);
    else if (message.kind === RECORD_BATCH) this.#checkBatch(message);
    else throw damaged(`the message at byte ${message.at} is neither schema nor batch`);
  }

  #checkSchema({ header, version, at, bodyLength }: Message): void {
    if (bodyLength > 0) throw damaged(`the schema at byte ${at} has a body`);
    this.#schema = readIpcSchema(header, version);
    this.#dictionaries.clear();
  }

  #checkDictionary(message: Message): void {
    const schema = this.#knownSchema(message);
    const id = message.header.int64(0);
    const values = schema.dictionaries.get(id);
    const data = message.header.table(1);
    if (values === undefined) throw damaged(`dictionary ${id} belongs to no column`);
    if (data === null) throw damaged(`dictionary ${id} is empty`);
    checkIpcBatch(data, [values], { body: bodyOf(message), schema });
    this.#dictionaries.add(id);
  }

  #checkBatch(message: Message): void {
    const schema = this.#knownSchema(message);
    const rows = message.header.int64(0);
    if (rows < 0) throw damaged(`the batch at byte ${message.at} has ${rows} rows`);
    const dictionaries = this.#dictionaries;
    checkIpcBatch(message.header, schema.columns, { body: bodyOf(message), schema, rows, dictionaries });
  }

  #knownSchema({ at }: Message): IpcSchema {
    if (this.#schema === null) throw damaged(`the batch at byte ${at} is before any schema`);
    return this.#schema;
  }
}

const bodyOf = ({ view, bodyAt, bodyLength, version }: Message) => ({
  view,
  at: bodyAt,
  length: bodyLength,
  version,
});
