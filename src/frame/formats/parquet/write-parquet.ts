import { type RecordBatch, Schema } from 'apache-arrow';
import type * as ParquetWasm from 'parquet-wasm';
import { checkOptions } from '../../../model/arguments/option-keys.js';
import { checkStream } from '../../build/check-points.js';
import type { FrameStream } from '../../build/long-stream.js';
import { PROVENANCE_KEY } from '../../table/provenance.js';
import { emptyRecordBatch } from '../../table/record-batch.js';
import { ipcBytes } from '../ipc-pieces.js';
import { loadParquet, writerProperties } from './parquet.js';
import { withFooterText } from './parquet-footer.js';
import { PARQUET_KEYS, type ParquetOptions } from './parquet-options.js';

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
  const firstBatch = first.done ? emptyRecordBatch(stream.schema) : first.value;
  const input = new EncoderInput(parquet, firstBatch, iterator);
  const properties = writerProperties(parquet, stream, options);
  const written: ReadableStream<Uint8Array> = await parquet.transformParquetStream(input.stream, properties);
  const reader = written.getReader();
  let last: Uint8Array | null = null;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (input.failure !== null) throw input.failure.error;
      if (done) break;
      if (last !== null) yield last;
      last = value;
    }
    const { lastProvenance } = stream;
    if (last === null) return;
    yield lastProvenance ? withFooterText(last, PROVENANCE_KEY, JSON.stringify(lastProvenance())) : last;
  } finally {
    input.stop();
    await reader.cancel();
    await iterator.return?.();
  }
}

/** The input of the encoder, which needs at least one batch. */
class EncoderInput {
  readonly stream: ReadableStream<ParquetWasm.RecordBatch>;
  /** The error of the batches. The encoder only sees the end of its input: an error would leave it unusable. */
  failure: { error: unknown } | null = null;
  readonly #parquet: typeof ParquetWasm;
  readonly #rest: AsyncIterator<RecordBatch>;
  #isStopped = false;

  constructor(parquet: typeof ParquetWasm, first: RecordBatch, rest: AsyncIterator<RecordBatch>) {
    this.#parquet = parquet;
    this.#rest = rest;
    this.stream = new ReadableStream(
      {
        start: (controller) => this.#enqueue(controller, first),
        pull: (controller) => this.#pull(controller),
      },
      { highWaterMark: 1 },
    );
  }

  /** Ends the input. */
  stop(): void {
    this.#isStopped = true;
  }

  async #pull(controller: EncoderController): Promise<void> {
    try {
      const next = this.#isStopped ? null : await this.#rest.next();
      if (next === null || next.done) controller.close();
      else this.#enqueue(controller, next.value);
    } catch (error) {
      this.failure = { error };
      controller.close();
    }
  }

  #enqueue(controller: EncoderController, batch: RecordBatch): void {
    for (const part of intoWasm(this.#parquet, batch)) controller.enqueue(part);
  }
}

type EncoderController = ReadableStreamDefaultController<ParquetWasm.RecordBatch>;

/** Drops the metadata of the schema, which would be in the file twice. */
function intoWasm(parquet: typeof ParquetWasm, batch: RecordBatch): ParquetWasm.RecordBatch[] {
  const table = parquet.Table.fromIPCStream(
    ipcBytes({ schema: new Schema(batch.schema.fields), batches: [batch] }, 'stream'),
  );
  const batches = table.recordBatches();
  table.free();
  return batches;
}
