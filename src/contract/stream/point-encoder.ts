import {
  AsyncByteQueue,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  type Schema,
  Struct,
  Uint32,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { availableRows, type PointColumns, unitRows } from '../../columns/point-columns.js';
import { emptyPoints, sliceColumns } from '../../columns/point-rows.js';
import { byteLength, joinSmall } from './byte-chunks.js';
import { pointsChecksum, pointsCrc32, textChecksum } from './checksum.js';
import { addChecksum } from './message-frames.js';
import {
  CHECKSUM_KEY,
  CRC32_KEY,
  HEAD_KEY,
  type PointStreamHead,
  pointStreamSchema,
  ROWS_KEY,
  SERIES_KEY,
  utcTime,
} from './point-stream.js';

class ByteCollector extends AsyncByteQueue {
  #chunks: Uint8Array[] = [];

  override write(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  take(): Uint8Array[] {
    const taken = this.#chunks;
    this.#chunks = [];
    return taken;
  }
}

/** Encodes batches as they arrive, never ahead of the consumer. Column buffers are not copied. */
export async function* encodePointStream(
  head: PointStreamHead,
  batches: AsyncIterable<PointColumns>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const schema = pointStreamSchema(head);
  const headChecksum = String(textChecksum(schema.metadata.get(SERIES_KEY)!));
  const sink = new ByteCollector();
  const writer = new RecordBatchStreamWriter();
  writer.reset(sink, schema);
  let pending = addChecksum(sink.take());
  let rows = 0;
  for await (const given of splitBatches(batches)) {
    const columns = withOptionalColumns(given, head);
    const checksums = new Map([
      head.withCrc32 === true
        ? [CRC32_KEY, String(pointsCrc32(columns))]
        : [CHECKSUM_KEY, String(pointsChecksum(columns))],
      [HEAD_KEY, `${headChecksum} ${rows}`],
    ]);
    writer.write(recordBatch(schema, columns, checksums));
    rows += columns.length;
    pending.push(...addChecksum(sink.take()));
    if (byteLength(pending) < MIN_YIELD_BYTES) continue;
    yield* joinSmall(pending);
    pending = [];
  }
  writer.write(trailerBatch(schema, rows, headChecksum));
  pending.push(...addChecksum(sink.take()));
  writer.finish();
  yield* joinSmall([...pending, ...sink.take()]);
}

/** Messages are collected up to this size before they are yielded. */
const MIN_YIELD_BYTES = 262_144;

/** Rows of one message, about 1.5 MB: the most that a broken connection loses. */
const MAX_ROWS_PER_MESSAGE = 32_768;

async function* splitBatches(
  batches: AsyncIterable<PointColumns>,
): AsyncGenerator<PointColumns, void, undefined> {
  for await (const columns of batches) {
    if (columns.length <= MAX_ROWS_PER_MESSAGE) yield columns;
    else
      for (let from = 0; from < columns.length; from += MAX_ROWS_PER_MESSAGE)
        yield sliceColumns(columns, from, Math.min(columns.length, from + MAX_ROWS_PER_MESSAGE));
  }
}

/** The columns that other batches of the stream have, with nothing in them: checksums cover what is sent. */
function withOptionalColumns(columns: PointColumns, head: PointStreamHead): PointColumns {
  const { length, available_date, metadata } = columns;
  return {
    ...columns,
    available_date: head.withAvailableDate ? (available_date ?? new BigInt64Array(length)) : undefined,
    metadata: head.withMetadata ? (metadata ?? new Array<null>(length).fill(null)) : undefined,
  };
}

function recordBatch(schema: Schema, columns: PointColumns, metadata: Map<string, string>): RecordBatch {
  const { length } = columns;
  const times = (data: BigInt64Array, nullBitmap: Uint8Array | null) =>
    makeData({ type: utcTime(), length, data, nullBitmap });
  const children = [
    makeData({ type: new Uint32(), length, nullCount: 0, data: columns.series }),
    times(columns.start_date, null),
    times(columns.end_date, null),
    makeData({ type: new Float64(), length, data: columns.value, nullBitmap: columns.value_valid }),
    makeData({
      type: new Int32(),
      length,
      data: columns.unit_id,
      nullBitmap: unitRows(columns.unit_id, length),
    }),
    times(columns.reporting_date, columns.reporting_valid),
  ];
  if (schema.fields.some((field) => field.name === 'available_date')) {
    const available = columns.available_date!;
    children.push(times(available, availableRows(available, length)));
  }
  if (schema.fields.some((field) => field.name === 'metadata')) {
    children.push(vectorFromArray(columns.metadata!, new Utf8()).data[0]! as never);
  }
  const struct = makeData({
    type: new Struct(schema.fields),
    length,
    nullCount: 0,
    children: children as never,
  });
  return new RecordBatch(schema, struct, metadata);
}

function trailerBatch(schema: Schema, rows: number, headChecksum: string): RecordBatch {
  const trailer = new Map([
    [ROWS_KEY, String(rows)],
    [CHECKSUM_KEY, headChecksum],
  ]);
  const withAll = emptyPoints({ withAvailableDate: true, withMetadata: true });
  return recordBatch(schema, withAll, trailer);
}
