import {
  AsyncByteQueue,
  type Data,
  Field,
  type RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Schema,
  type Table,
  Vector,
} from 'apache-arrow';
import { joinChunks } from '../../columns/byte-chunks.js';
import { isNested } from '../table/cells.js';
import { withChecksum } from '../table/checksum.js';
import { createRecordBatch, createTable } from '../table/frame-table.js';
import type { FrameStream } from '../table/frame-types.js';
import { oneChunk } from '../table/take-rows.js';

export function toArrowFile(table: Table): Uint8Array {
  return ipcBytes(withChecksum(withOneDictionary(table)), 'file');
}

/** Merges each column's dictionaries across batches, because an Arrow file has only one dictionary per column. */
function withOneDictionary(table: Table): Table {
  const dictionariesOf = ({ dictionary, children }: Data): unknown[] => [
    dictionary,
    ...children.flatMap(dictionariesOf),
  ];
  const [first, ...others] = table.batches
    .filter(({ numRows }) => numRows > 0)
    .map(({ data }) => dictionariesOf(data));
  if (others.every((dictionaries) => dictionaries.every((each, at) => each === first![at]))) return table;
  const chunks = table.schema.fields.map((_, at) => oneChunk(table.getChildAt(at)!));
  const fields = table.schema.fields.map(
    ({ name, nullable, metadata }, at) => new Field(name, chunks[at]!.type, nullable, metadata),
  );
  const schema = new Schema(fields, table.schema.metadata);
  return createTable(schema, [createRecordBatch(schema, chunks, table.numRows)]);
}

export function toArrowStream(table: Table): Uint8Array {
  return ipcBytes(withChecksum(table), 'stream');
}

/**
 * Encodes a frame as Arrow IPC as its batches arrive. The result has no checksum, because the schema, with its
 * metadata, is written before the values.
 */
export async function* writeArrow(
  stream: FrameStream,
  options: {
    format?: 'file' | 'stream' | undefined;
  } = {},
): AsyncGenerator<Uint8Array> {
  const pieces = new IpcPieces(stream.schema, options.format ?? 'file');
  for await (const batch of stream.batches) yield pieces.batch(batch);
  yield pieces.end();
}

class IpcPieces {
  readonly #sink = new PieceQueue();
  readonly #writer: RecordBatchFileWriter | RecordBatchStreamWriter;

  constructor(schema: Schema, format: 'file' | 'stream') {
    this.#writer = format === 'stream' ? new RecordBatchStreamWriter() : new RecordBatchFileWriter();
    this.#writer.reset(this.#sink, schema);
  }

  batch(batch: RecordBatch): Uint8Array {
    const { children } = batch.data;
    const parts = children.map((part) => (part.length === 0 ? part : oneChunk(new Vector([part]))));
    this.#writer.write(createRecordBatch(batch.schema, parts, batch.numRows));
    return joinChunks(this.#sink.take());
  }

  end(): Uint8Array {
    this.#writer.finish();
    return joinChunks(this.#sink.take());
  }
}

/** Encodes a table as Arrow IPC. Arrow's own `tableToIPC` loses data, because it merges columns that share a buffer. */
export function ipcBytes(
  table: { schema: Schema; batches: readonly RecordBatch[] },
  format: 'file' | 'stream',
): Uint8Array {
  const pieces = new IpcPieces(table.schema, format);
  // Empty batches are dropped. Arrow omits the children of their nested columns, so other readers reject them. In a
  // file, their dictionaries would also have to match those of the other batches.
  const filled = table.batches.filter(({ numRows }) => numRows > 0);
  const hasParts = table.schema.fields.some(({ type }) => isNested(type));
  const batches = hasParts || filled.length > 0 ? filled : table.batches.slice(0, 1);
  return joinChunks([...batches.map((batch) => pieces.batch(batch)), pieces.end()]);
}

class PieceQueue extends AsyncByteQueue {
  take(): Uint8Array[] {
    return this._values.splice(0);
  }
}
