import type { DuckDBDataChunk } from '@duckdb/node-api';
import { bitmapBytes, clearBit } from '../../../columns/bitmap.js';
import type { PointColumns } from '../../../columns/point-columns.js';
import type { PointPlan } from '../../plan.js';
import { copyItems, invalidRows, rawVector } from '../engine/vectors.js';

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

  constructor(plan: PointPlan) {
    this.#plan = plan;
  }

  add(chunk: DuckDBDataChunk): void {
    this.#chunks.push(chunk);
    this.length += chunk.rowCount;
  }

  columns(): PointColumns {
    const { withAvailableDate, withMetadata } = this.#plan;
    const value = this.#join(VALUE, new Float64Array(this.length));
    const reporting_date = this.#join(REPORTING, new BigInt64Array(this.length));
    return {
      length: this.length,
      series: this.#positions(),
      start_date: this.#join(START, new BigInt64Array(this.length)),
      end_date: this.#join(END, new BigInt64Array(this.length)),
      value,
      value_valid: this.#validity(VALUE, (row) => value.fill(Number.NaN, row, row + 1)),
      unit_id: this.#join(UNIT, new Int32Array(this.length)),
      reporting_date,
      reporting_valid: this.#validity(REPORTING, (row) => reporting_date.fill(0n, row, row + 1)),
      ...(withAvailableDate && {
        available_date: this.#join(REPORTING + 1, new BigInt64Array(this.length)),
      }),
      ...(withMetadata && { metadata: this.#texts(REPORTING + (withAvailableDate ? 2 : 1)) }),
    };
  }

  /** Positions in the plan, found in one pass: handles ascend in the rows and in the plan alike. */
  #positions(): Uint32Array {
    const positions = new Uint32Array(this.length);
    const { series } = this.#plan;
    let position = 0;
    let row = 0;
    let handle = this.length === 0 ? -1 : series[0]!.handle;
    for (const chunk of this.#chunks) {
      const handles = rawVector<Int32Array>(chunk, SERIES).items;
      for (let i = 0; i < handles.length; i++) {
        const wanted = handles[i]!;
        while (handle < wanted) handle = series[++position]!.handle;
        positions[row++] = position;
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

  /** A column's validity bitmap. `blank` overwrites the undefined memory of a null row. */
  #validity(column: number, blank: (row: number) => void): Uint8Array | null {
    let bitmap: Uint8Array | null = null;
    let row = 0;
    for (const chunk of this.#chunks) {
      const vector = rawVector<Float64Array | BigInt64Array>(chunk, column);
      for (const i of invalidRows(vector, chunk.rowCount)) {
        bitmap ??= new Uint8Array(bitmapBytes(this.length)).fill(0xff);
        clearBit(bitmap, row + i);
        blank(row + i);
      }
      row += chunk.rowCount;
    }
    return bitmap;
  }

  #texts(column: number): (string | null)[] {
    return this.#chunks.flatMap((chunk) => chunk.getColumnValues(column) as (string | null)[]);
  }
}
