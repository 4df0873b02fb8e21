import * as v from 'valibot';
import { DATE, INTEGER, withMeaning } from './schemas.js';

const KEY = {
  /** Id of the metric: how it is measured. */
  metric_id: INTEGER,
  /** Id of the item, the measured product. */
  item_id: INTEGER,
  /** Id of the region: where it is measured. */
  region_id: INTEGER,
  /** Id of the partner region of a trade flow; 0 is the world. */
  partner_region_id: v.nullish(INTEGER, 0),
  /** Id of the source: who published it. */
  source_id: INTEGER,
  /** Id of the frequency: how often it has a period. */
  frequency_id: INTEGER,
};
/** The ids of a series. */
export const seriesKey = v.object(KEY);

/** A series, as services list them. */
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
  /** Start of its earliest period, or the wanted one. */
  start_date: DATE,
  /** End of its latest period, or the wanted one. */
  end_date: DATE,
  /** Number of points that the default retrieval returns, counted at import. */
  data_count_estimate: v.optional(
    withMeaning('number of points that the default retrieval returns', v.number()),
  ),
  /** Notes of the service about the series: whether its region exists only in historical data. */
  metadata: v.optional(v.object({ includes_historical_region: v.optional(v.boolean()) })),
});

const { start_date, end_date } = datedSeries.entries;
export const dataSeries = v.object({
  ...datedSeries.entries,
  /** Start of its earliest period, or the wanted one. */
  start_date: v.optional(start_date),
  /** End of its latest period, or the wanted one. */
  end_date: v.optional(end_date),
});
