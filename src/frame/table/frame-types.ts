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

/** The type of name columns: texts by code. */
export type NameDictionary = Dictionary<Utf8, Int32>;

// Type aliases, not interfaces: Arrow's table type demands an implicit index signature.

/**
 * The columns of a long frame, in this order unless `index_by_series` puts the ids first. Those after the ids are present
 * only where they are said to be; `getChild` returns null for a column that a frame lacks.
 */
export type LongColumns = {
  /** First date of the period, in UTC; never null. */
  start_date: NotNull<TimestampMillisecond>;
  /** Last date of the period, inclusive, in UTC; never null. */
  end_date: NotNull<TimestampMillisecond>;
  /** In the unit of `unit_id`; NaN where it is null. */
  value: Float64;
  /** Id of the unit of `value`; null for a value without a unit. */
  unit_id: Int32;
  /** In UTC; null where the source has none. */
  reporting_date: TimestampMillisecond;
  /** Id of the metric; never null, like the other ids of the series. Negative for a derived metric. */
  metric_id: NotNull<Int32>;
  /** Id of the item. */
  item_id: NotNull<Int32>;
  /** Id of the region. */
  region_id: NotNull<Int32>;
  /** The other region, as in trade; 0 for the world. */
  partner_region_id: NotNull<Int32>;
  /** Id of the frequency. */
  frequency_id: NotNull<Int32>;
  /** Id of the source. */
  source_id: NotNull<Int32>;
  /** With `show_available_date`, in UTC; null where it is unknown. */
  available_date: TimestampMillisecond;
  /** With `show_metadata`: the remarks of the source as JSON text, or null. */
  metadata: Utf8;
  /** Name of the metric, with `include_names`. */
  metric_name: NotNull<NameDictionary>;
  /** Name of the item, with `include_names`. */
  item_name: NotNull<NameDictionary>;
  /** Name of the region, with `include_names`. */
  region_name: NotNull<NameDictionary>;
  /** Name of the partner region, with `include_names`. */
  partner_region_name: NotNull<NameDictionary>;
  /** Name of the frequency, with `include_names`. */
  frequency_name: NotNull<NameDictionary>;
  /** Name of the source, with `include_names`. */
  source_name: NotNull<NameDictionary>;
  /** Abbreviation of the unit, or null without one, with `include_names`. */
  unit_name: NameDictionary;
  /** In an average or sum across regions: the share of the weight whose regions have a value. */
  weight_present: Float64;
};

/**
 * The columns of a wide frame: `end_date` in UTC, ascending and never null, then one column for each series and unit
 * (Float64; null where the series has no value on that date).
 */
export type WideColumns = {
  /** Last date of the period, in UTC, ascending; never null. */
  end_date: NotNull<TimestampMillisecond>;
  /** One column for each series and unit; null where it has no value on that date. */
  [series: string]: TimestampMillisecond | Float64;
};

/** A long frame that arrives batch by batch; its schema is known before the first batch. */
export interface FrameStream {
  /** The Arrow schema, with the frame's metadata. */
  schema: Schema;
  /** Record batches of that schema. */
  batches: AsyncIterable<RecordBatch>;
  /** The provenance after the last batch, with the complete report. Parquet files end with it. */
  lastProvenance?: (() => Provenance) | undefined;
}
