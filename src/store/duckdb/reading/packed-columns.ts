import type { DuckDBDataChunk } from '@duckdb/node-api';
import { blankNulls } from '../../../columns/bitmap.js';
import { wordsOf } from '../../../columns/epoch-words.js';
import type { NullableDates } from '../../../columns/packed-points.js';
import { zeroNulls } from './chunk-columns.js';
import { GrowingColumn } from './growing-columns.js';
import { columnNames, type VaryingColumns } from './packed-sql.js';
import { giveScratch, takeScratch } from './scratch.js';

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
  readonly available_date: BigInt64Array | null;
}

const SERIES = 0;
const START = 1;
const VALUE = 2;
const VARYING = 3;

/** Collects DuckDB's chunks of `packedSql` as columns. */
export class PackedBatch {
  #length = 0;
  readonly #names: readonly string[];
  readonly #series: GrowingColumn<Int32Array>;
  readonly #start: GrowingColumn<Int32Array>;
  readonly #value: GrowingColumn<Float64Array>;
  readonly #days: GrowingColumn<Int32Array> | null;
  readonly #unit: GrowingColumn<Int32Array> | null;
  readonly #reporting: GrowingColumn<BigInt64Array> | null;
  readonly #available: GrowingColumn<BigInt64Array> | null;

  constructor(read: VaryingColumns, expected: number) {
    this.#names = columnNames(read);
    const integers = () => new GrowingColumn(new Int32Array(expected));
    const dates = () => new GrowingColumn(new BigInt64Array(expected));
    this.#series = new GrowingColumn(takeScratch(expected));
    this.#start = new GrowingColumn(takeScratch(expected));
    this.#value = new GrowingColumn(new Float64Array(expected));
    this.#days = read.days ? integers() : null;
    this.#unit = read.unit_id ? integers() : null;
    this.#reporting = read.reporting_date ? dates() : null;
    this.#available = read.available_date ? dates() : null;
  }

  add(chunk: DuckDBDataChunk): void {
    const at = this.#length;
    this.#series.add(chunk, SERIES, at);
    this.#start.add(chunk, START, at);
    this.#value.addNullable(chunk, VALUE, at);
    this.#days?.add(chunk, this.#place('days'), at);
    this.#unit?.add(chunk, this.#place('unit_id'), at);
    this.#reporting?.addNullable(chunk, this.#place('reporting_date'), at);
    this.#available?.add(chunk, this.#place('available_date'), at);
    this.#length += chunk.rowCount;
  }

  /** The columns of all chunks; `series` and `start_day` are valid until `release`. */
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

  #place(name: keyof VaryingColumns): number {
    return VARYING + this.#names.indexOf(name);
  }
}

function reportingDates(column: GrowingColumn<BigInt64Array>, length: number): NullableDates {
  const dates = column.items(length);
  zeroNulls(wordsOf(dates), column.valid);
  return { dates, valid: column.valid };
}
