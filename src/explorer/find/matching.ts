import { FREQUENCIES, periodDays } from '../../model/frequency.js';
import { groupedBy } from '../../model/grouping.js';
import { type DataSeries, type SeriesKey, seriesKeyOf } from '../../model/series.js';
import { sliceOf } from '../state/page.js';
import { askedOnce, resource } from '../state/resource.js';
import { ask } from '../state/service.js';
import type { Filters } from '../state/view-state.js';
import { askFacets, FACET_LIMIT, selectionOf } from './facets.js';

/** More series are not listed: the filters are narrowed instead. */
const MAX_LISTED = 500;

/** The series that fit the filters of the page, the best covered first. */
export const matching = resource(
  sliceOf(({ filters }) => filters),
  listMatching,
);

/** Returns the series that fit filters, the best covered first; of many, those of the regions with the most series. */
export async function listMatching(filters: Filters): Promise<readonly DataSeries[]> {
  const found = await askFacets({ filters });
  if (found.series === 0) return [];
  return listSeries(found.series <= MAX_LISTED ? filters : narrowedFilters(filters, found));
}

/** At the first view, the list and the proposal ask the same. */
const listSeries = askedOnce(async (filters: Filters): Promise<readonly DataSeries[]> => {
  const found = await ask((client) => client.getDataSeries(selectionOf(filters)));
  return found.sort((a, b) => (b.data_count_estimate ?? 0) - (a.data_count_estimate ?? 0));
});

/** Returns the filters with only the values that have the most series, where a facet is not restricted. */
function narrowedFilters(
  filters: Filters,
  { metrics, items, regions }: Awaited<ReturnType<typeof askFacets>>,
): Filters {
  const first = (chosen: readonly number[], all: readonly { id: number }[], count: number) =>
    chosen.length > 0 && chosen.length <= count ? chosen : all.slice(0, count).map(({ id }) => id);
  return {
    ...filters,
    metric: first(filters.metric, metrics, 1),
    item: first(filters.item, items, 1),
    region: first(filters.region, regions, FACET_LIMIT),
  };
}

/** Series that are drawn together without being asked. */
const MAX_PROPOSED = 5;

/**
 * Returns the series to draw of those that fit: the best covered ones of one metric, item, frequency and source. A
 * single series without such company has that of its metric.
 */
export function proposeSeries(candidates: readonly DataSeries[]): readonly SeriesKey[] {
  const [best = []] = groupsOf(candidates, SUBJECT);
  const [company = []] =
    best.length > 1 ? [best] : groupsOf(candidates, ['metric_id', 'frequency_id', 'source_id']);
  return company.slice(0, MAX_PROPOSED).map(seriesKeyOf);
}

/** Returns the series by ids that they share, the groups whose best few have the most points first. */
export function groupsOf(
  candidates: readonly DataSeries[],
  shared: readonly (keyof SeriesKey)[],
): readonly (readonly DataSeries[])[] {
  const groups = groupedBy(candidates, (one) => shared.map((field) => one[field]).join());
  const points = (group: readonly DataSeries[]) =>
    group.slice(0, MAX_PROPOSED).reduce((sum, { data_count_estimate = 0 }) => sum + data_count_estimate, 0);
  return [...groups.values()].sort((a, b) => points(b) - points(a));
}

/** The ids that the series of one figure share. */
export const SUBJECT = ['metric_id', 'item_id', 'frequency_id', 'source_id'] as const;
/** Periods of fewer days are fine: a year of them is shown against the others, and a map has the last year. */
const COARSE_DAYS = 28;

/** Checks whether the periods of a series are so short that many years are too many of them. */
export function isFine({ frequency_id }: Pick<SeriesKey, 'frequency_id'>): boolean {
  const frequency = FREQUENCIES.find(({ id }) => id === frequency_id);
  return frequency !== undefined && periodDays(frequency) < COARSE_DAYS;
}
