import { type SeriesKey, seriesKeyOf } from '../../model/series.js';
import { part } from '../state/page.js';
import { resource } from '../state/resource.js';
import { ask } from '../state/service.js';
import type { Filters } from '../state/view-state.js';
import { askFacets, selectionOf } from './facets.js';
import { shared } from './shared.js';

/** A series that fits the filters. */
export interface Candidate extends SeriesKey {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly data_count_estimate?: number | undefined;
}

/** More series are not listed: the filters are narrowed instead. */
const MAX_LISTED = 500;
const MAX_REGIONS = 50;

/** The series that fit the filters of the page, the best covered first. */
export const matching = resource(
  part(({ filters }) => filters),
  (filters, signal) => listMatching(filters, signal),
);

/** The series that fit filters, the best covered first; of many, those of the regions with the most series. */
export async function listMatching(filters: Filters, signal: AbortSignal): Promise<readonly Candidate[]> {
  const { series, values } = await askFacets(filters, { limit: MAX_REGIONS, signal });
  if (series === 0) return [];
  const isNarrow = series <= MAX_LISTED;
  const narrowed = isNarrow ? filters : narrowedFilters(filters, values);
  return listShared(narrowed, signal);
}

/** At the first view, the list and the proposal ask the same. */
const listShared = shared(async (filters: Filters, signal): Promise<readonly Candidate[]> => {
  const found = await ask((client) => client.getDataSeries(selectionOf(filters), { signal }), signal);
  return found.sort(byCoverage);
});

/** The filters with only the values that have the most series, where a facet is not restricted. */
function narrowedFilters(
  filters: Filters,
  { metric, item, region }: Awaited<ReturnType<typeof askFacets>>['values'],
): Filters {
  const first = (chosen: readonly number[], all: readonly { id: number }[], count: number) =>
    chosen.length > 0 && chosen.length <= count ? chosen : all.slice(0, count).map(({ id }) => id);
  return {
    ...filters,
    metric: first(filters.metric, metric, 1),
    item: first(filters.item, item, 1),
    region: first(filters.region, region, MAX_REGIONS),
  };
}

function byCoverage(a: Candidate, b: Candidate): number {
  return (b.data_count_estimate ?? 0) - (a.data_count_estimate ?? 0);
}

/** Series that are drawn together without being asked. */
const MAX_PROPOSED = 5;

/**
 * The series to draw of those that fit: the best covered ones of one metric, item, frequency and source. A single series
 * without such company has that of its metric.
 */
export function proposeSeries(candidates: readonly Candidate[]): readonly SeriesKey[] {
  const best = bestGroup(candidates, ['metric_id', 'item_id', 'frequency_id', 'source_id']);
  const company = best.length > 1 ? best : bestGroup(candidates, ['metric_id', 'frequency_id', 'source_id']);
  return company.map(seriesKeyOf);
}

/** Of the series that share some ids, the best covered few of the group whose best few have the most points. */
function bestGroup(
  candidates: readonly Candidate[],
  shared: readonly (keyof SeriesKey)[],
): readonly Candidate[] {
  const groups = new Map<string, Candidate[]>();
  for (const one of candidates) {
    const key = shared.map((field) => one[field]).join();
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    if (group.length < MAX_PROPOSED) group.push(one);
  }
  const points = (group: readonly Candidate[]) =>
    group.reduce((sum, { data_count_estimate = 0 }) => sum + data_count_estimate, 0);
  const [best = []] = [...groups.values()].sort((a, b) => points(b) - points(a));
  return best;
}
