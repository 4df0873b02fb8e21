import { DataType, Field, Schema, type Table, Timestamp, tableFromIPC } from 'apache-arrow';
import type * as ParquetWasm from 'parquet-wasm';
import { arrayOf, checkString, listOf, needed } from '../../../model/arguments/checks.js';
import { checkOptions } from '../../../model/arguments/option-keys.js';
import { badArgument, NetworkError } from '../../../model/errors.js';
import { mayHold, VALUE_BYTES } from '../../../model/growth.js';
import { checkStream } from '../../build/check-points.js';
import type { FrameStream } from '../../build/long.js';
import { withChecksum } from '../../table/checksum.js';
import { createFrame, createRecordBatch, emptyRecordBatch } from '../../table/frame-table.js';
import { frameMetadata, PROVENANCE_KEY } from '../../table/provenance.js';
import { ipcBytes } from '../arrow.js';
import { PARQUET_KEYS, type ParquetOptions } from '../frame-formats.js';
import { readIpc } from '../ipc/read-ipc.js';
import { type Footer, readFooter, withFooterText } from './footer.js';
import { type Batches, castForParquet } from './parquet-types.js';

/** Default size of a row group: readers skip whole groups by their statistics. */
const ROW_GROUP_ROWS = 131_072;

/**
 * A frame as a Parquet file: statistics for every column chunk and page, UTC timestamps, dictionary encoding, ZSTD. The
 * key-value metadata contains the frame's provenance and checksum.
 */
export async function toParquet(table: Table, options: ParquetOptions = {}): Promise<Uint8Array> {
  checkOptions(options, PARQUET_KEYS, 'toParquet');
  const { schema, batches } = castForParquet(table);
  const checked = withChecksum(createFrame(schema, batches));
  return encode(checked, options);
}

/** @throws ArgumentError that names the column that Parquet cannot hold */
async function encode(table: Table, options: ParquetOptions): Promise<Uint8Array> {
  const parquet = await loadParquet();
  try {
    const wasmTable = parquet.Table.fromIPCStream(ipcBytes(table, 'stream'));
    return parquet.writeParquet(wasmTable, writerProperties(parquet, table, options));
  } catch (cause) {
    refuseTrap(parquet, cause, { argument: 'table' });
    const { fields } = table.schema;
    if (fields.length > 1)
      for (const at of fields.keys()) await encode(emptyTable(new Schema([fields[at]!])), options);
    const columns = fields.map(({ name, type }) => `"${name}" of type ${type}`).join(', ');
    const reason = cause instanceof WebAssembly.RuntimeError ? '' : `: ${String(cause)}`;
    const problem = `Parquet cannot hold column ${columns}${reason}; convert it, leave it out with select, or write .arrow`;
    throw badArgument('table', problem, { cause });
  }
}

function emptyTable(schema: Schema): Table {
  return createFrame(schema, [emptyRecordBatch(schema)]);
}

/**
 * Reads a Parquet file, written by cropframe or other software.
 * @param options.columns the names of the columns to keep, in the order of the file; all by default
 * @throws ArgumentError when the bytes are not a Parquet file, are damaged, lack one of `columns`, or have intervals of
 * months, which the decoder drops
 */
export async function fromParquet(
  bytes: Uint8Array,
  options: {
    /** Names of the columns to keep, in the file's order; all by default. */
    columns?: readonly string[] | undefined;
  } = {},
): Promise<Table> {
  needed(arrayOf(Uint8Array))(bytes, 'bytes');
  checkOptions(options, { columns: listOf(checkString) }, 'fromParquet');
  const footer = readFooter(bytes);
  refuseGrowth(footer, bytes);
  const written = writtenSchema(footer);
  refuseOddIntegers(written);
  const table = withWrittenZones(await readWhole(bytes), written);
  const { schema, batches } = options.columns === undefined ? table : keepColumns(table, options.columns);
  if (!footer.texts.has(SCHEMA_KEY)) refuseIntervals(schema);
  return createFrame(schema, batches);
}

