import type { SeriesKey } from './series.js';

/** One value of a series for one period. Dates are ISO 8601 UTC with milliseconds and Z; the period includes both dates. */
export interface DataPoint extends SeriesKey {
  /** First date of the period. */
  start_date: string;
  /** Last date of the period, inclusive. */
  end_date: string;
  /** Null if the source reports no figure, and in periods filled by `insert_null`. */
  value: number | null;
  /** Id of the unit of `value`; null for a value without a unit. */
  unit_id: number | null;
  /** Distinguishes revisions of one period; null if the source gives none. */
  reporting_date: string | null;
  /** When the value became available on this service, or null if unknown. Only with `show_available_date`. */
  available_date?: string | null | undefined;
  /** The source's remarks on the value, such as flags. Only with `show_metadata`. */
  metadata?: Record<string, unknown> | null | undefined;
  /** The series that the point belongs to. */
  belongs_to: Pick<SeriesKey, 'metric_id' | 'item_id' | 'region_id' | 'frequency_id' | 'source_id'>;
}
