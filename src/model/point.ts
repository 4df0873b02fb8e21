import type { SeriesKey } from './series.js';

/** One value of a series for one period. All dates are ISO 8601 strings in UTC, such as `2024-01-31T00:00:00.000Z`. */
export interface DataPoint extends SeriesKey {
  /** The first date of the period. */
  start_date: string;
  /** The last date of the period, inclusive. */
  end_date: string;
  /** The value; null if the source reports no figure, or if `insert_null` added the point to fill a gap. */
  value: number | null;
  /** The unit id of `value`; null for a value without a unit. */
  unit_id: number | null;
  /** The date when the source reported the value, which distinguishes revisions; null if not stated. */
  reporting_date: string | null;
  /**
   * When the value became available on this service; null if unknown. Included only if `show_available_date` is set.
   */
  available_date?: string | null | undefined;
  /** The source's remarks on the value, such as flags. Included only if `show_metadata` is set. */
  metadata?: Record<string, unknown> | null | undefined;
  /** The series that the point belongs to. */
  belongs_to: Pick<SeriesKey, 'metric_id' | 'item_id' | 'region_id' | 'frequency_id' | 'source_id'>;
}