/** Reads every column: the decoder's option to skip columns crashes on damaged pages. */
async function readWhole(bytes: Uint8Array): Promise<Table> {
  const mayUse = Math.min(ALL_MEMORY, COPIES * mayHold(bytes.byteLength));
  const parquet = await loadReader(mayUse);
  try {
    const table = tableFromIPC(parquet.readParquet(bytes, { batchSize: ROW_GROUP_ROWS }).intoIPCStream());
    if (memoryOf(parquet) > ALL_MEMORY - mayUse + KEPT_BYTES) dropInstance();
    return table;
  } catch (cause) {
    refuseTrap(parquet, cause, { argument: 'bytes', mayUse, size: bytes.byteLength });
    throw badArgument('bytes', `cannot be read as Parquet: ${String(cause)}`, { cause });
  }
}

/** The metadata key of the Arrow schema, which some writers add to a file. */
const SCHEMA_KEY = 'ARROW:schema';

/** Returns the Arrow schema that a writer added to the file, if it did. */
function writtenSchema({ texts }: Footer): Schema | undefined {
  try {
    const text = new TextDecoder().decode(texts.get(SCHEMA_KEY));
    return readIpc(Uint8Array.from(atob(text), (char) => char.charCodeAt(0))).schema;
  } catch {
    return undefined;
  }
}

/** @throws ArgumentError for integers that Arrow does not have, such as 128-bit ones of Polars, which crash the decoder */
function refuseOddIntegers(written: Schema | undefined): void {
  const isOdd = ({ type }: Field): boolean =>
    (DataType.isInt(type) && ![8, 16, 32, 64].includes(type.bitWidth)) || (type.children ?? []).some(isOdd);
  const column = written?.fields.find(isOdd);
  if (column === undefined) return;
  const problem = `column "${column.name}" is ${column.type}, which Arrow does not support`;
  throw badArgument('bytes', `${problem}; write it as 64-bit integers, decimals or text`);
}

/** Restores the zones of times that the writer stored in seconds, because the decoder reads them as UTC. */
function withWrittenZones(table: Table, written: Schema | undefined): Table {
  const fields = table.schema.fields.map((field, at) => {
    const { name, type, nullable, metadata } = field;
    const own = written?.fields[at];
    if (own?.name !== name || !DataType.isTimestamp(own.type) || !DataType.isTimestamp(type)) return field;
    const { timezone } = own.type;
    if (!timezone || timezone === type.timezone) return field;
    return new Field(name, new Timestamp(type.unit, timezone), nullable, metadata);
  });
  if (fields.every((field, at) => field === table.schema.fields[at])) return table;
  const schema = new Schema(fields, table.schema.metadata);
  const batches = table.batches.map(({ data, numRows }) =>
    createRecordBatch(
      schema,
      data.children.map((child, at) => child.clone(fields[at]!.type)),
      numRows,
    ),
  );
  return createFrame(schema, batches);
}

/** The decoder reads the months of an interval as zero, unless the Arrow schema in the footer says otherwise. */
function refuseIntervals(schema: Schema): void {
  const interval = schema.fields.find(hasInterval);
  if (interval === undefined) return;
  throw badArgument(
    'bytes',
    `column "${interval.name}" is an INTERVAL of Parquet, whose months cannot be read; name the other columns in ` +
      '{ columns }, or write it as text',
  );
}

function hasInterval({ type }: Field): boolean {
  return DataType.isInterval(type) || (type.children ?? []).some(hasInterval);
}

/** @throws ArgumentError when a file states far more values than a file of its size can hold */
function refuseGrowth({ values }: Footer, { byteLength }: Uint8Array): void {
  if (values * VALUE_BYTES <= mayHold(byteLength)) return;
  const problem = `these ${byteLength} bytes of Parquet state that they hold ${values} values, which is too many`;
  throw badArgument('bytes', problem + TRUSTED);
}

const TRUSTED = '; write them as Arrow if you trust them';

const PAGE_BYTES = 2 ** 16;
/** WebAssembly has at most 4 GiB. */
const ALL_MEMORY = 2 ** 32;
/** While a file is decoded, its contents are in memory so many times. */
const COPIES = 4;
/** An instance that has grown beyond this is not kept: it never gives memory back. */
const KEPT_BYTES = 2 ** 29;

const memoryOf = (parquet: typeof ParquetWasm): number =>
  (parquet.wasmMemory() as WebAssembly.Memory).buffer.byteLength;

