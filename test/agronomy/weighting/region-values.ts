import type { RegionColumns, RegionWeights } from '../../../src/agronomy/weighting/weights.js';
import { bitmapBytes, setBit } from '../../../src/columns/bitmap.js';

/** One period of a region, by its first and last day; `value` is null where it is missing. */
export type PeriodValue = readonly [region: number, start: string, end: string, value: number | null];

/** Columns as retrieved: nulls in the bitmap, over a value that must not be read. */
export function regionValues(rows: readonly PeriodValue[]): RegionColumns {
  const value_valid = new Uint8Array(bitmapBytes(rows.length));
  rows.forEach(([, , , value], row) => {
    if (value !== null) setBit(value_valid, row);
  });
  return {
    region: Uint32Array.from(rows, ([region]) => region),
    start_date: BigInt64Array.from(rows, ([, start]) => BigInt(Date.parse(start))),
    end_date: BigInt64Array.from(rows, ([, , end]) => BigInt(Date.parse(end))),
    value: Float64Array.from(rows, ([, , , value]) => value ?? 1e9),
    value_valid: rows.some(([, , , value]) => value === null) ? value_valid : null,
  };
}

/** One year's value of a region. */
export function ofYear(region: number, year: number, value: number | null): PeriodValue {
  return [region, `${year}-01-01`, `${year}-12-31`, value];
}

/** Weights of two regions, both with data. */
export const WEIGHTS: RegionWeights = { weights: [0.75, 0.25], without_data: [] };

/** Three years of two regions: the first has a null, the second lacks a year. */
export const YIELDS = regionValues([
  ofYear(0, 2012, 100),
  ofYear(0, 2013, 120),
  ofYear(0, 2014, null),
  ofYear(1, 2012, 80),
  ofYear(1, 2014, 60),
]);
