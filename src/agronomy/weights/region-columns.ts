import { countRows, type PointSet } from '../../columns/packed-points.js';
import { unpackDates } from '../../columns/series-dates.js';
import { floatColumn } from '../../frame/series/map-series.js';
import type { RegionColumns } from './weights.js';

/** The points of a set as one block of columns; the `region` of a row is its point's series. */
export function regionColumns({ runs }: PointSet): RegionColumns {
  const length = countRows(runs);
  const region = new Uint32Array(length);
  const start_date = new BigInt64Array(length);
  const end_date = new BigInt64Array(length);
  const value = new Float64Array(length);
  let at = 0;
  for (const run of runs) {
    region.fill(run.series, at, at + run.length);
    unpackDates(run.start_date, run.length, start_date, at);
    unpackDates(run.end_date ?? run.start_date, run.length, end_date, at);
    value.set(run.value.subarray(0, run.length), at);
    at += run.length;
  }
  return { region, start_date, end_date, value, value_valid: null };
}

/** The same points with other values, row by row; NaN becomes null. */
export function withValues({ series, runs }: PointSet, values: Float64Array): PointSet {
  let at = 0;
  return {
    series,
    runs: runs.map((run) => {
      const value = values.subarray(at, at + run.length);
      at += run.length;
      return { ...run, value, value_valid: floatColumn(value).valid };
    }),
  };
}
