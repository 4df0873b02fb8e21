import { checkIpcBatch } from './ipc-batch.js';
import { damaged, viewOf } from './ipc-flatbuffer.js';
import {
  bodyOf,
  DICTIONARY_BATCH,
  isIpcFile,
  type Message,
  RECORD_BATCH,
  readIpcFile,
  readIpcStream,
  SCHEMA,
} from './ipc-messages.js';
import { type IpcSchema, readIpcSchema } from './ipc-schema.js';

/**
 * Checks that bytes are a complete Arrow IPC file or stream: every length, count and reference of the metadata is within
 * the bytes, every buffer is as long as its column needs, every count of nulls is that of its validity bitmap, and every
 * offset, view, index of a dictionary and kind of a union refers to values that are there. A reader that trusts them then
 * neither reads past an end, nor loops over a wrong count, nor shows a null or another text in place of a value. Numbers and
 * columns of unknown types are not checked. The time depends on the number of batches and columns, and of rows by a bit
 * each, and by the offset, index, view or kind of each. Of compressed batches, the sizes that their buffers state
 * are checked; what is in the buffers, once they are decompressed.
 *
 * The format: https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc, fields
 * in the order of Message.fbs and File.fbs in https://github.com/apache/arrow/tree/main/format
 * @throws ArgumentError that says what is damaged or not Arrow IPC
 */
export function checkIpc(bytes: Uint8Array): void {
  const view = viewOf(bytes);
  if (!isIpcFile(view)) {
    const messages = new MessageChecker();
    for (const message of readIpcStream(view)) messages.check(message);
    return;
  }
  const { schema, version, blocks } = readIpcFile(view);
  const messages = new MessageChecker(readIpcSchema(schema, version));
  for (const { message } of blocks) messages.check(message);
}

/** Checks messages in order, each against the schema and the dictionaries before it. */
class MessageChecker {
  #schema: IpcSchema | null;
  /** How many entries each dictionary has. */
  readonly #dictionaries = new Map<number, number>();

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
    const [entries = 0] = checkIpcBatch(data, [values], { body: bodyOf(message), schema });
    const isDelta = message.header.uint8(2) !== 0;
    this.#dictionaries.set(id, isDelta ? (this.#dictionaries.get(id) ?? 0) + entries : entries);
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
