import { bitmapBytes, setBit } from '../src/columns/bitmap.js';
import { getOrCompute } from '../src/ingest/reading/get-or-compute.js';
import { SERIES_KEY_FIELDS, type SeriesKey, seriesKeyText } from '../src/model/series.js';
import type { NewPoints } from '../src/store/store.js';

/** One vintage of one value. Times are UTC milliseconds; the value is null when the source reports that it has none. */
export interface NewPoint {
  readonly startMs: number;
  readonly endMs: number;
  readonly value: number | null;
  readonly unitId: number;
  /** Null when the source gives no reporting date. */
  readonly reportingMs: number | null;
  readonly availableMs: number;
  /** JSON text, such as the source's flags and notes. */
  readonly metadata?: string | null | undefined;
}

/** Rows of a full batch. Importers yield full batches, so that memory does not grow with the file. */
const BATCH_ROWS = 65_536;

/** Collects points row by row, and returns them as the columns of a store, in order of arrival. */
export class NewPointsBuilder {
  /** The series of each row. */
  #keys: SeriesKey[] = [];
  /** NaN for null. Objects of rows would take three times as long. */
  #columns = newColumns();
  #metadata: (string | null)[] = [];
  readonly #known = new Map<string, SeriesKey>();
  #last: SeriesKey | undefined;

  get length(): number {
    return this.#keys.length;
  }

  get isFull(): boolean {
    return this.#keys.length >= BATCH_ROWS;
  }

  /** Adds a point. Neither key nor point are kept: a caller may change them and add the next one. */
  add(key: SeriesKey, point: NewPoint): void {
    if (this.#last === undefined || SERIES_KEY_FIELDS.some((field) => this.#last![field] !== key[field]))
      this.#last = getOrCompute(this.#known, seriesKeyText(key), () => ({ ...key }));
    this.#keys.push(this.#last);
    const columns = this.#columns;
    columns.start.push(point.startMs);
    columns.end.push(point.endMs);
    columns.value.push(point.value ?? Number.NaN);
    columns.unit.push(point.unitId);
    columns.reporting.push(point.reportingMs ?? Number.NaN);
    columns.available.push(point.availableMs);
    this.#metadata.push(point.metadata ?? null);
  }

  /** Removes all points but the first. */
  truncate(length: number): void {
    for (const column of [this.#keys, this.#metadata, ...Object.values(this.#columns)])
      column.length = length;
  }

  take(): NewPoints {
    const [keys, metadata, read] = [this.#keys, this.#metadata, this.#columns];
    [this.#keys, this.#metadata, this.#columns] = [[], [], newColumns()];
    const numbers = new Map<SeriesKey, number>();
    const series = Uint32Array.from(keys, (key) => getOrCompute(numbers, key, () => numbers.size));
    const columns = {
      length: keys.length,
      series,
      start_date: datesOf(read.start),
      end_date: datesOf(read.end),
      value: Float64Array.from(read.value, (value) => (Number.isNaN(value) ? 0 : value)),
      value_valid: validityOf(read.value),
      unit_id: Int32Array.from(read.unit),
      reporting_date: datesOf(read.reporting),
      reporting_valid: validityOf(read.reporting),
      available_date: datesOf(read.available),
      metadata: metadata.some((text) => text !== null) ? metadata : undefined,
    };
    return { series: [...numbers.keys()], columns };
  }
}

const newColumns = () => ({
  start: [] as number[],
  end: [] as number[],
  value: [] as number[],
  unit: [] as number[],
  reporting: [] as number[],
  available: [] as number[],
});

function datesOf(times: readonly number[]): BigInt64Array {
  const dates = new BigInt64Array(times.length);
  for (let i = 0; i < times.length; i++) dates[i] = BigInt(times[i] || 0);
  return dates;
}

/** The validity bitmap of numbers; null when there are all. */
function validityOf(numbers: readonly number[]): Uint8Array | null {
  if (!numbers.some(Number.isNaN)) return null;
  const bitmap = new Uint8Array(bitmapBytes(numbers.length));
  for (let i = 0; i < numbers.length; i++) if (!Number.isNaN(numbers[i])) setBit(bitmap, i);
  return bitmap;
}