/**
 * Drops an instance that ended by a trap, with its memory, which it never gives back.
 * @throws ArgumentError when it had used half of all memory, or might not use all: it may have asked for the rest at once
 */
function refuseTrap(
  parquet: typeof ParquetWasm,
  cause: unknown,
  { argument, mayUse = ALL_MEMORY, size = 0 }: { argument: string; mayUse?: number; size?: number },
): void {
  if (!(cause instanceof WebAssembly.RuntimeError)) return;
  dropInstance();
  if (memoryOf(parquet) < ALL_MEMORY / 2) return;
  const reason =
    mayUse < ALL_MEMORY
      ? `these ${size} bytes of Parquet are damaged, or need more than ${mayUse} bytes of memory${TRUSTED}`
      : 'too large for Parquet in WebAssembly, which has 4 GiB of memory; use smaller files, or Arrow';
  throw badArgument(argument, `${reason}`, { cause });
}

function keepColumns(table: Table, columns: readonly string[]): Table {
  const names = table.schema.fields.map(({ name }) => name);
  const missing = columns.find((column) => !names.includes(column));
  if (missing !== undefined)
    throw badArgument('columns', `the file has no "${missing}"; it has ${names.join(', ')}`);
  return table.select(names.filter((name) => columns.includes(name)));
}

/** The WebAssembly of parquet-wasm: its address, its bytes, or the compiled module. */
export type ParquetModule = string | URL | Response | BufferSource | WebAssembly.Module;

let placed: ParquetModule | undefined;
let loaded: Promise<typeof ParquetWasm> | undefined;
let loadFresh: (() => typeof ParquetWasm) | undefined;

/** Says how another instance is made; a browser makes none, and keeps the failed one until the page is loaded again. */
export function loadParquetBy(load: () => typeof ParquetWasm): void {
  loadFresh = load;
}

/**
 * Says where a browser finds `parquet_wasm_bg.wasm` of parquet-wasm, before Parquet is first read or written. By
 * default it is next to the script: Vite puts it there, with other bundlers you copy it.
 * @example
 * ```ts
 * setParquetModule('/assets/parquet_wasm_bg.wasm');
 * ```
 */
export function setParquetModule(place: ParquetModule): void {
  placed = place;
  loaded = undefined;
}

/** The instance that reads files of some sizes, and the most memory that it may use. */
let reader: { readonly parquet: typeof ParquetWasm; readonly mayUse: number } | undefined;

/**
 * The instance that reads a file. Where others can be made, it gets no more memory than such a file may need: in every
 * encoding, few bytes repeat a text as often as you like.
 */
async function loadReader(mayUse: number): Promise<typeof ParquetWasm> {
  if (loadFresh === undefined || mayUse === ALL_MEMORY) return loadParquet();
  if (reader?.mayUse === mayUse) return reader.parquet;
  const parquet = loadFresh();
  const memory = parquet.wasmMemory() as WebAssembly.Memory;
  try {
    // Pages that nobody touches use up addresses, and no memory.
    memory.grow(Math.floor((ALL_MEMORY - memory.buffer.byteLength - mayUse) / PAGE_BYTES));
  } catch {
    // A system that counts untouched pages as used refuses them, as it refuses a file that needs too many.
  }
  reader = { parquet, mayUse };
  return parquet;
}

/** The next use makes another instance, where that can be made. */
function dropInstance(): void {
  if (loadFresh === undefined) return;
  reader = undefined;
  loaded = undefined;
}

