import { signal } from '@preact/signals';
import { type SeriesKey, seriesKeyOf, seriesKeyText } from '../../model/series.js';
import { choose, drag, page, sliceOf } from '../state/page.js';
import { resource, singleFlight } from '../state/resource.js';
import { ask } from '../state/service.js';
import { EMPTY_STATE, type Facet, type Filters, MAX_SERIES, NO_FILTERS } from '../state/view-state.js';
import { askFacets, selectionOf } from './facets.js';

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
  sliceOf(({ filters }) => filters),
  (filters, signal) => listMatching(filters, signal),
);

/** The series that fit filters, the best covered first; of many, those of the regions with the most series. */
export async function listMatching(filters: Filters, signal: AbortSignal): Promise<readonly Candidate[]> {
  const { series, values } = await askFacets(filters, { limit: MAX_REGIONS, signal });
  if (series === 0) return [];
  const isNarrow = series <= MAX_LISTED;
  const narrowed = isNarrow ? filters : narrowedFilters(filters, values);
  return listSeries(narrowed, signal);
}

/** At the first view, the list and the proposal ask the same. */
const listSeries = singleFlight(async (filters: Filters, signal): Promise<readonly Candidate[]> => {
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

/** Why nothing was picked, or what the page could not show. */
export const pickProblem = signal<unknown>(null);

let picking: AbortController | null = null;

/** Narrows the series down by a hit of the search box; `adds` keeps the other values of its facet, and the series drawn. */
export function pickHit(facet: Facet, id: number, adds: boolean): Promise<void> {
  const before = page.peek().filters;
  const filters = adds
    ? { ...before, [facet]: [...new Set([...before[facet], id])] }
    : { ...NO_FILTERS, [facet]: [id] };
  // Of what is added, not of all: the best covered of all may be those that are drawn.
  return pickFilters(filters, adds ? { ...before, [facet]: [id] } : null);
}

/** Sets the filters, and draws the best covered series that fit them, or adds those that fit `added`. */
export async function pickFilters(filters: Filters, added: Filters | null = null): Promise<void> {
  picking?.abort(new DOMException('another choice took its place', 'AbortError'));
  const request = new AbortController();
  picking = request;
  pickProblem.value = null;
  try {
    const proposed = proposeSeries(await listMatching(added ?? filters, request.signal));
    if (picking !== request) return;
    const series = added !== null ? joined(page.peek().series, proposed) : proposed;
    choose({ filters, query: '', ...(series.length === 0 ? {} : { series, ...FRESH }) });
  } catch (error) {
    if (picking === request && !request.signal.aborted) pickProblem.value = error;
  }
}

/** What belongs to the series that were drawn before. */
const FRESH = {
  from: EMPTY_STATE.from,
  to: EMPTY_STATE.to,
  unit: EMPTY_STATE.unit,
  date: EMPTY_STATE.date,
} as const;

/** Adds a series to those that are drawn, or takes it away. */
export function toggleSeries(series: SeriesKey): void {
  const { series: drawn } = page.peek();
  const text = seriesKeyText(series);
  const without = drawn.filter((one) => seriesKeyText(one) !== text);
  if (without.length < drawn.length) choose({ series: without });
  else if (drawn.length < MAX_SERIES) choose({ series: [...drawn, series] });
}

function joined(drawn: readonly SeriesKey[], more: readonly SeriesKey[]): readonly SeriesKey[] {
  const all = new Map([...drawn, ...more].map((one) => [seriesKeyText(one), one]));
  return [...all.values()].slice(0, MAX_SERIES);
}

/** Draws the best covered series of the service, where nothing is chosen yet. */
export async function proposeFirstView(): Promise<void> {
  const { series, filters, query } = page.peek();
  if (series.length > 0 || query !== '' || Object.values(filters).some((ids) => ids.length > 0)) return;
  const request = new AbortController();
  picking = request;
  try {
    const proposed = proposeSeries(await listMatching(NO_FILTERS, request.signal));
    if (picking !== request || page.peek().series.length > 0) return;
    // In the link too, or going back to it would find nothing chosen.
    drag({ series: proposed });
  } catch (error) {
    if (picking === request) pickProblem.value = error;
  }
}
