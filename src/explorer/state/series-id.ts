/** The ids that tell a series from all others, as every frame and every request names them. */
export interface SeriesId {
  readonly metric_id: number;
  readonly item_id: number;
  readonly region_id: number;
  /** 0 is the world. */
  readonly partner_region_id: number;
  readonly source_id: number;
  readonly frequency_id: number;
}

/** The ids of anything that has them, without its other fields. */
export function idOf(series: SeriesId): SeriesId {
  const { metric_id, item_id, region_id, partner_region_id, source_id, frequency_id } = series;
  return { metric_id, item_id, region_id, partner_region_id, source_id, frequency_id };
}

/** A series as a link names it: `metric.item.region.partner.source.frequency`. */
export function printSeries(series: SeriesId): string {
  return Object.values(idOf(series)).join('.');
}
