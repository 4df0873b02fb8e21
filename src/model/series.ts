/** What tells one series from another; `partner_region_id` 0 is the world. */
export interface SeriesKey {
  metric_id: number;
  item_id: number;
  region_id: number;
  partner_region_id: number;
  source_id: number;
  frequency_id: number;
}

/** The fields of a series key in the order in which frames show and sort them. */
export const SERIES_KEY_FIELDS = [
  'metric_id',
  'item_id',
  'region_id',
  'partner_region_id',
  'frequency_id',
  'source_id',
] as const satisfies readonly (keyof SeriesKey)[];

/** One series with the time range over which it has data; dates are ISO 8601 UTC with milliseconds and Z. */
export interface DataSeries extends SeriesKey {
  metric_name?: string | undefined;
  item_name?: string | undefined;
  region_name?: string | undefined;
  partner_region_name?: string | undefined;
  source_name?: string | undefined;
  frequency_name?: string | undefined;
  start_date: string;
  end_date: string;
  /** Points that the default retrieval would give, counted when the data was loaded. */
  data_count_estimate?: number | undefined;
  metadata?: { includes_historical_region?: boolean | undefined } | undefined;
}

/** The key alone of anything that carries one. */
export function seriesKeyOf(series: SeriesKey): SeriesKey {
  const { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id } = series;
  return { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id };
}

/** A text that is equal for equal keys and differs for different ones. */
export function seriesKeyText(key: SeriesKey): string {
  return SERIES_KEY_FIELDS.map((field) => key[field]).join('-');
}

/** Orders keys as `index_by_series` sorts a frame. */
export function compareSeriesKeys(a: SeriesKey, b: SeriesKey): number {
  for (const field of SERIES_KEY_FIELDS) {
    const difference = a[field] - b[field];
    if (difference !== 0) return difference;
  }
  return 0;
}
