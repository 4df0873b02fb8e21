import { FREQUENCIES, periodDays } from '../../model/frequency.js';
import { groupedBy } from '../../model/grouping.js';
import { type DataSeries, type SeriesKey, seriesKeyOf } from '../../model/series.js';
import { page } from '../state/page.js';
import { resource, shareRequests } from '../state/resource.js';
import { ask } from '../state/service.js';
import type { Filters } from '../state/view-state.js';
import { askFacets, FACET_LIMIT, filterSelection } from './facets.js';

/** The maximum number of listed series. If more match, the filters are narrowed automatically. */
const MAX_LISTED = 500;

export const matching = resource(() => page.value.filters, listMatching);

/** Lists the series that match the filters, those with the most points first. Narrows filters that are too wide. */
export async function listMatching(filters: Filters): Promise<readonly DataSeries[]> {
  const found = await askFacets({ filters });
  if (found.series === 0) return [];
  return listSeries(found.series <= MAX_LISTED ? filters : narrowFilters(filters, found));
}

/** Requests series. Requests are shared, because the list and the suggested view make the same one on startup. */
const listSeries = shareRequests(async (filters: Filters): Promise<readonly DataSeries[]> => {
  const found = await ask((client) => client.getDataSeries(filterSelection(filters)));
  return found.sort((a, b) => (b.data_count_estimate ?? 0) - (a.data_count_estimate ?? 0));
});

/** Narrows the filters to the metric, item and regions with the most series, unless they are already that narrow. */
function narrowFilters(
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

const MAX_PROPOSED = 5;

/** Returns the series of the subject with the most points or, if it has only one, series for different items. */
export function proposeSeries(candidates: readonly DataSeries[]): readonly SeriesKey[] {
  const [best = []] = groupsOf(candidates, SUBJECT);
  const [company = []] =
    best.length > 1 ? [best] : groupsOf(candidates, ['metric_id', 'frequency_id', 'source_id']);
  return company.slice(0, MAX_PROPOSED).map(seriesKeyOf);
}

/** Groups series that share the given ids. The group whose first few series have the most points comes first. */
export function groupsOf(
  candidates: readonly DataSeries[],
  shared: readonly (keyof SeriesKey)[],
): readonly (readonly DataSeries[])[] {
  const groups = groupedBy(candidates, (one) => shared.map((field) => one[field]).join());
  const points = (group: readonly DataSeries[]) =>
    group.slice(0, MAX_PROPOSED).reduce((sum, { data_count_estimate = 0 }) => sum + data_count_estimate, 0);
  return [...groups.values()].sort((a, b) => points(b) - points(a));
}

/** The ids that must be the same in series that are shown together. */
export const SUBJECT = ['metric_id', 'item_id', 'frequency_id', 'source_id'] as const;
/** Series with shorter periods than this are fine-grained: their years are compared, and maps load only one year. */
const COARSE_DAYS = 28;

export function isFine({ frequency_id }: Pick<SeriesKey, 'frequency_id'>): boolean {
  return FREQUENCIES.some((one) => one.id === frequency_id && periodDays(one) < COARSE_DAYS);
}
