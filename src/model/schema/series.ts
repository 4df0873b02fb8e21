import * as v from 'valibot';
import { DATE, INTEGER, optionalWith, withMeaning } from './schemas.js';

// Kept out of `series.ts`, which the page's first script loads: valibot would add 5 kB to the script's 32 kB.
export const seriesKey = v.object({
  /** The id of the metric, which is the quantity that is measured. */
  metric_id: INTEGER,
  /** The id of the item, which is the measured product. */
  item_id: INTEGER,
  /** The id of the region where the item is measured. */
  region_id: INTEGER,
  /** The id of a trade flow's partner region; 0 stands for the world. */
  partner_region_id: v.nullish(INTEGER, 0),
  /** The id of the source that published the series. */
  source_id: INTEGER,
  /** The id of the frequency, which sets the length of the periods. */
  frequency_id: INTEGER,
});

export const datedSeries = v.object({
  ...seriesKey.entries,
  /** The metric's name. */
  metric_name: v.optional(v.string()),
  /** The item's name. */
  item_name: v.optional(v.string()),
  /** The region's name. */
  region_name: v.optional(v.string()),
  /** The partner region's name. */
  partner_region_name: v.optional(v.string()),
  /** The source's name. */
  source_name: v.optional(v.string()),
  /** The frequency's name. */
  frequency_name: v.optional(v.string()),
  /** The start date that was requested or, if none was requested, the start of the earliest period. */
  start_date: DATE,
  /** The end date that was requested or, if none was requested, the end of the latest period. */
  end_date: DATE,
  /** The number of points that a retrieval with default options returns, as counted at import. */
  data_count_estimate: optionalWith('number of points that the default retrieval returns', v.number()),
  /** The service's note on whether the region exists only in historical data. */
  metadata: v.optional(v.object({ includes_historical_region: v.optional(v.boolean()) })),
});

const { start_date, end_date } = datedSeries.entries;
export const dataSeries = v.object({
  ...datedSeries.entries,
  /** The start date that was requested or, if none was requested, the start of the earliest period. */
  start_date: v.optional(start_date),
  /** The end date that was requested or, if none was requested, the end of the latest period. */
  end_date: v.optional(end_date),
});

export const coverage = v.object({
  /** The share (0 to 1) of the wanted period that has data. */
  share: withMeaning('share of the period that has data, from 0 to 1', v.number()),
  /** The number of points. */
  points: INTEGER,
  /** The start of the data, in UTC milliseconds. */
  startMs: v.number(),
  /** The end of the data, in UTC milliseconds. */
  endMs: v.number(),
  /** The length of one period in days. */
  periodDays: v.number(),
});
