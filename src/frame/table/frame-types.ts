import type {
  Dictionary,
  Float64,
  Int32,
  RecordBatch,
  Schema,
  TimestampMillisecond,
  Utf8,
} from 'apache-arrow';
import type { Provenance } from '../../model/provenance.js';
import type { NotNull } from './row-types.js';

/** The Arrow type of name columns: dictionary-encoded strings. */
export type NameDictionary = Dictionary<Utf8, Int32>;

// These are type aliases rather than interfaces, because Arrow's table type requires an implicit index signature.

/**
 * The columns of a long frame, in this order unless `index_by_series` puts the ids first. Columns after the ids are
 * included only under the conditions stated in their comments; otherwise, `getChild` returns null for them.
 */
export type LongColumns = {
  /** The first date of the period, in UTC; never null. */
  start_date: NotNull<TimestampMillisecond>;
  /** The last date of the period, inclusive, in UTC; never null. */
  end_date: NotNull<TimestampMillisecond>;
  /** The value, in the unit that `unit_id` identifies. */
  value: Float64;
  /** The id of the value's unit; null for a value without a unit. */
  unit_id: Int32;
  /** The date on which the source reported the value, in UTC; null if the source gives no such date. */
  reporting_date: TimestampMillisecond;
  /** The id of the metric; negative for a derived metric. Like all ids of a series, it is never null. */
  metric_id: NotNull<Int32>;
  /** The id of the item. */
  item_id: NotNull<Int32>;
  /** The id of the region. */
  region_id: NotNull<Int32>;
  /** The id of the partner region, for example in trade; 0 for the world. */
  partner_region_id: NotNull<Int32>;
  /** The id of the frequency. */
  frequency_id: NotNull<Int32>;
  /** The id of the source. */
  source_id: NotNull<Int32>;
  /** The time the value became available, in UTC; null if unknown. Included only if `show_available_date` is set. */
  available_date: TimestampMillisecond;
  /** The source's remarks as a JSON string, or null. Included only if `show_metadata` is set. */
  metadata: Utf8;
  /** The name of the metric. Included only if `include_names` is set. */
  metric_name: NotNull<NameDictionary>;
  /** The name of the item. Included only if `include_names` is set. */
  item_name: NotNull<NameDictionary>;
  /** The name of the region. Included only if `include_names` is set. */
  region_name: NotNull<NameDictionary>;
  /** The name of the partner region. Included only if `include_names` is set. */
  partner_region_name: NotNull<NameDictionary>;
  /** The name of the frequency. Included only if `include_names` is set. */
  frequency_name: NotNull<NameDictionary>;
  /** The name of the source. Included only if `include_names` is set. */
  source_name: NotNull<NameDictionary>;
  /** The abbreviation of the unit; null for a value without a unit. Included only if `include_names` is set. */
  unit_name: NameDictionary;
  /** The share of the total weight held by regions with a value. Included only in averages and sums across regions. */
  weight_present: Float64;
};

/** The columns of a wide frame: `end_date`, followed by one Float64 column for each series and unit. */
export type WideColumns = {
  /** The last date of the period, in UTC, ascending; never null. */
  end_date: NotNull<TimestampMillisecond>;
  /** The values of one series in one unit; null on dates without a value. */
  [series: string]: TimestampMillisecond | Float64;
};

/** A frame that arrives in batches. Its schema is known before the first batch. */
export interface FrameStream {
  schema: Schema;
  batches: AsyncIterable<RecordBatch>;
  /**
   * Returns the complete provenance. This function is called after the last batch, and the provenance is written at
   * the end of a Parquet file.
   */
  lastProvenance?: (() => Provenance) | undefined;
}
