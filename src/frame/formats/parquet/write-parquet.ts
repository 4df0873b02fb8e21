import { type RecordBatch, Schema } from 'apache-arrow';
import type * as ParquetWasm from 'parquet-wasm';
import { checkOptions } from '../../../model/arguments/option-keys.js';
import { checkStream } from '../../build/check-points.js';
import type { FrameStream } from '../../build/long-stream.js';
import { emptyRecordBatch } from '../../table/frame-table.js';
import { PROVENANCE_KEY } from '../../table/provenance.js';
import { ipcBytes } from '../arrow.js';
import { PARQUET_KEYS, type ParquetOptions } from '../frame-formats.js';
import { loadParquet, writerProperties } from './parquet.js';

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
