import { Schema, type Table } from 'apache-arrow';
import type * as ParquetWasm from 'parquet-wasm';
import { badArgument } from '../../../model/errors.js';
import { checkOptions } from '../../../model/schema/check.js';
import { withChecksum } from '../../table/checksum.js';
import { createTable, emptyRecordBatch } from '../../table/frame-table.js';
import type { FrameStream } from '../../table/frame-types.js';
import { frameMetadata, PROVENANCE_KEY } from '../../table/provenance.js';
import { ipcBytes } from '../arrow.js';
import { PARQUET_KEYS, type ParquetOptions } from '../frame-formats.js';
import { loadParquet, ROW_GROUP_ROWS, refuseTrap } from './parquet-module.js';
import { type Batches, castForParquet } from './parquet-types.js';

export async function toParquet(table: Table, options: ParquetOptions = {}): Promise<Uint8Array> {
  checkOptions(options, PARQUET_KEYS, 'toParquet');
  const { schema, batches } = castForParquet(table);
  const checked = withChecksum(createTable(schema, batches));
  return encode(checked, options);
}

async function encode(table: Table, options: ParquetOptions): Promise<Uint8Array> {
  const parquet = await loadParquet();
  try {
    const wasmTable = parquet.Table.fromIPCStream(ipcBytes(table, 'stream'));
    return parquet.writeParquet(wasmTable, writerProperties(parquet, table, options));
  } catch (cause) {
    refuseTrap(parquet, cause, { argument: 'table' });
    const { fields } = table.schema;
    if (fields.length > 1) for (const at of fields.keys()) await encode(table.selectAt([at]), options);
    const columns = fields.map(({ name, type }) => `"${name}" of type ${type}`).join(', ');
    const reason = cause instanceof WebAssembly.RuntimeError ? '' : `: ${String(cause)}`;
    const problem = `Parquet cannot represent column ${columns}${reason}; convert it, omit it with select, or write .arrow`;
    throw badArgument('table', problem, { cause });
  }
}

// The encoder consumes the properties, so they cannot be reused.
function writerProperties(
  parquet: typeof ParquetWasm,
  table: Pick<Table, 'schema'>,
  options: ParquetOptions,
): ParquetWasm.WriterProperties {
  const codec = { zstd: 'ZSTD', snappy: 'SNAPPY', none: 'UNCOMPRESSED' } as const;
  return new parquet.WriterPropertiesBuilder()
    .setCompression(parquet.Compression[codec[options.compression ?? 'zstd']])
    .setMaxRowGroupSize(options.row_group_rows ?? ROW_GROUP_ROWS)
    .setDictionaryEnabled(true)
    .setStatisticsEnabled(parquet.EnabledStatistics.Page)
    .setKeyValueMetadata(frameMetadata(table))
    .setCreatedBy('cropframe')
    .build();
}

/** Encodes a frame as Parquet as its batches arrive. There is no checksum, but the provenance has the full report. */
export async function* writeParquet(
  stream: FrameStream,
  options: ParquetOptions = {},
): AsyncGenerator<Uint8Array> {
  checkOptions(options, PARQUET_KEYS, 'writeParquet');
  const iterator = stream.batches[Symbol.asyncIterator]();
  const next = await iterator.next();
  // The encoder needs at least one batch.
  const first = castForParquet({
    schema: stream.schema,
    batches: [next.done ? emptyRecordBatch(stream.schema) : next.value],
  });
  const parquet = await loadParquet();
  let parts = intoWasm(parquet, first);
  // An error in the input would make the encoder unusable, so a failed input is closed and its error is thrown later.
  let failure = null as { error: unknown } | null;
  let isStopped = false;
  const input = new ReadableStream<ParquetWasm.RecordBatch>({
    async pull(controller) {
      try {
        if (parts.length === 0) {
          const next = isStopped ? null : await iterator.next();
          if (next === null || next.done) return controller.close();
          parts = intoWasm(parquet, castForParquet({ schema: stream.schema, batches: [next.value] }));
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
    const provenance = stream.schema.metadata.get(PROVENANCE_KEY);
    const isLate = lastProvenance !== undefined && provenance !== undefined;
    yield isLate ? withFooterText(last, provenance, JSON.stringify(lastProvenance())) : last;
  } finally {
    isStopped = true;
    await reader.cancel();
    await iterator.return?.();
  }
}

// Omits the schema metadata, which the file would otherwise contain twice.
function intoWasm(parquet: typeof ParquetWasm, { schema, batches }: Batches): ParquetWasm.RecordBatch[] {
  const table = parquet.Table.fromIPCStream(
    ipcBytes({ schema: new Schema(schema.fields), batches }, 'stream'),
  );
  const parts = table.recordBatches();
  table.free();
  return parts;
}

// A Parquet file ends with the 4-byte length of the footer and the 4-byte magic number.
const TAIL_BYTES = 8;

/**
 * Replaces a string in a Parquet footer, because part of the provenance is known only after the last batch. Returns
 * the bytes `end` unchanged if the footer is incomplete or does not contain the string.
 */
export function withFooterText(end: Uint8Array, text: string, replacement: string): Uint8Array {
  const lengthAt = end.byteLength - TAIL_BYTES;
  const footerAt = lengthAt - new DataView(end.buffer, end.byteOffset + lengthAt).getUint32(0, true);
  const [before, after] = [text, replacement].map(thriftString) as [Uint8Array, Uint8Array];
  const at = footerAt < 0 ? -1 : latin1(end).indexOf(latin1(before), footerAt);
  if (at < 0) return end;
  const changed = new Uint8Array(end.byteLength + after.byteLength - before.byteLength);
  changed.set(end.subarray(0, at));
  changed.set(after, at);
  changed.set(end.subarray(at + before.byteLength), at + after.byteLength);
  const view = new DataView(changed.buffer, changed.byteLength - TAIL_BYTES);
  view.setUint32(0, changed.byteLength - TAIL_BYTES - footerAt, true);
  return changed;
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

/** Encodes a string in Thrift's compact protocol: its length as a variable-length integer, then its bytes. */
function thriftString(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const length: number[] = [];
  for (let rest = bytes.byteLength; rest > 0 || length.length === 0; rest >>>= 7)
    length.push((rest & 127) | (rest > 127 ? 128 : 0));
  return Uint8Array.from([...length, ...bytes]);
}
