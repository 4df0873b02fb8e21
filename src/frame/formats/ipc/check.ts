import { countValid } from '../../../columns/bitmap.js';
import { ArgumentError } from '../../../model/errors.js';
import { type ByteRange, damaged, type FlatTable, int64At, viewOf } from './flatbuffer.js';
import {
  bodyOf,
  bufferEntries,
  DICTIONARY_BATCH,
  type IpcBody,
  isIpcFile,
  type Message,
  RECORD_BATCH,
  readBuffer,
  readIpcFile,
  readIpcStream,
  SCHEMA,
} from './messages.js';
import { type IpcColumn, type IpcLayout, type IpcSchema, readIpcSchema } from './schema.js';
import { checkIndices, checkOffsets, checkViews } from './values.js';

/**
 * Checks that bytes are a complete Arrow IPC file or stream without compressed batches: every length, count and reference of the metadata is within
 * the bytes, every buffer is as long as its column needs, every count of nulls is that of its validity bitmap, and every
 * offset, view and index of a dictionary refers to values that are there. A reader that trusts them then
 * neither reads past an end, nor loops over a wrong count, nor shows a null or another text in place of a value. Numbers, unions
 * and columns of unknown types are not checked. The time depends on the number of batches and columns, and of rows by a bit
 * each, and by the offset, index or view of each.
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

interface IpcBatchContext {
  readonly body: IpcBody;
  readonly schema: IpcSchema;
  /** The rows of every column; unknown for a dictionary. */
  readonly rows?: number | undefined;
  /** How many entries each dictionary has that was read so far; not checked when absent. */
  readonly dictionaries?: ReadonlyMap<number, number> | undefined;
}

interface Node {
  readonly length: number;
  readonly nullCount: number;
}

/** The rows of a column; `valid` is null where all have a value. */
interface Rows extends Node {
  readonly valid: Uint8Array | null;
}

/**
 * Checks the nodes and buffers of a RecordBatch table, or of the one within a DictionaryBatch, against its columns: their
 * number, that each is within the body, that each is as long as its column needs, that as many rows are null as the batch
 * states, and that whatever refers to other values refers to one that is there. The time depends on the number of columns,
 * and of rows by a bit each, and by the offset, index or view of each.
 * Fields in the order of https://github.com/apache/arrow/blob/main/format/Message.fbs
 * @returns the rows of each column; none of a schema that is not known
 * @throws ArgumentError when it breaks the format
 */
export function checkIpcBatch(
  table: FlatTable,
  columns: readonly IpcColumn[],
  { body, schema, rows, dictionaries }: IpcBatchContext,
): number[] {
  if (!schema.known) return [];
  const batch = new BatchChecker(table, body, { schemaVersion: schema.version, dictionaries });
  const lengths = columns.map((column) => batch.column(column, rows));
  batch.end();
  return lengths;
}

/** Consumes the nodes, buffers and variadic buffer counts of a batch in the order of the columns. */
class BatchChecker {
  readonly #body: IpcBody;
  readonly #schemaVersion: number;
  readonly #dictionaries: ReadonlyMap<number, number> | undefined;
  readonly #nodes: ByteRange;
  readonly #buffers: readonly number[];
  readonly #variadics: ByteRange;
  #node = 0;
  #buffer = 0;
  #variadic = 0;

  constructor(
    table: FlatTable,
    body: IpcBody,
    by: { schemaVersion: number; dictionaries: ReadonlyMap<number, number> | undefined },
  ) {
    this.#body = body;
    this.#schemaVersion = by.schemaVersion;
    this.#dictionaries = by.dictionaries;
    this.#nodes = table.vector(1, 16);
    this.#buffers = bufferEntries(table, body.version);
    this.#variadics = table.vector(4, 8);
  }

  /** Checks a column with its children and returns its length, which must be `rows` where that is given. */
  column(column: IpcColumn, rows?: number): number {
    const { name } = column;
    const layout = column.dictionary?.layout ?? column.layout;
    const node = this.#nextNode(name);
    if (rows !== undefined && node.length !== rows) {
      throw damaged(`column "${name}" has ${node.length} rows where the batch has ${rows}`);
    }
    if (column.dictionary !== null && node.length > node.nullCount) {
      const missing = this.#dictionaries?.has(column.dictionary.id) === false;
      if (missing) throw damaged(`the dictionary of column "${name}" is missing`);
    }
    const valid = this.#hasValidity(layout, name) ? this.#validity(name, node) : null;
    this.#values(column, layout, { ...node, valid });
    return node.length;
  }

  /** Checks that everything is consumed. */
  end(): void {
    if (this.#node < this.#nodes.length || this.#buffer < this.#buffers.length) {
      throw damaged('a batch has more columns or buffers than the schema');
    }
  }

