import {
  CompressionType,
  type Data,
  DataType,
  type Dictionary,
  Field,
  MessageHeader,
  type MetadataVersion,
  makeData,
  type RecordBatch,
  type Schema,
  Vector,
} from 'apache-arrow';
import { DictionaryBatch as DictionaryBatchTable } from 'apache-arrow/fb/dictionary-batch';
import { RecordBatch as RecordBatchTable } from 'apache-arrow/fb/record-batch';
import { Schema as SchemaTable } from 'apache-arrow/fb/schema';
import {
  type BodyCompression,
  type BufferRegion,
  DictionaryBatch,
  type FieldNode,
  RecordBatch as Header,
} from 'apache-arrow/ipc/metadata/message';
import { VectorLoader } from 'apache-arrow/visitor/vectorloader';
import lz4 from 'lz4js';
import { countValid, isValid } from '../../../columns/bitmap.js';
import { type ArgumentError, badArgument } from '../../../model/errors.js';
import { maxUnpackedBytes } from '../../../model/growth.js';
import { refuseUnsupported } from '../../table/check-table.js';
import { createRecordBatch } from '../../table/frame-table.js';
import { INLINE_BYTES, VIEW_BYTES } from '../../table/take-rows.js';
import { damaged, decodeSchema, type Message, readMessages } from './messages.js';

/**
 * Reads an Arrow IPC file or stream using parts of Arrow's own reader. This function checks every length, count and
 * reference, because that reader trusts them. Format: https://arrow.apache.org/docs/format/Columnar.html
 * @throws ArgumentError that describes what is corrupt; other errors come from Arrow's reader
 */
export function readIpc(bytes: Uint8Array): { schema: Schema | undefined; batches: RecordBatch[] } {
  const { schema: ofFile, messages } = readMessages(bytes);
  const [decompress, batches] = [decompressWithin(bytes.length), [] as RecordBatch[]];
  let [schema, dictionaries] = [ofFile, new Map<number, Vector>()];
  for (const message of messages) {
    const { table, at } = message;
    const [kind, version] = [table.headerType(), table.version()];
    if (kind === MessageHeader.Schema) {
      schema = decodeSchema(table.header(new SchemaTable()), version);
      dictionaries = new Map();
      continue;
    }
    if (kind !== MessageHeader.DictionaryBatch && kind !== MessageHeader.RecordBatch)
      throw damaged(`the message at byte ${at} is neither a schema nor a batch`);
    if (schema === undefined) throw damaged(`the batch at byte ${at} is before any schema`);
    refuseUnsupported(schema, 'bytes');
    const read = { message, schema, dictionaries, decompress };
    if (kind === MessageHeader.DictionaryBatch)
      readDictionary(DictionaryBatch.decode(table.header(new DictionaryBatchTable()), version), read);
    else batches.push(readBatch(Header.decode(table.header(new RecordBatchTable()), version), read));
  }
  return { schema, batches };
}

interface Reading {
  readonly message: Message;
  readonly schema: Schema;
  readonly dictionaries: Map<number, Vector>;
  readonly decompress: Decompress;
}

function readDictionary({ id, isDelta, data: header }: DictionaryBatch, reading: Reading): void {
  const { schema, dictionaries } = reading;
  const type = schema.dictionaries.get(id);
  if (type === undefined) throw damaged(`dictionary ${id} belongs to no column`);
  const read = new Vector(readColumns(header, [new Field(`dictionary ${id}`, type)], reading));
  const before = isDelta ? dictionaries.get(id) : undefined;
  dictionaries.set(id, (before?.concat(read) ?? read).memoize());
}

function readBatch(header: Header, reading: Reading): RecordBatch {
  const { schema, message } = reading;
  const { length } = header;
  if (length < 0) throw damaged(`the batch at byte ${message.at} has ${length} rows`);
  const columns = readColumns(header, schema.fields, reading);
  for (const [i, { name }] of schema.fields.entries()) {
    const rows = columns[i]!.length;
    if (rows !== length) throw damaged(`column "${name}" has ${rows} rows, but its batch has ${length}`);
  }
  return createRecordBatch(schema, columns, length);
}

