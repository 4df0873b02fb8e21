import { computed } from '@preact/signals';
import type { DataSeries } from '../../model/series.js';
import { countSeries, TYPES } from '../state/names.js';
import { page } from '../state/page.js';
import { resource, shareRequests } from '../state/resource.js';
import { ask, askEarly } from '../state/service.js';
import { FACETS, type Filters } from '../state/view-state.js';

/** The maximum number of values listed for each facet, and of regions whose series are listed. */
const FACET_LIMIT = 50;
export const isFiltered = computed(() => Object.values(page.value.filters).some((ids) => ids.length > 0));

function filterSelection(filters: Filters): Record<string, readonly number[]> {
  const restricting = FACETS.filter((facet) => filters[facet].length > 0);
  return Object.fromEntries(restricting.map((facet) => [`${facet}_id`, filters[facet]]));
}

/** Requests the facets of all series before the client is loaded, because a page without filters needs them first. */
export function askFacetsEarly(): void {
  const query = new URLSearchParams(FACETS.map((facet) => ['in', TYPES[facet]]));
  if (!isFiltered.peek()) askEarly(`v2/facets?${query}&limit=${FACET_LIMIT}`);
}

/** Counts the series that match the filters, by facet. On startup, three parts of the page share a single request. */
export const askFacets = shareRequests((filters: Filters) =>
  countSeries(filterSelection(filters), { limit: FACET_LIMIT, in: FACETS.map((facet) => TYPES[facet]) }),
);

/** The facets of the series that match the page's filters. Each facet ignores its own filter. */
export const facets = resource(() => page.value.filters, askFacets);
/** The maximum number of listed series. If more series match, the filters are narrowed automatically. */
const MAX_LISTED = 500;
export const matching = resource(() => page.value.filters, listMatching);

/** Lists the series that match the filters, those with the most points first. Narrows filters that are too broad. */
export async function listMatching(filters: Filters): Promise<readonly DataSeries[]> {
  const found = await askFacets(filters);
  if (found.series === 0) return [];
  return listSeries(found.series <= MAX_LISTED ? filters : narrowFilters(filters, found));
}

/** Requests the series that match the filters. On startup, the list and the suggested view share a single request. */
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
