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
import { pointsChecksum, textChecksum } from './checksum.js';
import { damagedStream, verifiedMessages } from './message-frames.js';
import { CHECKSUM_KEY, HEAD_KEY, ROWS_KEY, SERIES_KEY } from './point-stream.js';

/**
 * A point stream being read: its series are known at once, its batches come as they arrive, each found undamaged. A
 * batch stands in memory that the next one takes: what is to be kept of it is copied before (`copyColumns`).
 */
export interface DecodedPointStream {
  readonly series: readonly BlockSeries[];
  readonly batches: AsyncIterable<PointColumns>;
}

/**
 * Decodes a point stream as it arrives: message by message, each found undamaged before anything is built from it, for a
 * damaged length can make a reader loop or fill the memory. The batches end normally only when the stream was whole and undamaged.
 * @throws ContractError when the stream is cut short, damaged, or not a point stream
 */
export async function decodePointStream(
  bytes: ReadableStream<Uint8Array>,
  endpoint: string,
): Promise<DecodedPointStream> {
  const messages = verifiedMessages(bytes as AsyncIterable<Uint8Array>, endpoint);
  const { schema, seriesText, series } = await wrapFailure(endpoint, async () => {
    const first = await messages.next();
    if (first.done === true) throw damagedStream(endpoint, 'it is empty');
    const { schema } = RecordBatchReader.from([first.value]).open();
    const seriesText = schema?.metadata.get(SERIES_KEY);
    if (seriesText === undefined) throw damagedStream(endpoint, 'it does not say which series it holds');
    return { schema, seriesText, series: JSON.parse(seriesText) as BlockSeries[] };
  });
  const batches = recordBatches(messages, schema, endpoint);
  return { series, batches: checkedBatches(batches, endpoint, String(textChecksum(seriesText))) };
}

/**
 * Each message by itself, as soon as it is there: a reader of the whole stream asks for one message more before it gives
 * the one that it has, which a broken connection would lose.
 */
async function* recordBatches(
  messages: AsyncIterable<Uint8Array>,
  schema: Schema,
  endpoint: string,
): AsyncGenerator<RecordBatch, void, undefined> {
  const head = schemaMessage(new Schema(schema.fields));
  for await (const message of messages) {
    if (message.byteLength === END_OF_STREAM_BYTES) return;
    const read = await wrapFailure(endpoint, async () => [...RecordBatchReader.from([head, message])]);
    yield* read;
  }
}

const END_OF_STREAM_BYTES = 8;

function schemaMessage(schema: Schema): Uint8Array {
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  writer.finish();
  const stream = writer.toUint8Array(true);
  return stream.subarray(0, stream.byteLength - END_OF_STREAM_BYTES);
}

async function* checkedBatches(
  batches: AsyncIterable<RecordBatch>,
  endpoint: string,
  headChecksum: string,
): AsyncGenerator<PointColumns, void, undefined> {
  let rows = 0;
  let complete = false;
  for await (const batch of batches) {
    if (batch.metadata.has(ROWS_KEY)) {
      checkTrailer(batch, endpoint, { rows, headChecksum });
      complete = true;
      continue;
    }
    const columns = await wrapFailure(endpoint, async () =>
      checkedColumns(batch, endpoint, `${headChecksum} ${rows}`),
    );
    rows += columns.length;
    yield columns;
  }
  if (!complete) throw damagedStream(endpoint, `it was cut short after ${rows} points`);
}

function checkedColumns(batch: RecordBatch, endpoint: string, place: string): PointColumns {
  const columns = pointColumns(batch, endpoint);
  if (batch.metadata.get(CHECKSUM_KEY) !== String(pointsChecksum(columns)))
    throw damagedStream(endpoint, 'a batch does not fit its checksum');
  if (batch.metadata.get(HEAD_KEY) !== place)
    throw damagedStream(endpoint, 'its list of series does not fit its checksum, or a batch is missing');
  return columns;
}

function checkTrailer(
  batch: RecordBatch,
  endpoint: string,
  seen: { rows: number; headChecksum: string },
): void {
  const sameHead = batch.metadata.get(CHECKSUM_KEY) === seen.headChecksum;
  if (batch.metadata.get(ROWS_KEY) === String(seen.rows) && sameHead) return;
  throw damagedStream(
    endpoint,
    `it announced ${batch.metadata.get(ROWS_KEY)} points and brought ${seen.rows}`,
  );
}

function pointColumns(batch: RecordBatch, endpoint: string): PointColumns {
  const column = (name: string): Data => {
    const data = batch.getChild(name)?.data[0];
    if (data === undefined) throw damagedStream(endpoint, `the column ${name} is missing`);
    return data;
  };
  const valuesOf = <Values>({ values }: Data, Kind: new (length: number) => Values): Values => {
    if (values instanceof Kind && (values as { length: number }).length >= batch.numRows) return values;
    throw damagedStream(endpoint, 'a column is too short, or of another type');
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
    valueValid: validity(value),
    unit_id: valuesOf(column('unit_id'), Int32Array),
    reporting_date: times(reporting),
    reportingValid: validity(reporting),
    ...(available === undefined ? {} : { available_date: times(available) }),
    ...(metadata === null ? {} : { metadata: [...(metadata as Iterable<string | null>)] }),
  };
}

function validity(data: Data): Uint8Array | null {
  return data.nullCount === 0 || data.nullBitmap.byteLength === 0 ? null : data.nullBitmap;
}

async function wrapFailure<Result>(endpoint: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof CropframeError || isTransportFailure(error)
      ? error
      : damagedStream(endpoint, String(error), error);
  }
}

/** Aborts and broken connections are told by the transport in its own words. */
function isTransportFailure(error: unknown): boolean {
  return error instanceof DOMException || (error instanceof TypeError && error.message === 'terminated');
}
