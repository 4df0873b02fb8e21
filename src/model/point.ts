import type { SeriesKey } from './series.js';

/** One value of a series for one period. Dates are ISO 8601 UTC with milliseconds and Z; periods include both dates. */
export interface DataPoint extends SeriesKey {
  start_date: string;
  end_date: string;
  /** Null where the source says that there is no figure, and in periods filled by `insert_null`. */
  value: number | null;
  unit_id: number;
  /** Tells revisions of one period apart; null where the source gives none. */
  reporting_date: string | null;
  /** When the value became available here; only with `show_available_date`. */
  available_date?: string | null | undefined;
  /** The source's own remarks on the value, such as flags; only with `show_metadata`. */
  metadata?: Record<string, unknown> | null | undefined;
  belongs_to: Pick<SeriesKey, 'metric_id' | 'item_id' | 'region_id' | 'frequency_id' | 'source_id'>;
}

/**
 * Points by columns: row `i` of every array is one point. Times are UTC milliseconds. A validity bitmap holds one
 * bit a row, least significant first, set where the row has a value; `null` in its place means that every row has one.
 * Rows are ordered by `series`, then start, end, reporting date and available date.
 */
export interface PointColumns {
  readonly length: number;
  /** Position of the point's series in the list that goes with these columns. */
  readonly series: Uint32Array;
  readonly start_date: BigInt64Array;
  readonly end_date: BigInt64Array;
  readonly value: Float64Array;
  readonly valueValid: Uint8Array | null;
  readonly unit_id: Int32Array;
  readonly reporting_date: BigInt64Array;
  readonly reportingValid: Uint8Array | null;
  /** Present where the available date was asked for; `NO_AVAILABLE_DATE` for a period that was filled. */
  readonly available_date?: BigInt64Array | undefined;
  /** Present where the source's remarks were asked for: JSON text a row, or null. */
  readonly metadata?: readonly (string | null)[] | undefined;
}

/** A series of a point set, with the unit of most of its points (null when it has none). */
export interface PointSeries extends SeriesKey {
  unit_id: number | null;
}

/** Points of several series: every series asked for stands in `series`, also those without a point. */
export interface PointSet {
  readonly series: readonly PointSeries[];
  readonly batches: readonly PointColumns[];
}

/** What a retrieval may ask for besides the series; names and meanings are the specification's. */
export interface PointFlags {
  /** Keep points whose end is on or after this date (`YYYY-MM-DD` or a full ISO 8601 timestamp). */
  start_date?: string | undefined;
  /** Keep points whose start is on or before this date. */
  end_date?: string | undefined;
  /** Every reporting date of a period, the latest vintage of each. */
  reporting_history?: boolean | undefined;
  /** The older name of `reporting_history`. */
  show_revisions?: boolean | undefined;
  /** Every vintage, including values that have no reporting date of their own. */
  complete_history?: boolean | undefined;
  show_available_date?: boolean | undefined;
  show_metadata?: boolean | undefined;
  /** A point with a null value for every period without data. */
  insert_null?: boolean | undefined;
  /** Only what was available at this time. */
  at_time?: string | undefined;
  /** Only what became available on or after this time. */
  available_since?: string | undefined;
  /** Historical regions among the selection (default true). */
  include_historical?: boolean | undefined;
}

/** The available date of a point that fills a period without data: it never became available. */
export const NO_AVAILABLE_DATE = 0n;

/** Which rows have an available date, as a validity bitmap; null when all do. */
export function availableRows(available_date: BigInt64Array, length: number): Uint8Array | null {
  const bitmap = new Uint8Array((length + 7) >> 3);
  let available = 0;
  for (let i = 0; i < length; i++) {
    if (available_date[i] === NO_AVAILABLE_DATE) continue;
    bitmap[i >> 3]! |= 1 << (i & 7);
    available++;
  }
  return available === length ? null : bitmap;
}

/** True when row `i` is set in a validity bitmap (`null`: every row is). */
export function isValid(bitmap: Uint8Array | null, i: number): boolean {
  return bitmap === null || ((bitmap[i >> 3]! >> (i & 7)) & 1) === 1;
}
