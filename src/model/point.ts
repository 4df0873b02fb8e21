import type { SeriesKey } from './series.js';

/** One value of a series for one period. Dates are ISO 8601 UTC with milliseconds and Z; the period includes both dates. */
export interface DataPoint extends SeriesKey {
  /** First date of the period. */
  start_date: string;
  /** Last date of the period, inclusive. */
  end_date: string;
  /** Null where the source reports no figure, and in periods filled by `insert_null`. */
  value: number | null;
  /** Id of the unit of `value`; null for a value without a unit. */
  unit_id: number | null;
  /** Distinguishes revisions of one period; null where the source gives none. */
  reporting_date: string | null;
  /** When the value became available on this service, null where that is unknown; only with `show_available_date`. */
  available_date?: string | null | undefined;
  /** The source's remarks on the value, such as flags; only with `show_metadata`. */
  metadata?: Record<string, unknown> | null | undefined;
  /** The series that the point belongs to. */
  belongs_to: Pick<SeriesKey, 'metric_id' | 'item_id' | 'region_id' | 'frequency_id' | 'source_id'>;
}

/** Options of a retrieval, without the series; names and meanings are those of the specification. */
export interface PointFlags {
  /** Keeps points whose end is on or after this date (`YYYY-MM-DD` or a full ISO 8601 timestamp). */
  start_date?: string | undefined;
  /** Keeps points whose start is on or before this date. */
  end_date?: string | undefined;
  /** Every reporting date of a period, with the latest vintage of each. */
  reporting_history?: boolean | undefined;
  /** The older name of `reporting_history`. */
  show_revisions?: boolean | undefined;
  /** Every vintage, including those without a reporting date. */
  complete_history?: boolean | undefined;
  /** Adds to each point when it became available. */
  show_available_date?: boolean | undefined;
  /** Adds the source's remarks on each point. */
  show_metadata?: boolean | undefined;
  /** Adds a point with a null value for every period without data; a service refuses more than 100,000 periods of a series. */
  insert_null?: boolean | undefined;
  /** Only vintages that were available at this time; `YYYY-MM-DD` is the beginning of the day. */
  at_time?: string | undefined;
  /** Only vintages that became available on or after this time. */
  available_since?: string | undefined;
  /** Includes historical regions of the selection (default true). */
  include_historical?: boolean | undefined;
}
