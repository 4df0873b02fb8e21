import { DataType, type Field, type RecordBatch, Schema, type Table, tableFromIPC } from 'apache-arrow';
import type * as ParquetWasm from 'parquet-wasm';
import { arrayOf, checkString, listOf, needed } from '../../../model/arguments/checks.js';
import { checkOptions } from '../../../model/arguments/option-keys.js';
import { ArgumentError, badArgument, NetworkError } from '../../../model/errors.js';
import { mayHold, VALUE_BYTES } from '../../../model/growth.js';
import { checkStream } from '../../build/check-points.js';
import type { FrameStream } from '../../build/long.js';
import { withChecksum } from '../../table/checksum.js';
import { createFrame, emptyRecordBatch } from '../../table/frame-table.js';
import { frameMetadata, PROVENANCE_KEY } from '../../table/provenance.js';
import { ipcBytes } from '../arrow.js';
import { PARQUET_KEYS, type ParquetOptions } from '../frame-formats.js';

/** Default size of a row group: readers skip whole groups by their statistics. */
const ROW_GROUP_ROWS = 131_072;

/**
 * A frame as a Parquet file: statistics for every column chunk and page, UTC timestamps, dictionary encoding, ZSTD. The
 * key-value metadata contains the frame's provenance and checksum.
 */
export async function toParquet(table: Table, options: ParquetOptions = {}): Promise<Uint8Array> {
  checkOptions(options, PARQUET_KEYS, 'toParquet');
  const parquet = await loadParquet();
  const checked = withChecksum(table);
  try {
    const wasmTable = parquet.Table.fromIPCStream(ipcBytes(checked, 'stream'));
    return parquet.writeParquet(wasmTable, writerProperties(parquet, checked, options));
  } catch (cause) {
    refuseTrap(parquet, cause, { argument: 'table' });
    const types = table.schema.fields.map(({ name, type }) => `${name}: ${type}`).join(', ');
    const problem = `Parquet cannot hold these columns (${types}): ${String(cause)}; convert or leave out the one named`;
    throw badArgument('table', problem, { cause });
  }
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
  const table = await readWhole(bytes);
  const { schema, batches } = options.columns === undefined ? table : keepColumns(table, options.columns);
  refuseIntervals(schema, bytes);
  return createFrame(schema, batches);
}

/** Reads every column: the decoder's option to skip columns crashes on damaged pages. */
async function readWhole(bytes: Uint8Array): Promise<Table> {
  const mayUse = Math.min(ALL_MEMORY, COPIES * mayHold(bytes.byteLength));
  const parquet = await loadReader(mayUse);
  try {
    await refuseGrowth(parquet, bytes);
    const table = tableFromIPC(parquet.readParquet(bytes, { batchSize: ROW_GROUP_ROWS }).intoIPCStream());
    if (memoryOf(parquet) > ALL_MEMORY - mayUse + KEPT_BYTES) dropInstance();
    return table;
  } catch (cause) {
    if (cause instanceof ArgumentError) throw cause;
    refuseTrap(parquet, cause, { argument: 'bytes', mayUse, size: bytes.byteLength });
    throw badArgument('bytes', `cannot be read as Parquet: ${String(cause)}`, { cause });
  }
}

/** The decoder reads the months of an interval as zero, unless the Arrow schema in the footer says otherwise. */
function refuseIntervals(schema: Schema, bytes: Uint8Array): void {
  const interval = schema.fields.find(hasInterval);
  if (interval === undefined || footerText(bytes).includes('ARROW:schema')) return;
  throw badArgument(
    'bytes',
    `column "${interval.name}" is an INTERVAL of Parquet, whose months cannot be read; name the other columns in ` +
      '{ columns }, or write it as text',
  );
}

function hasInterval({ type }: Field): boolean {
  return DataType.isInterval(type) || (type.children ?? []).some(hasInterval);
}

function footerText(bytes: Uint8Array): string {
  const end = bytes.length - 8;
  const length = new DataView(bytes.buffer, bytes.byteOffset + end, 4).getUint32(0, true);
  return new TextDecoder('latin1').decode(bytes.subarray(end - length, end));
}

/**
 * @throws ArgumentError when a file states far more values than one of its size holds; the error of the decoder for
 * others
 */
