import { bitmapBytes } from '../../columns/bitmap.js';
import type { PackedPoints } from '../../columns/packed-points.js';
import type { SeriesDates } from '../../columns/series-dates.js';
import { CropframeError } from '../../model/errors.js';
import { DAY_MS } from '../../model/time.js';
import { type BlockSeries, readSeriesList } from '../series-blocks.js';
import {
  ARRAYS,
  damagedStream,
  padded,
  RECORD,
  RECORD_LENGTH,
  type RunFrame,
  readFrames,
} from './run-frames.js';

/** A response that is still being read. Its series are known at once; its points arrive later. */
export interface DecodedPoints {
  readonly series: readonly BlockSeries[];
  /** Yields lists of runs, each with its own memory. Ends without an error only if the response is complete. */
  readonly batches: AsyncIterable<readonly PackedPoints[]>;
}

/**
 * Decodes the private format as it arrives.
 * @throws ContractError when the response is truncated or in another format
 */
export async function decodeRuns(bytes: AsyncIterable<Uint8Array>, endpoint: string): Promise<DecodedPoints> {
  const frames = readFrames(bytes, endpoint);
  const first = await frames.next();
  if (first.done === true) throw damagedStream(endpoint, 'it is empty');
  const series = checked(endpoint, () => readSeriesList(new TextDecoder().decode(first.value.body)));
  return { series, batches: readBatches(frames, endpoint) };
}

async function* readBatches(
  frames: AsyncIterable<RunFrame>,
  endpoint: string,
): AsyncGenerator<readonly PackedPoints[], void, undefined> {
  let points = 0;
  for await (const { runs, body } of frames) {
    if (runs === 0) {
      const total = body.byteLength === 8 ? new Float64Array(body.buffer)[0] : undefined;
      if (total !== points) throw damagedStream(endpoint, `it has ${points} points instead of ${total}`);
      continue;
    }
    const list = checked(endpoint, () => readBody(body, runs));
    for (const { length } of list) points += length;
    yield list;
  }
}

function readBody(body: Uint8Array<ArrayBuffer>, runs: number): PackedPoints[] {
  const records = new Float64Array(body.buffer, 0, runs * RECORD_LENGTH);
  const arrays = new ArrayReader(body, records.byteLength);
  return Array.from({ length: runs }, (_, run) => readRun(records, run * RECORD_LENGTH, arrays));
}

/** Reads the run whose record begins at a position. Its arrays are views on the body. */
function readRun(records: Float64Array, at: number, from: ArrayReader): PackedPoints {
  const length = records[at + RECORD.length]!;
  from.begin(length, records[at + RECORD.arrays]!);
  const value = from.numbers(Float64Array, length);
  const start_date = from.dates(ARRAYS.startDates) ?? readGrid(records, at + RECORD.startMs)!;
  const end_date = from.dates(ARRAYS.endDates) ?? readGrid(records, at + RECORD.endMs);
  const value_valid = from.bits(ARRAYS.valueValid);
  const unit_id = from.has(ARRAYS.units) ? from.numbers(Int32Array, length) : records[at + RECORD.unit]!;
  const reporting = from.dates(ARRAYS.reportingDates);
  const reportingValid = from.bits(ARRAYS.reportingValid);
  const reportingMs = readDate(records[at + RECORD.reportingMs]!);
  const available = from.dates(ARRAYS.availableDates) ?? readDate(records[at + RECORD.availableMs]!);
  return {
    series: records[at + RECORD.series]!,
    length,
    start_date,
    end_date,
    value,
    value_valid,
    unit_id,
    reporting_date: reporting === null ? reportingMs : { dates: reporting, valid: reportingValid },
    available_date: available ?? undefined,
    metadata: readRemarks(records[at + RECORD.remarkBytes]!, from),
  };
}

/** Reads a grid of dates at a position of the records. Returns null if there is none. */
function readGrid(records: Float64Array, at: number): SeriesDates | null {
  const firstMs = readDate(records[at]!);
  return firstMs === null ? null : { firstMs, stepMs: records[at + 1]! };
}

/** Reads a date in UTC milliseconds, or null. */
function readDate(ms: number): number | null {
  return Number.isNaN(ms) ? null : ms;
}

function readRemarks(bytes: number, from: ArrayReader): PackedPoints['metadata'] {
  if (bytes <= 0) return bytes === 0 ? null : undefined;
  return JSON.parse(new TextDecoder().decode(from.bytes(bytes))) as (string | null)[];
}

/** The arrays of a body, one after another. */
class ArrayReader {
  readonly #body: Uint8Array<ArrayBuffer>;
  #at: number;
  #length = 0;
  #arrays = 0;

  constructor(body: Uint8Array<ArrayBuffer>, at: number) {
    this.#body = body;
    this.#at = at;
  }

  /** Begins to read the arrays of a run with this number of points. */
  begin(length: number, arrays: number): void {
    this.#length = length;
    this.#arrays = arrays;
  }

  has(kind: number): boolean {
    return (this.#arrays & kind) !== 0;
  }

  numbers<Items>(Type: TypedArray<Items>, length: number): Items {
    return new Type(this.#body.buffer, this.#take(length * Type.BYTES_PER_ELEMENT), length);
  }

  /** Reads dates, or null if the run has none of this kind. */
  dates(kind: number): Float64Array | null {
    if (!this.has(kind)) return null;
    const length = this.#length;
    return this.has(ARRAYS.inDays)
      ? Float64Array.from(this.numbers(Int32Array, length), (day) => day * DAY_MS)
      : this.numbers(Float64Array, length);
  }

  /** Reads a bitmap, or null if the run has none of this kind. */
  bits(kind: number): Uint8Array | null {
    return this.has(kind) ? this.bytes(bitmapBytes(this.#length)) : null;
  }

  bytes(length: number): Uint8Array {
    const at = this.#take(length);
    return this.#body.subarray(at, at + length);
  }

  #take(bytes: number): number {
    const at = this.#at;
    this.#at += padded(bytes);
    return at;
  }
}

interface TypedArray<Items> {
  new (buffer: ArrayBuffer, offset: number, length: number): Items;
  readonly BYTES_PER_ELEMENT: number;
}

/** Turns errors of a frame's checks into a ContractError. */
function checked<Result>(endpoint: string, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    throw error instanceof CropframeError
      ? error
      : damagedStream(endpoint, error instanceof Error ? error.message : String(error), error);
  }
}
