import {
  AsyncByteQueue,
  type DataType,
  Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMillisecond,
  Uint32,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { joinChunks } from '../../columns/byte-chunks.js';
import { type PackedPoints, unpackPoints } from '../../columns/packed-points.js';
import { availableRows, type PointColumns, unitRows } from '../../columns/point-columns.js';
import type { BlockSeries } from '../series-blocks.js';
import { ARROW_SERIES } from '../wire-names.js';
import { cutLists } from './run-frames.js';

/** The header of an Arrow IPC stream with one row per point. */
export interface ArrowHead {
  /** All requested series, including those without points. The schema's metadata contains this list as JSON. */
  readonly series: readonly BlockSeries[];
  readonly withAvailableDate: boolean;
  readonly withMetadata: boolean;
}

/** Encodes points as they arrive, in record batches of limited size. Each batch is encoded only when it is consumed. */
export async function* encodeArrow(
  head: ArrowHead,
  lists: AsyncIterable<readonly PackedPoints[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const schema = schemaOf(head);
  const sink = new ByteCollector();
  const writer = new RecordBatchStreamWriter();
  writer.reset(sink, schema);
  for await (const runs of cutLists(lists)) {
    writer.write(recordBatch(schema, unpackPoints(runs)));
    yield sink.take();
  }
  writer.finish();
  yield sink.take();
}

/** Collects and joins the pieces that the Arrow writer emits, because most pieces are only a few bytes long. */
class ByteCollector extends AsyncByteQueue {
  #chunks: Uint8Array[] = [];

  override write(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  take(): Uint8Array {
    const chunks = this.#chunks;
    this.#chunks = [];
    return joinChunks(chunks);
  }
}

const utcTime = (): TimestampMillisecond => new TimestampMillisecond('UTC');

function schemaOf(head: ArrowHead): Schema {
  const fields: Field<DataType>[] = [
    new Field('series', new Uint32(), false),
    new Field('start_date', utcTime(), false),
    new Field('end_date', utcTime(), false),
    new Field('value', new Float64(), true),
    new Field('unit_id', new Int32(), true),
    new Field('reporting_date', utcTime(), true),
  ];
  if (head.withAvailableDate) fields.push(new Field('available_date', utcTime(), true));
  if (head.withMetadata) fields.push(new Field('metadata', new Utf8(), true));
  return new Schema(fields, new Map([[ARROW_SERIES, JSON.stringify(head.series)]]));
}

/** Builds a record batch. An optional column in the schema is filled with nulls if the points do not have it. */
function recordBatch(schema: Schema, columns: PointColumns): RecordBatch {
  const { length, unit_id } = columns;
  const times = (data: BigInt64Array, nullBitmap: Uint8Array | null) =>
    makeData({ type: utcTime(), length, data, nullBitmap });
  const children = [
    makeData({ type: new Uint32(), length, nullCount: 0, data: columns.series }),
    times(columns.start_date, null),
    times(columns.end_date, null),
    makeData({ type: new Float64(), length, data: columns.value, nullBitmap: columns.value_valid }),
    makeData({ type: new Int32(), length, data: unit_id, nullBitmap: unitRows(unit_id, length) }),
    times(columns.reporting_date, columns.reporting_valid),
  ];
  if (schema.fields.some((field) => field.name === 'available_date')) {
    const available = columns.available_date ?? new BigInt64Array(length);
    children.push(times(available, availableRows(available, length)));
  }
  if (schema.fields.some((field) => field.name === 'metadata')) {
    const remarks = columns.metadata ?? new Array<null>(length).fill(null);
    children.push(vectorFromArray(remarks, new Utf8()).data[0]! as never);
  }
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length, nullCount: 0, children: children as never }));
}
