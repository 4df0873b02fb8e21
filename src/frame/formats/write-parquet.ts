import { RecordBatch, Schema } from 'apache-arrow';
import type * as ParquetWasm from 'parquet-wasm';
import type { FrameStream } from '../build/long-stream.js';
import { PROVENANCE_KEY } from '../table/provenance.js';
import { ipcBytes } from './ipc-pieces.js';
import { loadParquet, type ParquetOptions, writerProperties } from './parquet.js';
import { withFooterText } from './parquet-footer.js';

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
  const parquet = await loadParquet();
  const iterator = stream.batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  const source = wasmBatches(parquet, first.done ? new RecordBatch(stream.schema) : first.value, iterator);
  const properties = writerProperties(parquet, stream, options);
  const written: ReadableStream<Uint8Array> = await parquet.transformParquetStream(source.stream, properties);
  const reader = written.getReader();
  let last: Uint8Array | null = null;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (source.failure !== null) throw source.failure.error;
      if (done) break;
      if (last !== null) yield last;
      last = value;
    }
    const { lastProvenance } = stream;
    if (last === null) return;
    yield lastProvenance ? withFooterText(last, PROVENANCE_KEY, JSON.stringify(lastProvenance())) : last;
  } finally {
    source.stop();
    await reader.cancel();
    await iterator.return?.();
  }
}

interface WasmSource {
  stream: ReadableStream<ParquetWasm.RecordBatch>;
  /** The error of the batches. The encoder only sees the end of its input: an error would leave it unusable. */
  failure: { error: unknown } | null;
  /** Ends the input of the encoder. */
  stop(): void;
}

/** The input of the encoder, which needs at least one batch. */
function wasmBatches(
  parquet: typeof ParquetWasm,
  first: RecordBatch,
  rest: AsyncIterator<RecordBatch>,
): WasmSource {
  let stopped = false;
  const nextBatch = async () => {
    if (stopped) return null;
    const next = await rest.next();
    return next.done ? null : next.value;
  };
  const source: WasmSource = {
    failure: null,
    stream: new ReadableStream<ParquetWasm.RecordBatch>(
      {
        start(controller) {
          for (const batch of intoWasm(parquet, first)) controller.enqueue(batch);
        },
        async pull(controller) {
          try {
            const batch = await nextBatch();
            if (batch === null) controller.close();
            else for (const part of intoWasm(parquet, batch)) controller.enqueue(part);
          } catch (error) {
            source.failure = { error };
            controller.close();
          }
        },
      },
      { highWaterMark: 1 },
    ),
    stop() {
      stopped = true;
    },
  };
  return source;
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