async function refuseGrowth(parquet: typeof ParquetWasm, bytes: Uint8Array): Promise<void> {
  const file = await parquet.ParquetFile.fromFile(new Blob([bytes as BlobPart]));
  const groups = file.metadata().rowGroups();
  const values = groups.reduce((sum, group) => sum + group.numRows() * group.numColumns(), 0);
  file.free();
  if (values * VALUE_BYTES <= mayHold(bytes.byteLength)) return;
  const problem = `these ${bytes.byteLength} bytes of Parquet state that they hold ${values} values, which is too many`;
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
  const parquet = await loadParquet();
  const iterator = stream.batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  // The encoder needs at least one batch.
  let parts = intoWasm(parquet, first.done ? emptyRecordBatch(stream.schema) : first.value);
  // The encoder only sees the end of its input: an error of the batches would leave it unusable.
  let failure = null as { error: unknown } | null;
  let isStopped = false;
  const input = new ReadableStream<ParquetWasm.RecordBatch>({
    async pull(controller) {
      try {
        if (parts.length === 0) {
          const next = isStopped ? null : await iterator.next();
          if (next === null || next.done) return controller.close();
          parts = intoWasm(parquet, next.value);
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

/** Drops the metadata of the schema, which would be in the file twice. */
function intoWasm(parquet: typeof ParquetWasm, batch: RecordBatch): ParquetWasm.RecordBatch[] {
  const table = parquet.Table.fromIPCStream(
    ipcBytes({ schema: new Schema(batch.schema.fields), batches: [batch] }, 'stream'),
  );
  const batches = table.recordBatches();
  table.free();
  return batches;
}

const MAGIC_BYTES = 4;
const LENGTH_BYTES = 4;

/** The header of a text field in Thrift's compact protocol: field id one above the previous, type "binary". */
const TEXT_FIELD = 0x18;

const encoder = new TextEncoder();

/**
 * The end of a Parquet file with another text for a key of its key-value metadata. The metadata is in the footer, which
 * is written last, so it can contain facts that are known only then. Returns `end` unchanged when it does not contain
 * the whole footer, or the footer lacks the key.
 */
export function withFooterText(end: Uint8Array, key: string, text: string): Uint8Array {
  const view = new DataView(end.buffer, end.byteOffset, end.byteLength);
  const lengthAt = end.byteLength - MAGIC_BYTES - LENGTH_BYTES;
  const footerAt = lengthAt < 0 ? -1 : lengthAt - view.getUint32(lengthAt, true);
  const range = footerAt < 0 ? null : findText(end, footerAt, key);
  if (range === null) return end;
  const value = textBytes(text);
  const changed = new Uint8Array(end.byteLength - (range.to - range.from) + value.byteLength);
  changed.set(end.subarray(0, range.from));
  changed.set(value, range.from);
  changed.set(end.subarray(range.to), range.from + value.byteLength);
  const newLengthAt = changed.byteLength - MAGIC_BYTES - LENGTH_BYTES;
  new DataView(changed.buffer).setUint32(newLengthAt, newLengthAt - footerAt, true);
  return changed;
}

/** The range of the value of a key, including the length before it. */
function findText(bytes: Uint8Array, from: number, key: string): { from: number; to: number } | null {
  const wanted = Uint8Array.of(TEXT_FIELD, ...textBytes(key), TEXT_FIELD);
  for (let at = from; at <= bytes.byteLength - wanted.byteLength; at++) {
    if (!wanted.every((byte, i) => bytes[at + i] === byte)) continue;
    const valueAt = at + wanted.byteLength;
    const { value, next } = readVarint(bytes, valueAt);
    return { from: valueAt, to: next + value };
  }
  return null;
}

/** UTF-8 after its length. */
function textBytes(text: string): Uint8Array {
  const bytes = encoder.encode(text);
  const length: number[] = [];
  for (let rest = bytes.byteLength; rest > 0 || length.length === 0; rest = Math.floor(rest / 128))
    length.push((rest % 128) + (rest >= 128 ? 128 : 0));
  const whole = new Uint8Array(length.length + bytes.byteLength);
  whole.set(length);
  whole.set(bytes, length.length);
  return whole;
}

function readVarint(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  let next = at;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[next++]!;
    value += (byte & 0x7f) * scale;
    if (byte < 128) return { value, next };
  }
}
