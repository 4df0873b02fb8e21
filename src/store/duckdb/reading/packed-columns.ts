import type { DuckDBDataChunk } from '@duckdb/node-api';
import { blankNulls } from '../../../columns/bitmap.js';
import type { NullableDates } from '../../../columns/packed-points.js';
import { countRows, joinDates, joinItems, joinNullable } from './chunk-columns.js';
import { columnNames, type VaryingColumns } from './packed-sql.js';

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

/** DuckDB's chunks of `packedSql` as columns, each value copied once. */
export function packedColumns(chunks: readonly DuckDBDataChunk[], read: VaryingColumns): PackedColumns {
  const length = countRows(chunks);
  const value = new Float64Array(length);
  const value_valid = joinNullable(chunks, VALUE, value);
  if (value_valid !== null) blankNulls(value, value_valid);
  const names = columnNames(read);
  const place = (name: keyof VaryingColumns) => VARYING + names.indexOf(name);
  const integers = (column: number) => joinItems(chunks, column, new Int32Array(length));
  return {
    length,
    series: integers(SERIES),
    start_day: integers(START),
    days: read.days ? integers(place('days')) : null,
    value,
    value_valid,
    unit_id: read.unit_id ? integers(place('unit_id')) : null,
    reporting_date: read.reporting_date ? joinDates(chunks, place('reporting_date'), length) : null,
    available_date: read.available_date
      ? joinItems(chunks, place('available_date'), new BigInt64Array(length))
      : null,
  };
}
