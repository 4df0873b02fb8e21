import { type Table, tableFromIPC } from 'apache-arrow';
import type * as ParquetWasm from 'parquet-wasm';
import { ArgumentError } from '../../model/errors.js';
import { withChecksum } from '../table/checksum.js';
import { createFrame } from '../table/frame-table.js';
import { frameMetadata } from '../table/provenance.js';
import { ipcBytes } from './ipc-pieces.js';

/** Rows of a row group unless told otherwise: readers skip whole groups by their statistics. */
const ROW_GROUP_ROWS = 131_072;

/** How a Parquet file is written. */
export interface ParquetOptions {
  /** Default `'zstd'`. */
  compression?: 'zstd' | 'snappy' | 'none' | undefined;
  /** Rows in a row group (default 131,072). */
  rowGroupRows?: number | undefined;
}

/**
 * A Parquet file: statistics in every column chunk and page, UTC timestamps, dictionary encoding, ZSTD; the frame's
 * provenance and checksum stand in the file's key-value metadata.
 */
export async function toParquet(table: Table, options: ParquetOptions = {}): Promise<Uint8Array> {
  const parquet = await loadParquet();
  const sealed = withChecksum(table);
  const wasmTable = parquet.Table.fromIPCStream(ipcBytes(sealed, 'stream'));
  return parquet.writeParquet(wasmTable, writerProperties(parquet, sealed, options));
}

/**
 * Reads a Parquet file, also one that other software wrote.
 * @param options.columns the names of the columns to keep, in the file's order; all when absent. The whole file is read:
 * the reader that would skip columns does not survive a damaged page
 * @throws ArgumentError when the bytes are no Parquet file, are damaged, or lack a column asked for
 */
export async function fromParquet(
  bytes: Uint8Array,
  options: {
    /** Names of the columns to keep, in the file's order; all by default. */
    columns?: readonly string[] | undefined;
  } = {},
): Promise<Table> {
  const parquet = await loadParquet();
  const table = readWhole(parquet, bytes);
  const { schema, batches } = options.columns === undefined ? table : keepColumns(table, options.columns);
  return createFrame(schema, batches);
}

function readWhole(parquet: typeof ParquetWasm, bytes: Uint8Array): Table {
  try {
    return tableFromIPC(parquet.readParquet(bytes, { batchSize: ROW_GROUP_ROWS }).intoIPCStream());
  } catch (cause) {
    throw new ArgumentError('bytes', `bytes: they cannot be read as Parquet: ${String(cause)}`, { cause });
  }
}

function keepColumns(table: Table, columns: readonly string[]): Table {
  const names = table.schema.fields.map(({ name }) => name);
  const missing = columns.find((column) => !names.includes(column));
  if (missing !== undefined)
    throw new ArgumentError('columns', `columns: the file has no "${missing}"; it has ${names.join(', ')}`);
  return table.select(names.filter((name) => columns.includes(name)));
}

/** The Parquet module, loaded when it is first needed. */
export function loadParquet(): Promise<typeof ParquetWasm> {
  return import('parquet-wasm');
}

/** How frames are written. The properties serve for one file. */
export function writerProperties(
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
