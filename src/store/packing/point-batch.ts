import { allValid, bitmapBytes, blankNulls, copyBits, countValid, isValid } from '../../columns/bitmap.js';
import type { NullableDates } from '../../columns/packed-points.js';
import type { VaryingColumns } from './point-groups.js';

/** Points of several series by columns; null means a column that was not read. Dates are UTC milliseconds. */
export interface PointRows {
  readonly length: number;
  /** Handles. */
  readonly series: Int32Array;
  readonly start: Float64Array;
  readonly end: Float64Array | null;
  /** NaN in null rows. */
  readonly value: Float64Array;
  readonly value_valid: Uint8Array | null;
  readonly unit_id: Int32Array | null;
  readonly reporting_date: NullableDates | null;
  readonly available_date: Float64Array | null;
  readonly metadata: readonly (string | null)[] | null;
}

/** A column as an engine gives it: undefined memory in null rows. */
interface NullableNumbers {
  readonly items: Float64Array;
  readonly valid: Uint8Array | null;
}

/** Some rows as an engine gives them, with the columns that are read. */
export interface EngineRows {
  readonly length: number;
  readonly series: Int32Array;
  readonly start: Float64Array;
  readonly value: NullableNumbers;
  readonly end?: Float64Array | undefined;
  readonly unit_id?: Int32Array | undefined;
  readonly reporting_date?: NullableNumbers | undefined;
  readonly available_date?: Float64Array | undefined;
  readonly metadata?: readonly (string | null)[] | undefined;
}

type Integers = Int32Array<ArrayBuffer>;
type Numbers = Float64Array<ArrayBuffer>;

/** Collects rows as columns. */
export class PointBatch {
  #length = 0;
  readonly #series: GrowingColumn<Integers>;
  readonly #start: GrowingColumn<Numbers>;
  readonly #end: GrowingColumn<Numbers> | null;
  readonly #value: GrowingColumn<Numbers>;
  readonly #unit: GrowingColumn<Integers> | null;
  readonly #reporting: GrowingColumn<Numbers> | null;
  readonly #available: GrowingColumn<Numbers> | null;
  readonly #metadata: (string | null)[] | null;

  constructor(read: VaryingColumns, expected: number) {
    const numbers = () => new GrowingColumn(new Float64Array(expected));
    this.#series = new GrowingColumn(new Int32Array(takeScratch(4 * expected)));
    this.#start = new GrowingColumn(new Float64Array(takeScratch(8 * expected)));
    this.#end = read.end ? new GrowingColumn(new Float64Array(takeScratch(8 * expected))) : null;
    this.#value = numbers();
    this.#unit = read.unit_id ? new GrowingColumn(new Int32Array(expected)) : null;
    this.#reporting = read.reporting_date ? numbers() : null;
    this.#available = read.available_date ? numbers() : null;
    this.#metadata = read.metadata ? [] : null;
  }

  /** Adds rows, which have every column that is read. */
  add(rows: EngineRows): void {
    const at = this.#length;
    this.#series.add(rows.series, at);
    this.#start.add(rows.start, at);
    this.#end?.add(rows.end!, at);
    this.#value.addNullable(rows.value, at);
    this.#unit?.add(rows.unit_id!, at);
    this.#reporting?.addNullable(rows.reporting_date!, at);
    this.#available?.add(rows.available_date!, at);
    for (const text of rows.metadata ?? []) this.#metadata?.push(text);
    this.#length += rows.length;
  }

  /** The columns of all rows; `series`, `start` and `end` are valid until `release`. */
  rows(): PointRows {
    const length = this.#length;
    const value = this.#value.items(length);
    if (this.#value.valid !== null) blankNulls(value, this.#value.valid);
    return {
      length,
      series: this.#series.items(length),
      start: this.#start.items(length),
      end: this.#end?.items(length) ?? null,
      value,
      value_valid: this.#value.valid,
      unit_id: this.#unit?.items(length) ?? null,
      reporting_date: this.#reporting && reportingDates(this.#reporting, length),
      available_date: this.#available?.items(length) ?? null,
      metadata: this.#metadata,
    };
  }

  release(): void {
    for (const column of [this.#series, this.#start, this.#end]) if (column) giveScratch(column.memory);
  }
}

function reportingDates(column: GrowingColumn<Numbers>, length: number): NullableDates {
  const dates = column.items(length);
  const { valid } = column;
  for (let i = 0; valid !== null && i < length; i++) {
    if (valid[i >> 3] === 0xff) i |= 7;
    else if (!isValid(valid, i)) dates[i] = 0;
  }
  return { dates, valid };
}

/** A column whose items are added some at a time, each copied once unless there are more than expected. */
class GrowingColumn<Column extends Integers | Numbers> {
  #items: Column;
  #valid: Uint8Array | null = null;

  /** @param items memory for as many rows as are expected */
  constructor(items: Column) {
    this.#items = items;
  }

  /** Adds items without null rows from row `at` on. */
  add(items: Float64Array | Int32Array, at: number): void {
    this.#reserve(at + items.length);
    this.#items.set(items, at);
  }

  addNullable({ items, valid }: NullableNumbers, at: number): void {
    const count = items.length;
    this.#reserve(at + count);
    if (this.#valid === null && !allValid(valid, count)) {
      this.#valid = new Uint8Array(bitmapBytes(this.#items.length));
      copyBits(this.#valid, 0, { bitmap: null, at: 0, count: at });
    }
    if (this.#valid !== null) copyBits(this.#valid, at, { bitmap: valid, at: 0, count });
    if (countValid(valid, count) > 0) this.#items.set(items, at);
  }

  /** The memory of all rows, and of more. */
  get memory(): ArrayBuffer {
    return this.#items.buffer;
  }

  /** The first rows. */
  items(length: number): Column {
    return this.#items.subarray(0, length) as Column;
  }

  /** Validity bitmap; null when every row has a value. */
  get valid(): Uint8Array | null {
    return this.#valid;
  }

  #reserve(length: number): void {
    const before = this.#items;
    if (length <= before.length) return;
    // Even, so that the memory of integers fits numbers too when it is used again.
    const grown = 2 * Math.max(Math.ceil(length / 2), before.length);
    this.#items = new (before.constructor as new (length: number) => Column)(grown);
    this.#items.set(before);
    if (this.#valid === null) return;
    const bitmap = new Uint8Array(bitmapBytes(grown));
    bitmap.set(this.#valid);
    this.#valid = bitmap;
  }
}

/** Memory that is kept for the next reader: fresh memory takes longer to get than to fill. */
const MAX_KEPT = 12;
const MAX_KEPT_BYTES = 8 * 524_288;

const kept: ArrayBuffer[] = [];

/** Memory of any content, at least so many bytes. */
function takeScratch(bytes: number): ArrayBuffer {
  const place = kept.findIndex(({ byteLength }) => byteLength >= bytes);
  return place === -1 ? new ArrayBuffer(8 * Math.ceil(bytes / 8)) : kept.splice(place, 1)[0]!;
}

/** Gives memory back that nothing refers to any more. */
function giveScratch(memory: ArrayBuffer): void {
  if (kept.length < MAX_KEPT && memory.byteLength <= MAX_KEPT_BYTES) kept.push(memory);
}
