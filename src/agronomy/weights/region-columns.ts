import { isValid } from '../../columns/bitmap.js';
import type { PointColumns, PointSet } from '../../columns/point-columns.js';
import { floatColumn } from '../../frame/verbs/map-series.js';
import type { RegionColumns } from './weights.js';

/** The points of a set as one block of columns; the `region` of a row is its point's series. */
export function regionColumns({ batches }: PointSet): RegionColumns {
  const length = batches.reduce((sum, columns) => sum + columns.length, 0);
  const region = new Uint32Array(length);
  const start_date = new BigInt64Array(length);
  const end_date = new BigInt64Array(length);
  const value = new Float64Array(length);
  let offset = 0;
  for (const columns of batches) {
    region.set(columns.series, offset);
    start_date.set(columns.start_date, offset);
    end_date.set(columns.end_date, offset);
    value.set(valuesWithNaN(columns), offset);
    offset += columns.length;
  }
  return { region, start_date, end_date, value, value_valid: null };
}

/** The same points with other values, row by row; NaN becomes null. */
export function withValues({ series, batches }: PointSet, values: Float64Array): PointSet {
  let offset = 0;
  return {
    series,
    batches: batches.map((columns) => {
      const value = values.subarray(offset, offset + columns.length);
      offset += columns.length;
      return { ...columns, value, value_valid: floatColumn(value).valid };
    }),
  };
}

/** The values of a batch, with NaN for null. */
export function valuesWithNaN({ length, value, value_valid }: PointColumns): Float64Array {
  if (value_valid === null) return value.length === length ? value : value.subarray(0, length);
  return value.map((one, i) => (i < length && isValid(value_valid, i) ? one : Number.NaN));
}
