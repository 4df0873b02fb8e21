import type { DataSeries } from '../../model/series.js';
import { parseTime } from '../../model/time.js';

/** What is known of some series together. A date or a number of points that one of them does not state is null. */
export interface SeriesCount {
  series: number;
  points: number | null;
  /** UTC milliseconds. */
  start: number | null;
  end: number | null;
}

/** The fields of a series that a row of a catalogue is of. */
export const CATALOGUE_FIELDS = [
  ['source', 'sources'],
  ['metric', 'metrics'],
  ['item', 'items'],
  ['frequency', 'frequencies'],
] as const;
type CatalogueField = (typeof CATALOGUE_FIELDS)[number][0];

/** The series of one source, metric, item and frequency. */
export interface CataloguedGroup {
  readonly ids: Readonly<Record<CatalogueField, number>>;
  /** Undefined where the service does not say. */
  readonly names: Record<CatalogueField, string | undefined>;
  readonly regions: Map<number, SeriesCount>;
}

/** Counts series by source, metric, item, frequency and region; of each series nothing else is kept. */
export class SeriesCounts {
  readonly groups = new Map<string, CataloguedGroup>();

  add(series: readonly DataSeries[]): void {
    for (const one of series) {
      const { regions } = this.#groupOf(one);
      const counted = countOf(one);
      const before = regions.get(one.region_id);
      regions.set(one.region_id, before === undefined ? counted : sumOf(before, counted));
    }
  }

  #groupOf(series: DataSeries): CataloguedGroup {
    const { source_id: source, metric_id: metric, item_id: item, frequency_id: frequency } = series;
    const key = `${source}-${metric}-${item}-${frequency}`;
    let group = this.groups.get(key);
    if (group === undefined) {
      const names = { source: undefined, metric: undefined, item: undefined, frequency: undefined };
      group = { ids: { source, metric, item, frequency }, names, regions: new Map() };
      this.groups.set(key, group);
    }
    for (const [field] of CATALOGUE_FIELDS) group.names[field] ??= series[`${field}_name`];
    return group;
  }
}

function countOf({ start_date, end_date, data_count_estimate }: DataSeries): SeriesCount {
  return {
    series: 1,
    points: data_count_estimate ?? null,
    start: start_date === undefined ? null : parseTime(start_date, 'start_date'),
    end: end_date === undefined ? null : parseTime(end_date, 'end_date'),
  };
}

/** Both together. */
export function sumOf(a: SeriesCount, b: SeriesCount): SeriesCount {
  return {
    series: a.series + b.series,
    points: a.points === null || b.points === null ? null : a.points + b.points,
    start: a.start === null || b.start === null ? null : Math.min(a.start, b.start),
    end: a.end === null || b.end === null ? null : Math.max(a.end, b.end),
  };
}
