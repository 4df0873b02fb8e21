import { signal } from '@preact/signals';
import { yearOf } from '../../model/calendar.js';
import { MAX_SERIES } from '../../model/chart-choices.js';
import { FREQUENCIES, periodDays } from '../../model/frequency.js';
import { groupedBy } from '../../model/grouping.js';
import { type DataSeries, type SeriesKey, seriesKeyOf, seriesKeyText } from '../../model/series.js';
import { choose, drag, page, sliceOf } from '../state/page.js';
import { resource, singleFlight } from '../state/resource.js';
import { ask } from '../state/service.js';
import { EMPTY_STATE, type Facet, type Filters, type ViewState } from '../state/view-state.js';
import { askFacets, FACET_LIMIT, selectionOf } from './facets.js';

/** More series are not listed: the filters are narrowed instead. */
const MAX_LISTED = 500;

/** The series that fit the filters of the page, the best covered first. */
export const matching = resource(
  sliceOf(({ filters }) => filters),
  listMatching,
);

/** The series that fit filters, the best covered first; of many, those of the regions with the most series. */
async function listMatching(filters: Filters, signal: AbortSignal): Promise<readonly DataSeries[]> {
  const found = await askFacets({ filters }, signal);
  if (found.series === 0) return [];
  return listSeries(found.series <= MAX_LISTED ? filters : narrowedFilters(filters, found), signal);
}

/** At the first view, the list and the proposal ask the same. */
const listSeries = singleFlight(async (filters: Filters, signal): Promise<readonly DataSeries[]> => {
  const found = await ask((client) => client.getDataSeries(selectionOf(filters), { signal }), signal);
  return found.sort((a, b) => (b.data_count_estimate ?? 0) - (a.data_count_estimate ?? 0));
});

/** The filters with only the values that have the most series, where a facet is not restricted. */
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
 * The series to draw of those that fit: the best covered ones of one metric, item, frequency and source. A single series
 * without such company has that of its metric.
 */
function proposeSeries(candidates: readonly DataSeries[]): readonly SeriesKey[] {
  const [best = []] = groupsOf(candidates, SUBJECT);
  const [company = []] =
    best.length > 1 ? [best] : groupsOf(candidates, ['metric_id', 'frequency_id', 'source_id']);
  return company.slice(0, MAX_PROPOSED).map(seriesKeyOf);
}

/** The series by ids that they share, the groups whose best few have the most points first. */
function groupsOf(
  candidates: readonly DataSeries[],
  shared: readonly (keyof SeriesKey)[],
): readonly (readonly DataSeries[])[] {
  const groups = groupedBy(candidates, (one) => shared.map((field) => one[field]).join());
  const points = (group: readonly DataSeries[]) =>
    group.slice(0, MAX_PROPOSED).reduce((sum, { data_count_estimate = 0 }) => sum + data_count_estimate, 0);
  return [...groups.values()].sort((a, b) => points(b) - points(a));
}

const SUBJECT = ['metric_id', 'item_id', 'frequency_id', 'source_id'] as const;
/** Periods of fewer days are fine: a year of them is shown against the others, and a map has the last year. */
const COARSE_DAYS = 28;
/** Fewer regions are no map; and of so many groups, one series is looked at for revisions. */
const MIN_MAPPED = 12;
const MAX_ASKED = 12;
/** Years that give the next one a usual range. */
const MIN_USUAL_YEARS = 3;

/** Whether the periods of a series are so short that many years are too many of them. */
export function isFine({ frequency_id }: Pick<SeriesKey, 'frequency_id'>): boolean {
  const frequency = FREQUENCIES.find(({ id }) => id === frequency_id);
  return frequency !== undefined && periodDays(frequency) < COARSE_DAYS;
}

/**
 * The most telling view of the service's data: a figure that was revised from report to report, a map of many regions,
 * a year against the years before, or the best covered series.
 */
