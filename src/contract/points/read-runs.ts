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

/** An answer while it is read: its series are known at once, its points arrive later, verified. */
export interface DecodedPoints {
  readonly series: readonly BlockSeries[];
  /** Each list has its own memory. They end normally only when the whole answer arrived undamaged. */
  readonly batches: AsyncIterable<readonly PackedPoints[]>;
}

/**
 * Decodes the private form as it arrives. Nothing of a frame is used before it is complete and verified; nothing in it can
 * make the reader read out of bounds, loop, or take more memory than has arrived.
 * @throws ContractError when the answer is truncated, damaged, or in another form
 */
export async function decodeRuns(bytes: AsyncIterable<Uint8Array>, endpoint: string): Promise<DecodedPoints> {
  const frames = readFrames(bytes, endpoint);
  const first = await frames.next();
  if (first.done === true) throw damagedStream(endpoint, 'it is empty');
  const series = checked(endpoint, () => readSeriesList(new TextDecoder().decode(first.value.body)));
  return { series, batches: readBatches(frames, series.length, endpoint) };
}

async function* readBatches(
  frames: AsyncIterable<RunFrame>,
  series: number,
  endpoint: string,
): AsyncGenerator<readonly PackedPoints[], void, undefined> {
  let points = 0;
  for await (const { runs, body } of frames) {
    if (runs === 0) {
      const total = body.byteLength === 8 ? new Float64Array(body.buffer)[0] : undefined;
      if (total !== points) throw damagedStream(endpoint, `it has ${points} points instead of ${total}`);
      return;
    }
    const list = checked(endpoint, () => readBody(body, runs, series));
    for (const { length } of list) points += length;
    yield list;
  }
}

function readBody(body: Uint8Array<ArrayBuffer>, runs: number, series: number): PackedPoints[] {
  if (runs * RECORD_LENGTH * 8 > body.byteLength) throw new RangeError('a list of runs is out of bounds');
  const records = new Float64Array(body.buffer, 0, runs * RECORD_LENGTH);
  const arrays = new ArrayReader(body, records.byteLength);
  const list: PackedPoints[] = [];
  for (let at = 0; at < records.length; at += RECORD_LENGTH) {
    const run = readRun(records, at, arrays);
    if (!(run.series >= 0 && run.series < series && Number.isInteger(run.series)))
      throw new RangeError('a run is not of a series');
    list.push(run);
  }
  if (!arrays.isAtEnd) throw new RangeError('a part has more than its runs');
  return list;
}

/** The run whose record begins at a position. Its arrays are views on the body. */
function readRun(records: Float64Array, at: number, from: ArrayReader): PackedPoints {
  const length = records[at + RECORD.length]!;
  if (!Number.isSafeInteger(length) || length < 1) throw new RangeError('a run has no points');
  from.begin(length, records[at + RECORD.arrays]!);
  const value = from.numbers(Float64Array, length);
  const start_date = from.dates(ARRAYS.startDates) ?? readGrid(records, at + RECORD.startMs, length);
  const end_date = from.dates(ARRAYS.endDates) ?? readGrid(records, at + RECORD.endMs, length);
  const value_valid = from.bits(ARRAYS.valueValid);
  const unit_id = from.has(ARRAYS.units) ? from.numbers(Int32Array, length) : records[at + RECORD.unit]!;
  const reporting = from.dates(ARRAYS.reportingDates);
  const reportingValid = from.bits(ARRAYS.reportingValid);
  const reportingMs = readDate(records[at + RECORD.reportingMs]!);
  const available = from.dates(ARRAYS.availableDates) ?? readDate(records[at + RECORD.availableMs]!);
  if (start_date === null) throw new RangeError('a run has no dates');
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
    metadata: readRemarks(records[at + RECORD.remarkBytes]!, length, from),
  };
}

/** The dates of a grid whose numbers are in the records at a position; null for none. */
function readGrid(records: Float64Array, at: number, length: number): SeriesDates | null {
  const firstMs = readDate(records[at]!);
  if (firstMs === null) return null;
  const stepMs = records[at + 1]!;
  checkDate(firstMs + stepMs * (length - 1));
  return { firstMs, stepMs };
}

/** UTC milliseconds; null for none. */
function readDate(ms: number): number | null {
  if (Number.isNaN(ms)) return null;
  checkDate(ms);
  return ms;
}

function readRemarks(bytes: number, length: number, from: ArrayReader): PackedPoints['metadata'] {
  if (bytes <= 0) return bytes === 0 ? null : undefined;
  const remarks: unknown = JSON.parse(new TextDecoder().decode(from.bytes(bytes)));
  const isRemark = (one: unknown) => one === null || typeof one === 'string';
  if (Array.isArray(remarks) && remarks.length === length && remarks.every(isRemark)) return remarks;
  throw new RangeError('remarks are not one a point');
}

/** JavaScript has no dates beyond the year 275,760. */
const MAX_DATE_MS = 8.64e15;

function checkDate(ms: number): void {
  if (!Number.isInteger(ms) || Math.abs(ms) > MAX_DATE_MS) throw new RangeError('a date is out of range');
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

  get isAtEnd(): boolean {
    return this.#at === this.#body.byteLength;
  }

  /** The arrays that follow are those of a run with so many points. */
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

  /** Dates, each in range; null where the run has none of this kind. */
  dates(kind: number): Float64Array | null {
    if (!this.has(kind)) return null;
    const length = this.#length;
    const dates = this.has(ARRAYS.inDays)
      ? datesOf(this.numbers(Int32Array, length))
      : this.numbers(Float64Array, length);
    for (let i = 0; i < length; i++) checkDate(dates[i]!);
    return dates;
  }

  /** A bitmap; null where the run has none of this kind. */
  bits(kind: number): Uint8Array | null {
    return this.has(kind) ? this.bytes(bitmapBytes(this.#length)) : null;
  }

  bytes(length: number): Uint8Array {
    const at = this.#take(length);
    return this.#body.subarray(at, at + length);
  }

  /** @throws RangeError when the body has fewer bytes */
  #take(bytes: number): number {
    const at = this.#at;
    this.#at += padded(bytes);
    if (!(this.#at <= this.#body.byteLength)) throw new RangeError('an array is out of bounds');
    return at;
  }
}

function datesOf(days: Int32Array): Float64Array {
  const dates = new Float64Array(days.length);
  for (let i = 0; i < days.length; i++) dates[i] = days[i]! * DAY_MS;
  return dates;
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
