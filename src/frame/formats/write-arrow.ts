import {
  AsyncByteQueue,
  type RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  type Schema,
} from 'apache-arrow';
import { oneOf } from '../../model/arguments/checks.js';
import { checkOptions } from '../../model/arguments/option-keys.js';
import { checkStream } from '../build/check-points.js';
import type { FrameStream } from '../build/long-stream.js';
import { isNested } from '../table/cells.js';

/**
 * The Arrow IPC file (default) or stream of a frame that arrives batch by batch, one piece of bytes per batch. Memory is
 * bounded by the batch. It has no checksum, because the schema is written before the values.
 * @example
 * ```ts
 * await writeFile(path, writeArrow(stream)); // of node:fs/promises
 * ```
 */
export async function* writeArrow(
  stream: FrameStream,
  options: {
    /** `'file'` by default. */
    format?: 'file' | 'stream' | undefined;
  } = {},
): AsyncGenerator<Uint8Array> {
  checkStream(stream, 'stream');
  checkOptions(options, { format: oneOf(['file', 'stream']) }, 'writeArrow');
  const pieces = new IpcPieces(stream.schema, options.format ?? 'file');
  for await (const batch of stream.batches) yield pieces.batch(batch);
  yield pieces.end();
}

/** Writes record batches as Arrow IPC and returns the bytes of each. */
class IpcPieces {
  readonly #sink = new PieceQueue();
  readonly #writer: RecordBatchFileWriter | RecordBatchStreamWriter;

  constructor(schema: Schema, format: 'file' | 'stream') {
    this.#writer = format === 'stream' ? new RecordBatchStreamWriter() : new RecordBatchFileWriter();
    this.#writer.reset(this.#sink, schema);
  }

  /** The bytes of one batch; those of the first include the schema. */
  batch(batch: RecordBatch): Uint8Array {
    this.#writer.write(batch);
    return joinBytes(this.#sink.take());
  }

  /** The bytes that end the file or stream. */
  end(): Uint8Array {
    this.#writer.finish();
    return joinBytes(this.#sink.take());
  }
}

/** A table as Arrow IPC. Arrow's own `tableToIPC` merges neighbouring columns that share a buffer and loses data. */
export function ipcBytes(
  table: { schema: Schema; batches: readonly RecordBatch[] },
  format: 'file' | 'stream',
): Uint8Array {
  const pieces = new IpcPieces(table.schema, format);
  // Arrow leaves the parts of nested columns out of a batch without rows, which no reader takes.
  const hasParts = table.schema.fields.some(({ type }) => isNested(type));
  const batches = hasParts ? table.batches.filter(({ numRows }) => numRows > 0) : table.batches;
  return joinBytes([...batches.map((batch) => pieces.batch(batch)), pieces.end()]);
}

function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.byteLength;
  }
  return joined;
}

/** A sink that keeps the written bytes until `take`. */
class PieceQueue extends AsyncByteQueue {
  #pieces: Uint8Array[] = [];

  override write(piece: Uint8Array): void {
    this.#pieces.push(piece);
  }

  take(): Uint8Array[] {
    const taken = this.#pieces;
    this.#pieces = [];
    return taken;
  }
}
