import type { DuckDBDataChunk } from '@duckdb/node-api';
import { columnNames, type VaryingColumns } from '../../packing/known-series.js';
import type { PackedRows } from '../../packing/packed-columns.js';
import { type Items, rawVector, validityBytes } from '../engine/vectors.js';

const SERIES = 0;
const START = 1;
const VALUE = 2;
const VARYING = 3;

/** Reads the chunks of `packedSql`. */
export function packedRows(read: VaryingColumns): (chunk: DuckDBDataChunk) => PackedRows {
  const names = columnNames(read);
  return (chunk) => {
    const itemsOf = <Column extends Items>(name: keyof VaryingColumns) =>
      read[name] ? rawVector<Column>(chunk, VARYING + names.indexOf(name)).items : undefined;
    const value = rawVector<Float64Array>(chunk, VALUE);
    return {
      length: chunk.rowCount,
      series: rawVector<Int32Array>(chunk, SERIES).items,
      start_day: rawVector<Int32Array>(chunk, START).items,
      value: value.items,
      value_valid: validityBytes(value),
      days: itemsOf<Int32Array>('days'),
      unit_id: itemsOf<Int32Array>('unit_id'),
      reporting_date: read.reporting_date
        ? nullableDates(chunk, VARYING + names.indexOf('reporting_date'))
        : undefined,
      available_date: itemsOf<BigInt64Array>('available_date'),
    };
  };
}

function nullableDates(chunk: DuckDBDataChunk, column: number) {
  const vector = rawVector<BigInt64Array>(chunk, column);
  return { dates: vector.items, valid: validityBytes(vector) };
}
