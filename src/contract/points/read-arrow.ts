import { type Data, type RecordBatch, RecordBatchReader } from 'apache-arrow';
import { type PackedPoints, packColumns } from '../../columns/packed-points.js';
import type { PointColumns } from '../../columns/point-columns.js';
import { CropframeError } from '../../model/errors.js';
import { readSeriesList } from '../series-blocks.js';
import { ARROW_SERIES } from '../wire-names.js';
import type { DecodedPoints } from './read-runs.js';
import { damagedStream } from './run-frames.js';

/**
 * Decodes an Arrow IPC stream with one row a point as it arrives, as other services send it.
 * @throws ContractError when the stream is truncated, or is not one of points
 */
export async function decodeArrow(
  bytes: AsyncIterable<Uint8Array>,
  endpoint: string,
): Promise<DecodedPoints> {
  const source = new WatchedBytes(bytes);
  const reader = await wrapFailure(source, endpoint, async () => {
    const opened = await RecordBatchReader.from(source);
    await opened.open();
    return opened;
  });
  const series = await wrapFailure(source, endpoint, () =>
    readSeriesList(reader.schema?.metadata.get(ARROW_SERIES)),
  );
  return { series, batches: readBatches(reader, source, endpoint) };
}

async function* readBatches(
  reader: RecordBatchReader,
  source: WatchedBytes,
  endpoint: string,
): AsyncGenerator<PackedPoints[], void, undefined> {
  try {
    for (;;) {
      const next = await wrapFailure(source, endpoint, () => reader.next());
      if (next.done === true) break;
      const batch = next.value;
      if (batch.numRows > 0)
        yield await wrapFailure(source, endpoint, () => packColumns(pointColumns(batch, endpoint)));
    }
    if (!source.hasEnded) throw damagedStream(endpoint, 'it is truncated');
  } finally {
    await source.close();
  }
}

/** The bytes of a stream as they pass, and how they ended, which a reader does not tell. */
class WatchedBytes implements AsyncIterable<Uint8Array> {
  /** The error that ended them. */
  failure: unknown = null;
  readonly #passing: AsyncGenerator<Uint8Array, void, undefined>;
  #tail: number[] = [];

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#passing = this.#pass(bytes);
  }

  /** Whether the mark of the stream's end has arrived: a stream can be cut between two messages. */
  get hasEnded(): boolean {
    return this.#tail.join() === END_OF_STREAM;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#passing;
  }

  async close(): Promise<void> {
    await this.#passing.return();
  }

  async *#pass(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of bytes) {
        this.#tail = [...this.#tail, ...chunk.subarray(-8)].slice(-8);
        yield chunk;
      }
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

/** A continuation marker, and no length. */
const END_OF_STREAM = '255,255,255,255,0,0,0,0';

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

/** Turns Arrow's errors on a damaged stream into a ContractError. Errors of the connection stay as they are. */
async function wrapFailure<Result>(
  source: WatchedBytes,
  endpoint: string,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof CropframeError
      ? error
      : (source.failure ?? damagedStream(endpoint, String(error), error));
  }
}
