import { blankNulls, isValid } from '../../columns/bitmap.js';
import type { NullableDates } from '../../columns/packed-points.js';
import { readEpochs } from '../../columns/series-dates.js';
import { GrowingColumn } from './growing-column.js';
import type { VaryingColumns } from './known-series.js';

/** Points of several series by columns of days; null stands for a column that was not read. */
export interface PackedColumns {
  readonly length: number;
  /** Handles. */
  readonly series: Int32Array;
  readonly start_day: Int32Array;
  /** Days from start to end. */
  readonly days: Int32Array | null;
  /** NaN in null rows. */
  readonly value: Float64Array;
  readonly value_valid: Uint8Array | null;
  readonly unit_id: Int32Array | null;
  readonly reporting_date: NullableDates | null;
  readonly available_date: Float64Array | null;
}

/** Some rows of such columns as an engine gives them: undefined memory in null rows. */
export interface PackedRows {
  readonly length: number;
  readonly series: Int32Array;
  readonly start_day: Int32Array;
  readonly value: Float64Array;
  readonly value_valid: Uint8Array | null;
  readonly days?: Int32Array | undefined;
  readonly unit_id?: Int32Array | undefined;
  readonly reporting_date?: { readonly dates: BigInt64Array; readonly valid: Uint8Array | null } | undefined;
  readonly available_date?: BigInt64Array | undefined;
}

/** Collects rows as columns. */
export class PackedBatch {
  #length = 0;
  readonly #series: GrowingColumn<Int32Array>;
  readonly #start: GrowingColumn<Int32Array>;
  readonly #value: GrowingColumn<Float64Array>;
  readonly #days: GrowingColumn<Int32Array> | null;
  readonly #unit: GrowingColumn<Int32Array> | null;
  readonly #reporting: GrowingColumn<Float64Array> | null;
  readonly #available: GrowingColumn<Float64Array> | null;

  constructor(read: VaryingColumns, expected: number) {
    const integers = () => new GrowingColumn(new Int32Array(expected));
    const dates = () => new GrowingColumn(new Float64Array(expected));
    this.#series = new GrowingColumn(takeScratch(expected));
    this.#start = new GrowingColumn(takeScratch(expected));
    this.#value = new GrowingColumn(new Float64Array(expected));
    this.#days = read.days ? integers() : null;
    this.#unit = read.unit_id ? integers() : null;
    this.#reporting = read.reporting_date ? dates() : null;
    this.#available = read.available_date ? dates() : null;
  }

  /** Adds rows, which have every column that is read. */
  add(rows: PackedRows): void {
    const at = this.#length;
    this.#series.add(rows.series, at);
    this.#start.add(rows.start_day, at);
    this.#value.addNullable(rows.value, rows.value_valid, at);
    this.#days?.add(rows.days!, at);
    this.#unit?.add(rows.unit_id!, at);
    this.#addReporting(rows, at);
    this.#available?.add(readEpochs(rows.available_date!), at);
    this.#length += rows.length;
  }

  #addReporting({ reporting_date }: PackedRows, at: number): void {
    const { dates, valid } = reporting_date ?? {};
    if (dates !== undefined) this.#reporting?.addNullable(readEpochs(dates), valid!, at);
  }

  /** The columns of all rows; `series` and `start_day` are valid until `release`. */
  columns(): PackedColumns {
    const length = this.#length;
    const value = this.#value.items(length);
    if (this.#value.valid !== null) blankNulls(value, this.#value.valid);
    return {
      length,
      series: this.#series.items(length),
      start_day: this.#start.items(length),
      days: this.#days?.items(length) ?? null,
      value,
      value_valid: this.#value.valid,
      unit_id: this.#unit?.items(length) ?? null,
      reporting_date: this.#reporting && reportingDates(this.#reporting, length),
      available_date: this.#available?.items(length) ?? null,
    };
  }

  release(): void {
    giveScratch(this.#series.memory);
    giveScratch(this.#start.memory);
  }
}

function reportingDates(column: GrowingColumn<Float64Array>, length: number): NullableDates {
  const dates = column.items(length);
  zeroNulls(dates, column.valid);
  return { dates, valid: column.valid };
}

/** Writes 0 in every null row. */
function zeroNulls(items: Float64Array, bitmap: Uint8Array | null): void {
  if (bitmap === null) return;
  for (let i = 0; i < items.length; i++) {
    if (bitmap[i >> 3] === 0xff) i |= 7;
    else if (!isValid(bitmap, i)) items[i] = 0;
  }
}

/** Memory that is kept for the next reader: fresh memory takes longer to get than to fill. */
const MAX_KEPT = 8;
const MAX_KEPT_ROWS = 524_288;

const kept: Int32Array[] = [];

/** Integers of any content, at least so many. */
function takeScratch(rows: number): Int32Array {
  const place = kept.findIndex(({ length }) => length >= rows);
  return place === -1 ? new Int32Array(rows) : kept.splice(place, 1)[0]!;
}

/** Gives integers back that nothing refers to any more. */
function giveScratch(items: Int32Array): void {
  if (kept.length < MAX_KEPT && items.length <= MAX_KEPT_ROWS) kept.push(items);
}
