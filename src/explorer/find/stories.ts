import { computed, signal } from '@preact/signals';
import { countRows } from '../../columns/packed-points.js';
import { yearOf } from '../../model/calendar.js';
import { groupedBy } from '../../model/grouping.js';
import { type DataSeries, seriesKeyOf } from '../../model/series.js';
import { lookUp, nameOf } from '../state/names.js';
import { drag, page } from '../state/page.js';
import { ask } from '../state/service.js';
import { distinctSeries, EMPTY_STATE, type ViewState } from '../state/view-state.js';
import { askFacets, facets, isFiltered, listMatching } from './facets.js';
import { groupsOf, isFine, pickProblem, proposal, proposeSeries, SUBJECT } from './pick.js';

interface Story {
  readonly title: string;
  readonly state: Partial<ViewState>;
}

/** The suggested views. Empty if the page was opened from a link. */
export const stories = signal<readonly Story[]>([]);
export const isEmptyStore = computed(() => !isFiltered.value && facets.loaded.value.value?.series === 0);
const MIN_MAPPED = 12;
const MAX_ASKED = 24;
const MIN_SUPERSEDED = 2;
const MIN_USUAL_YEARS = 3;

/** The kinds of suggested views, most informative first. At most one view of each kind is suggested. */
const KINDS = [
  { kind: 'How a figure was revised', find: findRevised, state: { view: 'revisions' } },
  { kind: 'A map', find: findMapped, state: { view: 'map' } },
  { kind: 'The latest year against earlier years', find: findUsual, state: { scale: 'usual' } },
] as const;

/** Finds views to suggest among the candidates, one of each kind. Kinds without a suitable series are left out. */
async function findStories(candidates: readonly DataSeries[]): Promise<readonly Story[]> {
  const found = await Promise.all(KINDS.map(({ find }) => find(candidates)));
  return KINDS.flatMap(({ kind, state }, at) => {
    const series = found[at];
    if (series === undefined) return [];
    const subject = `${nameOf('item', series.item_id)} · ${nameOf('metric', series.metric_id)}`;
    return [{ title: `${kind}: ${subject}`, state: { ...state, series: [seriesKeyOf(series)] } }];
  });
}

/** Groups coarse series (see `isFine`) by subject. Takes up to `MAX_ASKED` per source, so that none is crowded out. */
function coarseGroups(candidates: readonly DataSeries[]) {
  const coarse = candidates.filter((one) => !isFine(one));
  const sources = groupedBy(coarse, ({ source_id }) => source_id);
  return [...sources.values()].flatMap((own) => groupsOf(own, SUBJECT).slice(0, MAX_ASKED));
}

/** Finds the candidate with the most superseded values (stored values minus periods), at least `MIN_SUPERSEDED`. */
async function findRevised(candidates: readonly DataSeries[]): Promise<DataSeries | undefined> {
  const firsts = coarseGroups(candidates).map(([first]) => first!);
  const superseded = firsts.map(() => 0);
  const failures: unknown[] = [];
  // A single request for all vintages is faster than a separate count request for each series.
  await ask((client) =>
    client.seriesPoints.begin().fetch(
      firsts.map((one) => ({ ...seriesKeyOf(one), complete_history: true })),
      {
        onArrival(at, { runs }) {
          superseded[at] = countRows(runs) - (firsts[at]!.data_count_estimate ?? Infinity);
        },
        onFailure: (_, cause) => failures.push(cause),
      },
    ),
  );
  if (firsts.length > 0 && failures.length === firsts.length) throw failures[0];
  return firsts[superseded.indexOf(Math.max(MIN_SUPERSEDED, ...superseded))];
}

function findUsual(candidates: readonly DataSeries[]): DataSeries | undefined {
  const year = (date: string | null | undefined) => yearOf(Date.parse(date ?? ''));
  return candidates.find(
    (one) => isFine(one) && year(one.end_date) - year(one.start_date) >= MIN_USUAL_YEARS,
  );
}

async function findMapped(candidates: readonly DataSeries[]): Promise<DataSeries | undefined> {
  for (const group of coarseGroups(candidates)) {
    const ids = [...new Set(group.map(({ region_id }) => region_id))];
    if (ids.length < MIN_MAPPED) continue;
    const regions = await lookUp('region', ids);
    const placed = Object.values(regions).filter(({ latitude }) => latitude !== null);
    if (placed.length >= MIN_MAPPED)
      return group.find(({ region_id }) => placed.some(({ id }) => id === region_id));
  }
  return undefined;
}

const MAX_SOURCES = 4;

/** Lists all series or, in a large store, the default list plus fine-grained series and series from each source. */
async function listCandidates(): Promise<readonly DataSeries[]> {
  const { filters } = EMPTY_STATE;
  const [{ sources, frequencies, series }, own] = await Promise.all([
    askFacets(filters),
    listMatching(filters),
  ]);
  if (series === own.length) return own;
  const fine = frequencies.map(({ id }) => id).filter((id) => isFine({ frequency_id: id }));
  const ids = sources.map(({ id }) => id);
  const narrowed = [
    { frequency: fine },
    ...ids.slice(0, MAX_SOURCES).map((id) => ({ source: [id] })),
    // All other sources, which are small, share one list.
    { source: ids.slice(MAX_SOURCES) },
  ].filter((filter) => Object.values(filter).flat().length > 0);
  const lists = await Promise.all(narrowed.map((filter) => listMatching({ ...filters, ...filter })));
  return distinctSeries([own, ...lists].flat());
}

/** If nothing is chosen, draws the first suggested view or, if there is none, the series with the most points. */
export async function proposeFirstView(): Promise<void> {
  const { series, query } = page.peek();
  if (series.length > 0 || query !== '' || isFiltered.peek()) return;
  try {
    const candidates = await listCandidates();
    const found = await findStories(candidates);
    const { view: chosen, series: drawn } = page.peek();
    if (drawn.length > 0) return;
    const telling = found[0]?.state ?? { series: proposeSeries(candidates) };
    if (chosen === 'chart') proposal.view = telling.view ?? chosen;
    // The link must include the series, so that the back button returns to them.
    drag(chosen === 'chart' ? telling : { series: telling.series ?? [] });
    stories.value = found;
  } catch (error) {
    pickProblem.value = error;
  }
}
