import type { PackedPoints } from '../../columns/packed-points.js';
import { CropframeError } from '../../model/errors.js';
import { SERIES_KEY_FIELDS } from '../../model/series.js';
import type { BlockSeries } from '../series-blocks.js';
import { damagedStream } from '../stream/damaged-stream.js';
import { SERIES_KEY } from '../stream/point-stream.js';
import { BatchReader } from './batch-reader.js';
import { type FlatTable, HEADER_TYPES, keyValues, MESSAGE, SCHEMA } from './flatbuffer.js';
import { POINTS_KEY, type SeriesStreamHead, seriesStreamColumns } from './layout.js';
import { readColumns } from './read-columns.js';
import { readRuns } from './read-runs.js';
import { type SealedMessage, sealedMessages } from './sealed-messages.js';

/** A stream by series while it is read: its series are known at once, its points arrive later, verified. */
interface DecodedSeriesStream {
  readonly series: readonly BlockSeries[];
  /** Each list is in memory of its own. They end normally only when the whole stream arrived undamaged. */
  readonly batches: AsyncIterable<readonly PackedPoints[]>;
}

type Head = Pick<SeriesStreamHead, 'series' | 'withAvailableDate' | 'withMetadata'>;

/**
 * Decodes a stream by series as it arrives. Nothing of a message is used before it is complete and verified; nothing in
 * it can make the reader read out of bounds, loop, or take more memory than has arrived.
 * @throws ContractError when the stream is truncated, damaged, or not a stream by series
 */
export async function decodeSeriesStream(
  bytes: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  endpoint: string,
): Promise<DecodedSeriesStream> {
  const messages = sealedMessages(bytes as AsyncIterable<Uint8Array>, endpoint);
  const first = await messages.next();
  if (first.done === true) throw damagedStream(endpoint, 'it is empty');
  const head = checked(endpoint, () => readHead(first.value.message));
  return { series: head.series, batches: readBatches(messages, head, endpoint) };
}

async function* readBatches(
  messages: AsyncIterable<SealedMessage>,
  head: Head,
  endpoint: string,
): AsyncGenerator<readonly PackedPoints[], void, undefined> {
  let points = 0;
  let total: number | null = null;
  for await (const message of messages) {
    const runs = checked(endpoint, () => readBatch(message, head));
    if (total !== null) throw damagedStream(endpoint, 'it goes on after its end');
    for (const { length } of runs) points += length;
    if (runs.length > 0) yield runs;
    else total = checked(endpoint, () => readTotal(message.message));
  }
  if (total === null) throw damagedStream(endpoint, `it is truncated after ${points} points`);
  if (total !== points) throw damagedStream(endpoint, `it has ${points} points instead of ${total}`);
}

function readBatch({ message, body }: SealedMessage, head: Head): PackedPoints[] {
  if (message.byte(MESSAGE.headerType, 0) !== HEADER_TYPES.recordBatch)
    throw new RangeError('a message has no points');
  return readRuns(new BatchReader(message.table(MESSAGE.header), body), head);
}

function readTotal(message: FlatTable): number {
  return Number(keyValues(message, MESSAGE.metadata).get(POINTS_KEY));
}

/** The choices of columns, and the text of each. */
const CHOICES = [false, true].flatMap((withAvailableDate) =>
  [false, true].map((withMetadata) => {
    const choice = { withAvailableDate, withMetadata };
    return { ...choice, columns: JSON.stringify(seriesStreamColumns(choice)) };
  }),
);

function readHead(message: FlatTable): Head {
  if (message.byte(MESSAGE.headerType, 0) !== HEADER_TYPES.schema) throw new RangeError('it has no schema');
  const schema = message.table(MESSAGE.header);
  const columns = JSON.stringify(readColumns(schema));
  const choice = CHOICES.find((one) => one.columns === columns);
  if (choice === undefined) throw new RangeError('its columns are not those of a stream by series');
  return { ...choice, series: readSeries(keyValues(schema, SCHEMA.metadata).get(SERIES_KEY)) };
}

function readSeries(text: string | undefined): BlockSeries[] {
  const series: unknown = JSON.parse(text ?? 'null');
  const isSeries = (one: Partial<BlockSeries> | null) =>
    one !== null &&
    SERIES_KEY_FIELDS.every((id) => Number.isSafeInteger(one[id])) &&
    (one.unit_id === null || Number.isSafeInteger(one.unit_id));
  if (Array.isArray(series) && series.every(isSeries)) return series as BlockSeries[];
  throw new RangeError('it has no list of series');
}

/** Turns what the checks of a message throw into a ContractError. */
function checked<Result>(endpoint: string, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    throw error instanceof CropframeError
      ? error
      : damagedStream(endpoint, error instanceof Error ? error.message : String(error), error);
  }
}
