/** The query key of each field of a selection. */
export const QUERY_KEYS = {
  metric_id: 'metricId',
  item_id: 'itemId',
  region_id: 'regionId',
  partner_region_id: 'partnerRegionId',
  source_id: 'sourceId',
  frequency_id: 'frequencyId',
} as const;