/** Loads the Parquet module on first use. One that failed is loaded again. */
export function loadParquet(): Promise<typeof ParquetWasm> {
  loaded ??= startParquet().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

const NOT_LOADED =
  'parquet-wasm cannot be loaded; say by setParquetModule where its parquet_wasm_bg.wasm is: ';

/** Node's form of the module is ready when it is loaded; that of browsers is started. */
async function startParquet(): Promise<typeof ParquetWasm> {
  if (loadFresh !== undefined) return loadFresh();
  const parquet = await import('parquet-wasm');
  const { default: start } = parquet as { default?: unknown };
  if (typeof start !== 'function') return parquet;
  try {
    await start(placed === undefined ? undefined : { module_or_path: placed });
  } catch (cause) {
    throw new NetworkError(NOT_LOADED + String(cause), { cause });
  }
  return parquet;
}

/** The properties of one file; the encoder consumes them. */
function writerProperties(
  parquet: typeof ParquetWasm,
  table: Pick<Table, 'schema'>,
  options: ParquetOptions,
): ParquetWasm.WriterProperties {
  const codec = { zstd: 'ZSTD', snappy: 'SNAPPY', none: 'UNCOMPRESSED' } as const;
  return new parquet.WriterPropertiesBuilder()
    .setCompression(parquet.Compression[codec[options.compression ?? 'zstd']])
    .setMaxRowGroupSize(options.rowGroupRows ?? ROW_GROUP_ROWS)
    .setDictionaryEnabled(true)
    .setStatisticsEnabled(parquet.EnabledStatistics.Page)
    .setKeyValueMetadata(frameMetadata(table))
    .setCreatedBy('cropframe')
    .build();
}

/**
 * The Parquet file of a frame that arrives batch by batch, in pieces of bytes. Memory is bounded by the batch and the row
 * group. The file is like that of `toParquet` but without a checksum; its provenance has the complete report.
 * @example
 * ```ts
 * await writeFile(path, writeParquet(stream)); // of node:fs/promises
 * ```
 */
export async function* writeParquet(
  stream: FrameStream,
  options: ParquetOptions = {},
): AsyncGenerator<Uint8Array> {
  checkStream(stream, 'stream');
  checkOptions(options, PARQUET_KEYS, 'writeParquet');
  const iterator = stream.batches[Symbol.asyncIterator]();
  const next = await iterator.next();
  // The encoder needs at least one batch.
  const first = castForParquet({
    schema: stream.schema,
    batches: [next.done ? emptyRecordBatch(stream.schema) : next.value],
  });
  // A type that the encoder does not take is refused here: it would end the stream without an error.
  await encode(emptyTable(first.schema), options);
  const parquet = await loadParquet();
  let parts = intoWasm(parquet, first);
  // The encoder only sees the end of its input: an error of the batches would leave it unusable.
  let failure = null as { error: unknown } | null;
  let isStopped = false;
  const input = new ReadableStream<ParquetWasm.RecordBatch>({
    async pull(controller) {
      try {
        if (parts.length === 0) {
          const next = isStopped ? null : await iterator.next();
          if (next === null || next.done) return controller.close();
          const cast = castForParquet({ schema: stream.schema, batches: [next.value] });
          refuseOtherTypes(first.schema, cast.schema);
          parts = intoWasm(parquet, cast);
        }
        for (const part of parts.splice(0)) controller.enqueue(part);
      } catch (error) {
        failure = { error };
        controller.close();
      }
    },
  });
  const properties = writerProperties(parquet, stream, options);
  const written: ReadableStream<Uint8Array> = await parquet.transformParquetStream(input, properties);
  const reader = written.getReader();
  let last: Uint8Array | null = null;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (failure !== null) throw failure.error;
      if (done) break;
      if (last !== null) yield last;
      last = value;
    }
    const { lastProvenance } = stream;
    if (last === null) return;
    yield lastProvenance ? withFooterText(last, PROVENANCE_KEY, JSON.stringify(lastProvenance())) : last;
  } finally {
    isStopped = true;
    await reader.cancel();
    await iterator.return?.();
  }
}

/** @throws ArgumentError when dates in a later batch have a time of day and those of the first one do not */
function refuseOtherTypes(first: Schema, later: Schema): void {
  const other = later.fields.find(({ type }, at) => String(type) !== String(first.fields[at]!.type));
  if (other === undefined) return;
  throw badArgument(
    'stream',
    `column "${other.name}" has dates with a time of day after dates without; write timestamps`,
  );
}

/** Drops the metadata of the schema, which would be in the file twice. */
function intoWasm(parquet: typeof ParquetWasm, { schema, batches }: Batches): ParquetWasm.RecordBatch[] {
  const table = parquet.Table.fromIPCStream(
    ipcBytes({ schema: new Schema(schema.fields), batches }, 'stream'),
  );
  const parts = table.recordBatches();
  table.free();
  return parts;
}
