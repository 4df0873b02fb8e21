import {
  type Data,
  type RecordBatch,
  RecordBatchReader,
  RecordBatchStreamWriter,
  Schema,
} from 'apache-arrow';
import type { PointColumns } from '../../columns/point-columns.js';
import { CropframeError } from '../../model/errors.js';
import type { BlockSeries } from '../series-blocks.js';
import { pointsChecksum, pointsCrc32, textChecksum } from './checksum.js';
import { damagedStream } from './damaged-stream.js';
import { verifiedMessages } from './message-frames.js';
import { CHECKSUM_KEY, CRC32_KEY, HEAD_KEY, ROWS_KEY, SERIES_KEY } from './point-stream.js';

/**
 * A point stream while it is read: its series are known at once, its batches arrive later, each verified. A batch reuses
 * the memory of the one before it, so copy what must be kept (`copyColumns`).
 */
interface DecodedPointStream {
  readonly series: readonly BlockSeries[];
  readonly batches: AsyncIterable<PointColumns>;
}

/**
 * Decodes a point stream as it arrives. Each message is verified before it is used, because a damaged length can make an
 * Arrow reader loop or exhaust memory. The batches end normally only when the whole stream arrived undamaged.
 * @throws ContractError when the stream is truncated, damaged, or not a point stream
 */
export async function decodePointStream(
  bytes: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  endpoint: string,
): Promise<DecodedPointStream> {
  const messages = verifiedMessages(bytes as AsyncIterable<Uint8Array>, endpoint);
  const { schema, seriesText, series } = await wrapFailure(endpoint, async () => {
    const first = await messages.next();
    if (first.done === true) throw damagedStream(endpoint, 'it is empty');
    const { schema } = RecordBatchReader.from([first.value]).open();
    const seriesText = schema?.metadata.get(SERIES_KEY);
    if (seriesText === undefined) throw damagedStream(endpoint, 'it has no list of series');
    return { schema, seriesText, series: JSON.parse(seriesText) as BlockSeries[] };
  });
  const batches = recordBatches(messages, schema, endpoint);
  return { series, batches: verifiedBatches(batches, endpoint, String(textChecksum(seriesText))) };
}

/**
 * Reads each message by itself as soon as it arrives. A reader of the whole stream requests the next message before it
 * returns the current one, which would be lost when the connection breaks.
 */
async function* recordBatches(
  messages: AsyncIterable<Uint8Array>,
  schema: Schema,
  endpoint: string,
): AsyncGenerator<RecordBatch, void, undefined> {
  const head = encodeSchema(new Schema(schema.fields));
  for await (const message of messages) {
    if (message.byteLength === END_OF_STREAM_BYTES) return;
    const read = await wrapFailure(endpoint, async () => [...RecordBatchReader.from([head, message])]);
    yield* read;
  }
}

const END_OF_STREAM_BYTES = 8;

function encodeSchema(schema: Schema): Uint8Array {
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  writer.finish();
  const stream = writer.toUint8Array(true);
  return stream.subarray(0, stream.byteLength - END_OF_STREAM_BYTES);
}

async function* verifiedBatches(
  batches: AsyncIterable<RecordBatch>,
  endpoint: string,
  headChecksum: string,
): AsyncGenerator<PointColumns, void, undefined> {
  let rows = 0;
  let complete = false;
  for await (const batch of batches) {
    if (batch.metadata.has(ROWS_KEY)) {
      verifyTrailer(batch, endpoint, { rows, headChecksum });
      complete = true;
      continue;
    }
    const columns = await wrapFailure(endpoint, async () =>
      verifiedColumns(batch, endpoint, `${headChecksum} ${rows}`),
    );
    rows += columns.length;
    yield columns;
  }
  if (!complete) throw damagedStream(endpoint, `it is truncated after ${rows} points`);
}

function verifiedColumns(batch: RecordBatch, endpoint: string, position: string): PointColumns {
  const columns = pointColumns(batch, endpoint);
  const crc = batch.metadata.get(CRC32_KEY);
  const isIntact =
    crc === undefined
      ? batch.metadata.get(CHECKSUM_KEY) === String(pointsChecksum(columns))
      : crc === String(pointsCrc32(columns));
  if (!isIntact) throw damagedStream(endpoint, 'a batch does not match its checksum');
  if (batch.metadata.get(HEAD_KEY) !== position)
    throw damagedStream(endpoint, 'its list of series does not match its checksum, or a batch is missing');
  return columns;
}

function verifyTrailer(
  batch: RecordBatch,
  endpoint: string,
  seen: { rows: number; headChecksum: string },
): void {
  const sameHead = batch.metadata.get(CHECKSUM_KEY) === seen.headChecksum;
  if (batch.metadata.get(ROWS_KEY) === String(seen.rows) && sameHead) return;
  throw damagedStream(endpoint, `it has ${seen.rows} points instead of ${batch.metadata.get(ROWS_KEY)}`);
}

function pointColumns(batch: RecordBatch, endpoint: string): PointColumns {
  const column = (name: string): Data => {
    const data = batch.getChild(name)?.data[0];
    if (data === undefined) throw damagedStream(endpoint, `the column ${name} is missing`);
    return data;
  };
  const valuesOf = <Values>({ values }: Data, Kind: new (length: number) => Values): Values => {
    if (values instanceof Kind && (values as { length: number }).length >= batch.numRows) return values;
    throw damagedStream(endpoint, 'a column is too short, or has another type');
  };
  const times = (data: Data) => valuesOf(data, BigInt64Array);
  const available = batch.getChild('available_date')?.data[0];
  const metadata = batch.getChild('metadata');
  const value = column('value');
  const reporting = column('reporting_date');
  return {
    length: batch.numRows,
    series: valuesOf(column('series'), Uint32Array),
    start_date: times(column('start_date')),
    end_date: times(column('end_date')),
    value: valuesOf(value, Float64Array),
    value_valid: validity(value),
    unit_id: valuesOf(column('unit_id'), Int32Array),
    reporting_date: times(reporting),
    reporting_valid: validity(reporting),
    available_date: available && times(available),
    metadata: metadata === null ? undefined : [...(metadata as Iterable<string | null>)],
  };
}

function validity(data: Data): Uint8Array | null {
  return data.nullCount === 0 || data.nullBitmap.byteLength === 0 ? null : data.nullBitmap;
}

/** Turns what Arrow throws on a damaged stream into a ContractError. */
async function wrapFailure<Result>(endpoint: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof CropframeError || isTransportFailure(error)
      ? error
      : damagedStream(endpoint, String(error), error);
  }
}

/** Aborts and broken connections are reported by the transport. */
function isTransportFailure(error: unknown): boolean {
  return error instanceof DOMException || (error instanceof TypeError && error.message === 'terminated');
}
