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

/** The ids of a series, in the order in which links name them. */
export const SERIES_FIELDS = [
  'metric_id',
  'item_id',
  'region_id',
  'partner_region_id',
  'source_id',
  'frequency_id',
] as const satisfies readonly (keyof SeriesId)[];

/** The ids of anything that has them, without its other fields. */
export function idOf(series: SeriesId): SeriesId {
  return seriesIdOf((field) => series[field]);
}

/** The series of which each id is looked up by its field. */
export function seriesIdOf(idOfField: (field: keyof SeriesId, at: number) => number): SeriesId {
  return Object.fromEntries(
    SERIES_FIELDS.map((field, at) => [field, idOfField(field, at)]),
  ) as unknown as SeriesId;
}

/** A series as a link names it: `metric.item.region.partner.source.frequency`. */
export function printSeries(series: SeriesId): string {
  return Object.values(idOf(series)).join('.');
}