function readColumns(
  header: Header,
  fields: Field[],
  { message, schema, dictionaries, decompress }: Reading,
): Data[] {
  const loader = new CheckedLoader(header, message.body, {
    dictionaries,
    metadataVersion: schema.metadataVersion,
    unpack: (buffer) => decompress(buffer, header.compression),
  });
  const columns = loader.visitMany(fields);
  loader.end();
  return columns;
}

interface LoaderOptions {
  readonly dictionaries: Map<number, Vector>;
  readonly metadataVersion: MetadataVersion;
  readonly unpack: (buffer: Uint8Array) => Uint8Array;
}

/** Adds checks to Arrow's loader, which trusts column and buffer metadata. */
class CheckedLoader extends VectorLoader {
  readonly #header: Header;
  readonly #body: Uint8Array;
  readonly #options: LoaderOptions;
  #name = '';
  #node: FieldNode | undefined;
  #nodes = 0;
  #buffers = 0;

  constructor(header: Header, body: Uint8Array, options: LoaderOptions) {
    const { nodes, buffers, variadicBufferCounts } = header;
    super(body, nodes, buffers, options.dictionaries, options.metadataVersion, variadicBufferCounts);
    [this.#header, this.#body, this.#options] = [header, body, options];
  }

  end(): void {
    if (this.#nodes < this.#header.nodes.length || this.#buffers < this.#header.buffers.length)
      throw damaged('a batch has more columns or buffers than the schema');
  }

  override visit<T extends DataType>(column: Field<T> | T): Data<T> {
    const name = column instanceof Field ? column.name : this.#name;
    this.#name = name;
    const data = super.visit(column);
    checkColumn(name, data);
    return data;
  }

  protected override nextFieldNode(): FieldNode {
    const node = this.#header.nodes[this.#nodes++];
    if (node === undefined) throw damaged(`column "${this.#name}" is missing from a batch`);
    const { length, nullCount } = node;
    if (nullCount < UNCOUNTED || nullCount > length)
      throw damaged(`column "${this.#name}" has ${nullCount} nulls in ${length} rows`);
    this.#node = node;
    return node;
  }

  protected override nextBufferRange(): BufferRegion {
    const region = this.#header.buffers[this.#buffers++];
    if (region === undefined) throw damaged(`a buffer of column "${this.#name}" is missing from a batch`);
    return region;
  }

  protected override readData(
    _type: DataType,
    { offset, length }: BufferRegion = this.nextBufferRange(),
  ): Uint8Array {
    if (offset < 0 || length < 0 || offset + length > this.#body.length)
      throw damaged(`a buffer of column "${this.#name}" is outside its batch`);
    const bytes = this.#options.unpack(this.#body.subarray(offset, offset + length));
    return bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice();
  }

  /** Treats bitmaps that are too short as absent, because some writers produce them for columns without nulls. */
  protected override readNullBitmap(type: DataType, nullCount: number): Uint8Array {
    const { length } = this.#node!;
    const bitmap = this.readData(type);
    const nulls = bitmap.length * 8 < length ? 0 : length - countValid(bitmap, length);
    if (nulls !== Math.max(nullCount, 0))
      throw damaged(`column "${this.#name}" claims to have ${nullCount} nulls, but its bitmap has ${nulls}`);
    return nulls === 0 ? new Uint8Array(0) : bitmap;
  }

  /** Returns a dictionary. A missing dictionary, which is valid only if every row is null, becomes an empty vector. */
  protected override readDictionary<T extends Dictionary>(type: T): Vector<T['dictionary']> {
    return this.#options.dictionaries.get(type.id) ?? new Vector([makeData({ type: type.dictionary })]);
  }
}

const UNCOUNTED = -1;

const ALIGNMENT = 8;

// A compressed buffer begins with its decompressed size in 8 bytes, or with -1 if the content is not compressed.
const SIZE_BYTES = 8;
const NOT_COMPRESSED = -1;

const MAX_BYTES = 2 ** 32;

type Decompress = (buffer: Uint8Array, compression: BodyCompression | null) => Uint8Array;

function decompressWithin(size: number): Decompress {
  let total = 0;
  return (buffer, compression) => {
    if (compression === null || buffer.length === 0) return buffer;
    const decompress = codecOf(compression);
    if (buffer.length < SIZE_BYTES) throw damaged(`a compressed buffer has only ${buffer.length} bytes`);
    const stated = Number(new DataView(buffer.buffer, buffer.byteOffset).getBigInt64(0, true));
    const packed = buffer.subarray(SIZE_BYTES);
    if (stated === NOT_COMPRESSED) return packed;
    if (stated < 0) throw damaged(`a compressed buffer claims to contain ${stated} bytes`);
    total += stated;
    if (total > Math.min(MAX_BYTES, maxUnpackedBytes(size))) throw tooLarge(size, total);
    const into = allocate(stated);
    if (into === undefined) throw tooLarge(size, total);
    decompress(packed, into);
    return into;
  };
}

function codecOf({ type, method }: BodyCompression): (from: Uint8Array, into: Uint8Array) => void {
  if (method === 0 && type === CompressionType.LZ4_FRAME) return decompressLz4;
  if (method === 0 && type === CompressionType.ZSTD) return decompressZstandard;
  const unknown = 'this Arrow IPC uses a compression method that Arrow does not define';
  throw badArgument('bytes', `${unknown}; write it with lz4 or zstd, or uncompressed`);
}

/** The position of the flags byte in an LZ4 frame, and the flag that is set if the frame ends with a checksum. */
const [FLAGS_AT, HAS_CHECKSUM] = [4, 0b100];

/**
 * Decompresses an LZ4 frame that must fill `into` exactly. The end mark and the size are checked, because the decoder
 * does not report truncated frames and drops bytes that do not fit in `into`.
 */
function decompressLz4(from: Uint8Array, into: Uint8Array): void {
  const mark = from.length - (from[FLAGS_AT]! & HAS_CHECKSUM ? 8 : 4);
  const isWhole = mark > FLAGS_AT && from.subarray(mark, mark + 4).every((byte) => byte === 0);
  let size = -1;
  try {
    if (isWhole) size = lz4.decompressFrame(from, into);
  } catch (cause) {
    throw damaged('its LZ4 frame cannot be decompressed', { cause });
  }
  if (size !== into.length) throw damaged(`its LZ4 frame does not decompress to ${into.length} bytes`);
}

/** Decompresses Zstandard frames that must fill `into` exactly. */
function decompressZstandard(from: Uint8Array, into: Uint8Array): void {
  const { process } = globalThis as { process?: { getBuiltinModule?: (id: string) => object | undefined } };
  const zlib = process?.getBuiltinModule?.('node:zlib') as Zstandard | undefined;
  if (zlib?.zstdDecompressSync === undefined)
    throw badArgument(
      'bytes',
      'the data is compressed with Zstandard, which needs Node 22.15 or later; write it with lz4 or uncompressed',
    );
  let bytes: Uint8Array;
  try {
    bytes = zlib.zstdDecompressSync(from, { maxOutputLength: Math.max(1, into.length) });
  } catch (cause) {
    throw damaged(`its Zstandard frames do not decompress to ${into.length} bytes`, { cause });
  }
  if (bytes.length !== into.length)
    throw damaged(`its Zstandard frames do not decompress to ${into.length} bytes`);
  into.set(bytes);
}

interface Zstandard {
  readonly zstdDecompressSync?: (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;
}

function allocate(size: number): Uint8Array | undefined {
  try {
    return new Uint8Array(size);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function tooLarge(from: number, size: number): ArgumentError {
  const stated = `these ${from} bytes of compressed Arrow IPC claim to decompress to ${size} bytes or more, which is too large`;
  return badArgument('bytes', `${stated}; write it in smaller files, or uncompressed if you trust it`);
}

/**
 * Checks that a column's buffers are long enough, and that each offset, view and index refers to an existing value.
 * Without these checks, a reader would silently return wrong strings or nulls. Child columns have already been checked.
 */
function checkColumn(name: string, data: Data): void {
  const { type, length, stride, children, values } = data;
  const present = length - data.nullCount;
  const atLeast = (held: number, needed: number) => {
    if (!(needed >= 0 && held >= needed))
      throw damaged(`a buffer of column "${name}" has ${held} values, but its rows need ${needed}`);
  };
  if (DataType.isNull(type)) return;
  if (DataType.isStruct(type)) for (const child of children) atLeast(child.length, present);
  else if (DataType.isFixedSizeList(type)) atLeast(children[0]!.length, present * stride);
  else if (data.valueOffsets !== undefined) {
    if (present === 0 && data.valueOffsets.length === 0) return;
    if (length === 0) return;
    atLeast(data.valueOffsets.length, length + 1);
    const end = children[0]?.length ?? values.length;
    checkOffsets(name, data.valueOffsets.subarray(0, length + 1), end);
  } else if (DataType.isBool(type)) atLeast(values.length * 8, present);
  else atLeast(values.length, present * stride);
  if (DataType.isDictionary(type)) checkIndices(name, data);
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) checkViews(name, data);
  checkUnit(name, type);
}

function checkOffsets(name: string, offsets: ArrayLike<number | bigint>, end: number): void {
  let before: number | bigint = 0;
  for (let i = 0; i < offsets.length; i++) {
    const offset = offsets[i]!;
    if (offset < before) throw damaged(`value ${i} of column "${name}" begins before the previous one`);
    before = offset;
  }
  if (before > end) throw damaged(`the values of column "${name}" extend past the end of their buffer`);
}

function checkIndices(name: string, { values, length, nullBitmap, nullCount, dictionary }: Data): void {
  const entries = (dictionary as Vector).length;
  const valid = nullCount === 0 ? null : nullBitmap;
  const indices = values as ArrayLike<number | bigint>;
  for (let row = 0; row < length; row++) {
    const entry = indices[row]!;
    if ((entry >= 0 && entry < entries) || !isValid(valid, row)) continue;
    throw damaged(
      `row ${row} of column "${name}" refers to entry ${entry} of a dictionary with ${entries} entries`,
    );
  }
}

// https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout
function checkViews(name: string, data: Data): void {
  const { values, nullBitmap, nullCount, variadicBuffers } = data;
  const valid = nullCount === 0 ? null : nullBitmap;
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  const rows = Math.min(data.length, Math.floor(values.byteLength / VIEW_BYTES));
  for (let row = 0, at = 0; row < rows; row++, at += VIEW_BYTES) {
    const size = view.getInt32(at, true);
    if (size >= 0 && size <= INLINE_BYTES) continue;
    const [buffer, offset] = [view.getInt32(at + 8, true), view.getInt32(at + 12, true)];
    const isWithin = size > 0 && offset >= 0 && offset + size <= (variadicBuffers[buffer]?.length ?? -1);
    if (isWithin || !isValid(valid, row)) continue;
    throw damaged(`row ${row} of column "${name}" is outside its buffers`);
  }
}

// Arrow would read values with an unknown time unit as undefined.
function checkUnit(name: string, type: DataType): void {
  const hasUnit =
    DataType.isTimestamp(type) || DataType.isTime(type) || DataType.isDuration(type) || DataType.isDate(type);
  if (hasUnit && /undefined/i.test(String(type)))
    throw damaged(`the type of column "${name}" has a unit that Arrow does not define`);
}
