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

// These are type aliases, not interfaces, because Arrow's table type requires an implicit index signature.

/**
 * The columns of a long frame, in this order unless `index_by_series` puts the ids first. Columns after the ids are
 * present only with the options named in their comments; `getChild` returns null for an absent column.
 */
export type LongColumns = {
  /** The first date of the period, in UTC; never null. */
  start_date: NotNull<TimestampMillisecond>;
  /** The last date of the period, inclusive, in UTC; never null. */
  end_date: NotNull<TimestampMillisecond>;
  /** The value, in the unit of `unit_id`; the memory of a null value holds NaN. */
  value: Float64;
  /** The id of the unit of `value`; null for a value without a unit. */
  unit_id: Int32;
  /** The date when the source reported the value, in UTC; null if the source has none. */
  reporting_date: TimestampMillisecond;
  /** The id of the metric; never null, like the other ids of the series. Negative for a derived metric. */
  metric_id: NotNull<Int32>;
  /** The id of the item. */
  item_id: NotNull<Int32>;
  /** The id of the region. */
  region_id: NotNull<Int32>;
  /** The id of the partner region, as in trade; 0 for the world. */
  partner_region_id: NotNull<Int32>;
  /** The id of the frequency. */
  frequency_id: NotNull<Int32>;
  /** The id of the source. */
  source_id: NotNull<Int32>;
  /** The date when the value became available, in UTC; null if unknown. With `show_available_date`. */
  available_date: TimestampMillisecond;
  /** The remarks of the source as a JSON string, or null. With `show_metadata`. */
  metadata: Utf8;
  /** The name of the metric. With `include_names`. */
  metric_name: NotNull<NameDictionary>;
  /** The name of the item. With `include_names`. */
  item_name: NotNull<NameDictionary>;
  /** The name of the region. With `include_names`. */
  region_name: NotNull<NameDictionary>;
  /** The name of the partner region. With `include_names`. */
  partner_region_name: NotNull<NameDictionary>;
  /** The name of the frequency. With `include_names`. */
  frequency_name: NotNull<NameDictionary>;
  /** The name of the source. With `include_names`. */
  source_name: NotNull<NameDictionary>;
  /** The abbreviation of the unit; null for a value without a unit. With `include_names`. */
  unit_name: NameDictionary;
  /**
   * In an average or sum across regions, the share of the total weight that belongs to regions with a value.
   */
  weight_present: Float64;
};

/**
 * The columns of a wide frame: `end_date` in UTC, ascending and never null, then one Float64 column for each series and
 * unit, which is null on dates without a value.
 */
export type WideColumns = {
  /** The last date of the period, in UTC, ascending; never null. */
  end_date: NotNull<TimestampMillisecond>;
  /** One column for each series and unit; null on dates without a value. */
  [series: string]: TimestampMillisecond | Float64;
};

/** A frame that arrives batch by batch. Its schema is known before the first batch. */
export interface FrameStream {
  schema: Schema;
  batches: AsyncIterable<RecordBatch>;
  /** Returns the complete provenance, after the last batch. It is written at the end of a Parquet file. */
  lastProvenance?: (() => Provenance) | undefined;
}
