import type { SeriesKey } from '../model/series.js';
import { bitmapBytes, setBit } from './bitmap.js';

/**
 * Points in columns: row `i` of every array is one point. Times are UTC milliseconds. A validity bitmap holds one bit
 * per row, least significant bit first, set if the row has a value. A `null` bitmap means that every row has one. Rows
 * are ordered by `series`, then start, end, reporting date and available date.
 */
export interface PointColumns {
  /** Number of rows. */
  readonly length: number;
  /** Position of the point's series in the accompanying list of series. */
  readonly series: Uint32Array;
  /** First date of each period. */
  readonly start_date: BigInt64Array;
  /** Last date of each period, inclusive. */
  readonly end_date: BigInt64Array;
  /** The values; undefined numbers in null rows. */
  readonly value: Float64Array;
  /** Validity bitmap of `value`. */
  readonly value_valid: Uint8Array | null;
  /** Unit of each value; `NO_UNIT_ID` for a value without a unit. */
  readonly unit_id: Int32Array;
  /** When each value was reported. */
  readonly reporting_date: BigInt64Array;
  /** Validity bitmap of `reporting_date`. */
  readonly reporting_valid: Uint8Array | null;
  /** When each value became available. Present if requested; `NO_AVAILABLE_DATE` in rows that fill a gap. */
  readonly available_date?: BigInt64Array | undefined;
  /** The source's remarks, JSON text or null for each row. Present if requested. */
  readonly metadata?: readonly (string | null)[] | undefined;
}

export type VintageColumns = PointColumns & { readonly available_date: BigInt64Array };

/** A series of a point set. */
export interface PointSeries extends SeriesKey {
  /** Its most frequent unit; null if its points have no unit. */
  unit_id: number | null;
}

/** The `unit_id` of a point that has no unit. */
export const NO_UNIT_ID = 0;

/** The available date of a point that fills a gap, because such a point never became available. */
export const NO_AVAILABLE_DATE = 0n;

/** Returns the validity bitmap of a unit column, or null if every row has a unit. */
export function unitRows(unit_id: Int32Array, length: number): Uint8Array | null {
  const first = unit_id.indexOf(NO_UNIT_ID);
  if (first === -1 || first >= length) return null;
  const bitmap = new Uint8Array(bitmapBytes(length));
  for (let i = 0; i < length; i++) if (unit_id[i] !== NO_UNIT_ID) setBit(bitmap, i);
  return bitmap;
}

/** Returns the validity bitmap of an available-date column, or null if every row has a date. */
export function availableRows(available_date: BigInt64Array, length: number): Uint8Array | null {
  const bitmap = new Uint8Array(bitmapBytes(length));
  let available = 0;
  for (let i = 0; i < length; i++) {
    if (available_date[i] === NO_AVAILABLE_DATE) continue;
    setBit(bitmap, i);
    available++;
  }
  return available === length ? null : bitmap;
}
