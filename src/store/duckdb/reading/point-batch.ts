import type { DuckDBDataChunk } from '@duckdb/node-api';
import { blankNulls } from '../../../columns/bitmap.js';
import type { PointColumns } from '../../../columns/point-columns.js';
import { positionOf } from '../../packing/handles.js';
import type { PointGroup } from '../../packing/point-groups.js';
import type { PointPlan } from '../../plan.js';
import { rawVector } from '../engine/vectors.js';
import { joinDates, joinItems, joinNullable } from './chunk-columns.js';

/** Positions of the columns that every query of points with dates has. */
const SERIES = 0;
const START = 1;
const END = 2;
const VALUE = 3;
const UNIT = 4;
const REPORTING = 5;

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
    const { length } = this;
    const chunks = this.#chunks;
    const value = new Float64Array(length);
    const value_valid = joinNullable(chunks, VALUE, value);
    if (value_valid !== null) blankNulls(value, value_valid);
    const { dates: reporting_date, valid: reporting_valid } = joinDates(chunks, REPORTING, length);
    return {
      length,
      series: positions(chunks, length, this.#group),
      start_date: joinItems(chunks, START, new BigInt64Array(length)),
      end_date: joinItems(chunks, END, new BigInt64Array(length)),
      value,
      value_valid,
      unit_id: joinItems(chunks, UNIT, new Int32Array(length)),
      reporting_date,
      reporting_valid,
      available_date: withAvailableDate
        ? joinItems(chunks, REPORTING + 1, new BigInt64Array(length))
        : undefined,
      metadata: withMetadata ? this.#texts(REPORTING + (withAvailableDate ? 2 : 1)) : undefined,
    };
  }

  #texts(column: number): (string | null)[] {
    return this.#chunks.flatMap((chunk) => chunk.getColumnValues(column) as (string | null)[]);
  }
}

/** Positions in the plan. Most rows have the series of the row before them, or the next one. */
function positions(
  chunks: readonly DuckDBDataChunk[],
  length: number,
  { series, offset }: PointGroup,
): Uint32Array {
  const found = new Uint32Array(length);
  let at = 0;
  let row = 0;
  for (const chunk of chunks) {
    const handles = rawVector<Int32Array>(chunk, SERIES).items;
    const count = chunk.rowCount;
    for (let i = 0; i < count; i++) {
      const handle = handles[i]!;
      if (series[at]!.handle !== handle) at = positionOf(handle, series, at + 1);
      found[row++] = offset + at;
    }
  }
  return found;
}