  #values(column: IpcColumn, layout: IpcLayout, node: Rows): void {
    const { name } = column;
    const present = node.length - node.nullCount;
    switch (layout.kind) {
      case 'fixed': {
        const values = this.#nextBuffer(name);
        this.#atLeast(name, values, Math.ceil((present * layout.bits) / 8));
        this.#indices(column, values, node);
        return;
      }
      case 'variable':
        this.#texts(name, node, layout.offsetBytes);
        return;
      case 'view':
        this.#views(name, node);
        return;
      case 'list':
        this.#lists(column, node, layout.offsetBytes);
        return;
      case 'fixed-list':
        this.#children(column, present * layout.size);
        return;
      case 'struct':
        this.#children(column, present);
        return;
      case 'union':
        this.#union(column, layout.dense, node);
    }
  }

  /** Checks the columns within a column. */
  #children(column: IpcColumn, min: number): void {
    for (const child of column.children) {
      if (this.column(child) < min)
        throw damaged(`column "${child.name}" within "${column.name}" is too short`);
    }
  }

  /** A frame does not hold unions; Arrow reads a wrong kind or offset of one as a null. */
  #union(column: IpcColumn, dense: boolean, { length }: Node): void {
    this.#atLeast(column.name, this.#nextBuffer(column.name), length);
    if (dense) this.#atLeast(column.name, this.#nextBuffer(column.name), length * 4);
    this.#children(column, dense ? 0 : length);
  }

  #indices({ name, dictionary }: IpcColumn, values: ByteRange, { length, valid }: Rows): void {
    const entries = dictionary === null ? undefined : this.#dictionaries?.get(dictionary.id);
    if (dictionary === null || entries === undefined) return;
    checkIndices(this.#body.view, values, { name, length, valid, type: dictionary.type, entries });
  }

  #views(name: string, { length, nullCount, valid }: Rows): void {
    const views = this.#nextBuffer(name);
    this.#atLeast(name, views, (length - nullCount) * 16);
    const buffers: ByteRange[] = [];
    for (let left = this.#nextVariadicCount(name); left > 0; left--) buffers.push(this.#nextBuffer(name));
    checkViews(this.#body.view, views, { name, length, valid, buffers });
  }

  #texts(name: string, { length, nullCount }: Node, bytes: 4 | 8): void {
    const offsets = this.#nextBuffer(name);
    const values = this.#nextBuffer(name);
    if (length === nullCount) return;
    this.#atLeast(name, offsets, (length - nullCount + 1) * bytes);
    if (offsets.length < (length + 1) * bytes) return;
    checkOffsets(this.#body.view, offsets, { name, length, bytes, end: values.length, what: 'value' });
  }

  #lists(column: IpcColumn, { length }: Node, bytes: 4 | 8): void {
    const { name } = column;
    const offsets = this.#nextBuffer(name);
    const end = this.column(column.children[0]!);
    if (length === 0) return;
    this.#atLeast(name, offsets, (length + 1) * bytes);
    checkOffsets(this.#body.view, offsets, { name, length, bytes, end, what: 'list' });
  }

  /** Before V5, unions have a validity bitmap, which Arrow for JavaScript does not read. */
  #hasValidity({ kind }: IpcLayout, name: string): boolean {
    if (kind !== 'union') return kind !== 'null';
    if (this.#body.version >= V5 && this.#schemaVersion >= V5) return false;
    const text = `bytes: union column "${name}" is in the format before Arrow 1.0, which is not supported`;
    throw new ArgumentError('bytes', `${text}; write it with metadata version V5`);
  }

  /**
   * A count of nulls that differs from the bitmap would add nulls, or make values of them. A bitmap that is too short for
   * the rows is one that a writer without nulls left out.
   * @returns the bitmap; null without one
   */
  #validity(name: string, { length, nullCount }: Node): Uint8Array | null {
    const bitmap = this.#nextBuffer(name);
    const bytes = Math.ceil(length / 8);
    if (nullCount > 0) this.#atLeast(name, bitmap, bytes);
    if (bitmap.length < bytes) return null;
    const { buffer, byteOffset } = this.#body.view;
    const bits = new Uint8Array(buffer, byteOffset + bitmap.at, bytes);
    const nulls = length - countValid(bits, length);
    if (nulls !== nullCount)
      throw damaged(`column "${name}" states ${nullCount} nulls where its bitmap has ${nulls}`);
    return nullCount === 0 ? null : bits;
  }

  #atLeast(name: string, buffer: ByteRange, bytes: number): void {
    if (buffer.length < bytes) {
      throw damaged(`a buffer of column "${name}" has ${buffer.length} bytes where its rows need ${bytes}`);
    }
  }

  #nextNode(name: string): Node {
    if (this.#node === this.#nodes.length) throw damaged(`a batch lacks column "${name}"`);
    const at = this.#nodes.at + 16 * this.#node++;
    const node = { length: int64At(this.#body.view, at), nullCount: int64At(this.#body.view, at + 8) };
    if (node.nullCount < UNCOUNTED || node.nullCount > node.length) {
      throw damaged(`column "${name}" has ${node.nullCount} nulls in ${node.length} rows`);
    }
    return { ...node, nullCount: Math.max(node.nullCount, 0) };
  }

  #nextBuffer(name: string): ByteRange {
    if (this.#buffer === this.#buffers.length) throw damaged(`a batch lacks a buffer of column "${name}"`);
    return readBuffer(this.#body, this.#buffers[this.#buffer++]!, `column "${name}"`);
  }

  #nextVariadicCount(name: string): number {
    if (this.#variadic === this.#variadics.length) return 0;
    const count = int64At(this.#body.view, this.#variadics.at + 8 * this.#variadic++);
    if (count < 0) throw damaged(`column "${name}" has ${count} buffers of long values`);
    return count;
  }
}

/** Some writers do not count nulls when there is no bitmap. */
const UNCOUNTED = -1;

const V5 = 4;
