import { countValid } from '../../../columns/bitmap.js';
import { ArgumentError } from '../../../model/errors.js';
import {
  type ByteRange,
  bufferEntries,
  type IpcBody,
  type IpcCodec,
  inflatedSize,
  readBuffer,
  readCodec,
} from './ipc-buffers.js';
import { damaged, type FlatTable, int64At } from './ipc-flatbuffer.js';
import type { IpcColumn, IpcLayout, IpcSchema } from './ipc-schema.js';

interface IpcBatchContext {
  readonly body: IpcBody;
  readonly schema: IpcSchema;
  /** The rows of every column; unknown for a dictionary. */
  readonly rows?: number | undefined;
  /** Ids of the dictionaries read so far; not checked when absent. */
  readonly dictionaries?: ReadonlySet<number> | undefined;
}

interface Node {
  readonly length: number;
  readonly nullCount: number;
}

/**
 * Checks the nodes and buffers of a RecordBatch table, or of the one within a DictionaryBatch, against its columns: their
 * number, that each is within the body, that each is as long as its column needs, and that as many rows are null as the
 * batch states. The time depends on the number of columns, and of rows only by a bit each and for lists by an offset each.
 * Fields in the order of https://github.com/apache/arrow/blob/main/format/Message.fbs
 * @throws ArgumentError when it breaks the format
 */
export function checkIpcBatch(
  table: FlatTable,
  columns: readonly IpcColumn[],
  { body, schema, rows, dictionaries }: IpcBatchContext,
): void {
  if (!schema.known) return;
  const batch = new BatchChecker(table, body, { schemaVersion: schema.version, dictionaries });
  for (const column of columns) batch.column(column, rows);
  batch.end();
}

/** Consumes the nodes, buffers and variadic buffer counts of a batch in the order of the columns. */
class BatchChecker {
  readonly #body: IpcBody;
  readonly #schemaVersion: number;
  readonly #dictionaries: ReadonlySet<number> | undefined;
  readonly #nodes: ByteRange;
  readonly #codec: IpcCodec | null;
  readonly #buffers: readonly number[];
  readonly #variadics: ByteRange;
  #node = 0;
  #buffer = 0;
  #variadic = 0;

  constructor(
    table: FlatTable,
    body: IpcBody,
    by: { schemaVersion: number; dictionaries: ReadonlySet<number> | undefined },
  ) {
    this.#body = body;
    this.#schemaVersion = by.schemaVersion;
    this.#dictionaries = by.dictionaries;
    this.#nodes = table.vector(1, 16);
    this.#codec = readCodec(table);
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
    if (this.#hasValidity(layout, name)) this.#validity(name, node);
    this.#values(column, layout, node);
    return node.length;
  }

  /** Checks that everything is consumed. */
  end(): void {
    if (this.#node < this.#nodes.length || this.#buffer < this.#buffers.length) {
      throw damaged('a batch has more columns or buffers than the schema');
    }
  }

  #values(column: IpcColumn, layout: IpcLayout, node: Node): void {
    const { name } = column;
    const present = node.length - node.nullCount;
    switch (layout.kind) {
      case 'fixed':
        this.#atLeast(name, this.#nextBuffer(name), Math.ceil((present * layout.bits) / 8));
        return;
      case 'variable':
        this.#texts(name, node, layout.offsetBytes);
        return;
      case 'view':
        this.#atLeast(name, this.#nextBuffer(name), present * 16);
        for (let left = this.#nextVariadicCount(name); left > 0; left--) this.#nextBuffer(name);
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
        this.#atLeast(name, this.#nextBuffer(name), node.length);
        if (layout.dense) this.#atLeast(name, this.#nextBuffer(name), node.length * 4);
        this.#children(column, layout.dense ? 0 : node.length);
    }
  }

  #children(column: IpcColumn, min: number): void {
    for (const child of column.children) {
      if (this.column(child) < min)
        throw damaged(`column "${child.name}" within "${column.name}" is too short`);
    }
  }

  #texts(name: string, { length, nullCount }: Node, offsetBytes: 4 | 8): void {
    const offsets = this.#nextBuffer(name);
    const values = this.#nextBuffer(name);
    if (length === nullCount) return;
    this.#atLeast(name, offsets, (length - nullCount + 1) * offsetBytes);
    if (this.#codec !== null || offsets.length < (length + 1) * offsetBytes) return;
    const last = this.#offset(offsets, length, offsetBytes);
    if (this.#offset(offsets, 0, offsetBytes) < 0 || last < 0 || last > values.length)
      throw offsetsPastEnd(name);
  }

  /** Checks every offset: one past the elements, or a decreasing one, would make a list of arbitrary length. */
  #lists(column: IpcColumn, { length }: Node, offsetBytes: 4 | 8): void {
    const offsets = this.#nextBuffer(column.name);
    const elements = this.column(column.children[0]!);
    if (length === 0) return;
    this.#atLeast(column.name, offsets, (length + 1) * offsetBytes);
    if (this.#codec !== null) return;
    let before = 0;
    for (let i = 0; i <= length; i++) {
      const offset = this.#offset(offsets, i, offsetBytes);
      if (offset < before)
        throw damaged(`list ${i} of column "${column.name}" begins before the previous one`);
      before = offset;
    }
    if (before > elements) throw offsetsPastEnd(column.name);
  }

  #offset(offsets: ByteRange, index: number, bytes: 4 | 8): number {
    const at = offsets.at + index * bytes;
    return bytes === 4 ? this.#body.view.getInt32(at, true) : int64At(this.#body.view, at);
  }

  /** Before V5, unions have a validity bitmap. */
  #hasValidity({ kind }: IpcLayout, name: string): boolean {
    if (kind !== 'union') return kind !== 'null';
    const old = this.#body.version < V5;
    if (old === this.#schemaVersion < V5) return old;
    const text = `bytes: union column "${name}" mixes the formats before and after Arrow 1.0, which is not supported`;
    throw new ArgumentError('bytes', `${text}; write it with a newer metadata version`);
  }

  /**
   * A count of nulls that differs from the bitmap would add nulls, or make values of them. A bitmap that is too short for
   * the rows is one that a writer without nulls left out.
   */
  #validity(name: string, { length, nullCount }: Node): void {
    const bitmap = this.#nextBuffer(name);
    const bytes = Math.ceil(length / 8);
    if (nullCount > 0) this.#atLeast(name, bitmap, bytes);
    if (this.#codec !== null || bitmap.length < bytes) return;
    const { buffer, byteOffset } = this.#body.view;
    const bits = new Uint8Array(buffer, byteOffset + bitmap.at, bytes);
    const nulls = length - countValid(bits, length);
    if (nulls !== nullCount)
      throw damaged(`column "${name}" states ${nullCount} nulls where its bitmap has ${nulls}`);
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
    const owner = `column "${name}"`;
    const buffer = readBuffer(this.#body, this.#buffers[this.#buffer++]!, owner);
    if (this.#codec === null) return buffer;
    return { at: buffer.at, length: inflatedSize(this.#body.view, buffer, this.#codec, owner) };
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

const offsetsPastEnd = (name: string) => damaged(`the values of column "${name}" reach past their end`);
