import * as v from 'valibot';
import { DATE, INTEGER, withMeaning } from './schemas.js';

const KEY = {
  /** Id of the metric, which is how it is measured. */
  metric_id: INTEGER,
  /** Id of the item, the measured product. */
  item_id: INTEGER,
  /** Id of the region, which is where it is measured. */
  region_id: INTEGER,
  /** Id of the partner region of a trade flow; 0 is the world. */
  partner_region_id: v.nullish(INTEGER, 0),
  /** Id of the source that published it. */
  source_id: INTEGER,
  /** Id of the frequency of its periods. */
  frequency_id: INTEGER,
};
/** The ids of a series. */
export const seriesKey = v.object(KEY);

/** A series, as services list it. */
export const datedSeries = v.object({
  ...KEY,
  /** Name of the metric. */
  metric_name: v.optional(v.string()),
  /** Name of the item. */
  item_name: v.optional(v.string()),
  /** Name of the region. */
  region_name: v.optional(v.string()),
  /** Name of the partner region. */
  partner_region_name: v.optional(v.string()),
  /** Name of the source. */
  source_name: v.optional(v.string()),
  /** Name of the frequency. */
  frequency_name: v.optional(v.string()),
  /** Start of the earliest period, or the wanted start. */
  start_date: DATE,
  /** End of the latest period, or the wanted end. */
  end_date: DATE,
  /** The number of points that the default retrieval returns, counted at import. */
  data_count_estimate: v.optional(
    withMeaning('number of points that the default retrieval returns', v.number()),
  ),
  /** The service's note on whether the region exists only in historical data. */
  metadata: v.optional(v.object({ includes_historical_region: v.optional(v.boolean()) })),
});

const { start_date, end_date } = datedSeries.entries;
export const dataSeries = v.object({
  ...datedSeries.entries,
  /** Start of the earliest period, or the wanted start. */
  start_date: v.optional(start_date),
  /** End of the latest period, or the wanted end. */
  end_date: v.optional(end_date),
});
