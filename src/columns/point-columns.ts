import type { SeriesKey } from '../model/series.js';
import { bitmapBytes, setBit } from './bitmap.js';

/**
 * Points stored by column: element `i` of every array belongs to the same point. Dates are in UTC milliseconds. A
 * validity bitmap has one bit per row, least significant bit first, set if the row has a value. A `null` bitmap means
 * that every row has a value. Rows are ordered by `series`, then by start, end, reporting and available date.
 */
export interface PointColumns {
  /** The number of rows. */
  readonly length: number;
  /** The position of the point's series in the accompanying list of series. */
  readonly series: Uint32Array;
  /** The first date of each period. */
  readonly start_date: BigInt64Array;
  /** The last date of each period, inclusive. */
  readonly end_date: BigInt64Array;
  /** The values; the numbers in null rows are arbitrary. */
  readonly value: Float64Array;
  /** The validity bitmap of `value`. */
  readonly value_valid: Uint8Array | null;
  /** The unit id of each value, or `NO_UNIT_ID` if it has no unit. */
  readonly unit_id: Int32Array;
  /** When the source reported each value. */
  readonly reporting_date: BigInt64Array;
  /** The validity bitmap of `reporting_date`. */
  readonly reporting_valid: Uint8Array | null;
  /** When each value became available, or `NO_AVAILABLE_DATE` if the row fills a gap. Included only if requested. */
  readonly available_date?: BigInt64Array | undefined;
  /** The source's remarks, as JSON text or null for each row. Included only if requested. */
  readonly metadata?: readonly (string | null)[] | undefined;
}

export type VintageColumns = PointColumns & { readonly available_date: BigInt64Array };

/** A series in a `PointSet`. */
export interface PointSeries extends SeriesKey {
  /** The most frequent unit of the series' points, or null if they have no unit. */
  unit_id: number | null;
}

/** The `unit_id` of a point that has no unit. */
export const NO_UNIT_ID = 0;

/** The available date of a point that fills a gap in a series; such a point never became available. */
export const NO_AVAILABLE_DATE = 0n;

export function unitRows(unit_id: Int32Array, length: number): Uint8Array | null {
  const first = unit_id.indexOf(NO_UNIT_ID);
  if (first === -1 || first >= length) return null;
  const bitmap = new Uint8Array(bitmapBytes(length));
  for (let i = 0; i < length; i++) if (unit_id[i] !== NO_UNIT_ID) setBit(bitmap, i);
  return bitmap;
}

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
