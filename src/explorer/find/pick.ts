import { signal } from '@preact/signals';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import { choose, drag, page } from '../state/page.js';
import { EMPTY_STATE, type Facet, type Filters, MAX_SERIES, NO_FILTERS } from '../state/view-state.js';
import { listMatching, proposeSeries } from './matching.js';

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
