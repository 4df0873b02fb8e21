import type { DuckDBDataChunk } from '@duckdb/node-api';
import { allValid, bitmapBytes, blankNulls, copyBits, countValid, isValid } from '../../../columns/bitmap.js';
import { wordsOf } from '../../../columns/epoch-words.js';
import type { PointColumns } from '../../../columns/point-columns.js';
import type { PointPlan, StoredSeries } from '../../plan.js';
import { copyItems, rawVector, validityBytes } from '../engine/vectors.js';
import type { PointGroup } from './point-groups.js';

/** Positions of the columns that every point query has. */
const SERIES = 0;
const START = 1;
const END = 2;
const VALUE = 3;
const UNIT = 4;
const REPORTING = 5;

type NumberArray = Float64Array | BigInt64Array | Int32Array;

/** Collects DuckDB's chunks and concatenates them into columns, copying each value once. */
export class PointBatch {
  readonly #chunks: DuckDBDataChunk[] = [];
  length = 0;

  readonly #plan: PointPlan;
  readonly #group: PointGroup;

  constructor(plan: PointPlan, group: PointGroup) {
    this.#plan = plan;
    this.#group = group;
  }

  add(chunk: DuckDBDataChunk): void {
    this.#chunks.push(chunk);
    this.length += chunk.rowCount;
  }

  columns(): PointColumns {
    const { withAvailableDate, withMetadata } = this.#plan;
    const value = new Float64Array(this.length);
    const value_valid = this.#joinNullable(VALUE, value);
    if (value_valid !== null) blankNulls(value, value_valid);
    const reporting_date = new BigInt64Array(this.length);
    const reporting_valid = this.#joinNullable(REPORTING, reporting_date);
    if (countValid(reporting_valid, this.length) > 0) zeroNulls(wordsOf(reporting_date), reporting_valid);
    return {
      length: this.length,
      series: this.#positions(),
      start_date: this.#join(START, new BigInt64Array(this.length)),
      end_date: this.#join(END, new BigInt64Array(this.length)),
      value,
      value_valid,
      unit_id: this.#join(UNIT, new Int32Array(this.length)),
      reporting_date,
      reporting_valid,
      ...(withAvailableDate && {
        available_date: this.#join(REPORTING + 1, new BigInt64Array(this.length)),
      }),
      ...(withMetadata && { metadata: this.#texts(REPORTING + (withAvailableDate ? 2 : 1)) }),
    };
  }

  /** Positions in the plan. Most rows have the series of the row before them, or the next one. */
  #positions(): Uint32Array {
    const positions = new Uint32Array(this.length);
    const { series, offset } = this.#group;
    let at = 0;
    let row = 0;
    for (const chunk of this.#chunks) {
      const handles = rawVector<Int32Array>(chunk, SERIES).items;
      const count = chunk.rowCount;
      for (let i = 0; i < count; i++) {
        const handle = handles[i]!;
        if (series[at]!.handle !== handle) at = positionOf(handle, series, at + 1);
        positions[row++] = offset + at;
      }
    }
    return positions;
  }

  #join<Items extends NumberArray>(column: number, joined: Items): Items {
    let row = 0;
    for (const chunk of this.#chunks) {
      copyItems(joined, rawVector<Items>(chunk, column).items, row);
      row += chunk.rowCount;
    }
    return joined;
  }

  /** Copies a column's values, and returns its validity bitmap. Values of null rows are undefined memory. */
  #joinNullable(column: number, joined: Float64Array | BigInt64Array): Uint8Array | null {
    let bitmap: Uint8Array | null = null;
    let row = 0;
    for (const chunk of this.#chunks) {
      const count = chunk.rowCount;
      const vector = rawVector<Float64Array | BigInt64Array>(chunk, column);
      const valid = validityBytes(vector);
      if (bitmap === null && !allValid(valid, count)) {
        bitmap = new Uint8Array(bitmapBytes(this.length));
        copyBits(bitmap, 0, { bitmap: null, at: 0, count: row });
      }
      if (bitmap !== null) copyBits(bitmap, row, { bitmap: valid, at: 0, count });
      if (countValid(valid, count) > 0) copyItems(joined, vector.items, row);
      row += count;
    }
    return bitmap;
  }

  #texts(column: number): (string | null)[] {
    return this.#chunks.flatMap((chunk) => chunk.getColumnValues(column) as (string | null)[]);
  }
}

/** The position of a handle among series by ascending handle, at `guess` or found by bisection. */
function positionOf(handle: number, series: readonly StoredSeries[], guess: number): number {
  if (series[guess]?.handle === handle) return guess;
  let [from, to] = [0, series.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (series[middle]!.handle < handle) from = middle + 1;
    else to = middle;
  }
  return from;
}

function zeroNulls(words: Int32Array, bitmap: Uint8Array | null): void {
  if (bitmap === null) return;
  for (let i = 0; 2 * i < words.length; i++) {
    if (bitmap[i >> 3] === 0xff) i |= 7;
    else if (!isValid(bitmap, i)) words[2 * i] = words[2 * i + 1] = 0;
  }
}