async function tellingView(
  candidates: readonly DataSeries[],
  signal: AbortSignal,
): Promise<Partial<ViewState>> {
  const groups = groupsOf(
    candidates.filter((one) => !isFine(one)),
    SUBJECT,
  );
  const revised = await Promise.all(groups.slice(0, MAX_ASKED).map(([first]) => isRevised(first!, signal)));
  const forecast = groups[revised.indexOf(true)];
  if (forecast !== undefined) return { view: 'revisions', series: [seriesKeyOf(forecast[0]!)] };
  const mapped = groups.find((group) => new Set(group.map(({ region_id }) => region_id)).size >= MIN_MAPPED);
  if (mapped !== undefined) return { view: 'map', series: [seriesKeyOf(mapped[0]!)] };
  const year = (date: string | null | undefined) => yearOf(Date.parse(date ?? ''));
  const usual = candidates.find(
    (one) => isFine(one) && year(one.end_date) - year(one.start_date) >= MIN_USUAL_YEARS,
  );
  return usual === undefined
    ? { series: proposeSeries(candidates) }
    : { series: [seriesKeyOf(usual)], scale: 'usual' };
}

/** Whether most periods of a series were reported several times. */
async function isRevised(one: DataSeries, signal: AbortSignal): Promise<boolean> {
  try {
    const { points } = await ask((client) => client.vintages(seriesKeyOf(one), { limit: 1, signal }), signal);
    return points >= 2 * (one.data_count_estimate ?? Number.POSITIVE_INFINITY);
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** The reason why nothing was picked, or was not shown. */
export const pickProblem = signal<unknown>(null);

let picking: AbortController | null = null;

/** Narrows the series down by a hit of the search box; `adds` keeps the other values of its facet, and the series drawn. */
export function pickHit(facet: Facet, id: number, adds: boolean): Promise<void> {
  const before = page.peek().filters;
  const filters = adds
    ? { ...before, [facet]: [...new Set([...before[facet], id])] }
    : { ...EMPTY_STATE.filters, [facet]: [id] };
  // Of the added series, not of all: the best covered of all may be drawn already.
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
    const both = [...(added === null ? [] : page.peek().series), ...proposed];
    const series = [...new Map(both.map((one) => [seriesKeyText(one), one])).values()].slice(0, MAX_SERIES);
    // A chosen series replaces a view that nobody chose.
    const chart = page.peek().view === proposal.view ? CHART : {};
    proposal.view = undefined;
    choose({ filters, query: '', ...(series.length === 0 ? {} : { series, ...FRESH, ...chart }) });
  } catch (error) {
    if (picking === request && !request.signal.aborted) pickProblem.value = error;
  }
}

/** The state of the series that were drawn before. */
const FRESH = { from: null, to: null, unit: null, date: null };
const CHART = { view: 'chart', scale: 'auto' } as const;

/** The view that the page proposed, until somebody chooses. */
const proposal: { view: ViewState['view'] | undefined } = { view: undefined };

/** Adds a series to those that are drawn, or takes it away. */
export function toggleSeries(series: SeriesKey): void {
  const { series: drawn } = page.peek();
  const text = seriesKeyText(series);
  const without = drawn.filter((one) => seriesKeyText(one) !== text);
  if (without.length < drawn.length) choose({ series: without });
  else if (drawn.length < MAX_SERIES) choose({ series: [...drawn, series] });
}

/** Draws the best covered series of the service, where nothing is chosen yet. */
export async function proposeFirstView(): Promise<void> {
  const { series, filters, query } = page.peek();
  if (series.length > 0 || query !== '' || Object.values(filters).some((ids) => ids.length > 0)) return;
  const request = new AbortController();
  picking = request;
  try {
    const telling = await tellingView(
      await listMatching(EMPTY_STATE.filters, request.signal),
      request.signal,
    );
    if (picking !== request || page.peek().series.length > 0) return;
    const { view: chosen } = page.peek();
    if (chosen === 'chart') proposal.view = telling.view ?? chosen;
    // In the link too, or going back to it would find nothing chosen.
    drag(chosen === 'chart' ? telling : { series: telling.series ?? [] });
  } catch (error) {
    if (picking === request) pickProblem.value = error;
  }
}
