import { computed, signal } from '@preact/signals';
import { yearOf } from '../../model/calendar.js';
import { type DataSeries, seriesKeyOf } from '../../model/series.js';
import { lookUp, nameOf } from '../state/names.js';
import { choose, drag, page } from '../state/page.js';
import { ask } from '../state/service.js';
import { EMPTY_STATE, type ViewState } from '../state/view-state.js';
import { askFacets, facets, isFiltered, listMatching } from './facets.js';
import { groupsOf, isFine, pickProblem, proposal, proposeSeries, SUBJECT } from './pick.js';

/** The number of kinds of suggested views. At most one view of each kind is suggested. */
const KINDS = 3;

interface Story {
  readonly kind: string;
  readonly title: string;
  readonly state: Partial<ViewState>;
}

/** The suggested views. Empty if the page was opened from a link. */
export const stories = signal<readonly Story[]>([]);

export const isEmptyStore = computed(() => !isFiltered.value && facets.loaded.value.value?.series === 0);

export function openStory({ state }: Story): void {
  choose({ ...EMPTY_STATE, ...state });
}

const MIN_MAPPED = 12;
const MAX_ASKED = 12;
const MIN_USUAL_YEARS = 3;

/** Finds up to three views to suggest: a revised series, a map of many regions, and a year compared with others. */
async function findStories(candidates: readonly DataSeries[]): Promise<readonly Story[]> {
  const coarse = groupsOf(
    candidates.filter((one) => !isFine(one)),
    SUBJECT,
  ).slice(0, MAX_ASKED);
  const [revised, mapped] = await Promise.all([findRevised(coarse), findMapped(coarse)]);
  const year = (date: string | null | undefined) => yearOf(Date.parse(date ?? ''));
  const usual = candidates.find(
    (one) => isFine(one) && year(one.end_date) - year(one.start_date) >= MIN_USUAL_YEARS,
  );
  const found = [
    { kind: 'How a figure was revised', series: revised, state: { view: 'revisions' } },
    { kind: 'A map', series: mapped, state: { view: 'map' } },
    { kind: 'The latest year against earlier years', series: usual, state: { scale: 'usual' } },
  ] as const;
  return found.flatMap(({ kind, series, state }) => {
    if (series === undefined) return [];
    const subject = `${nameOf('item', series.item_id)} · ${nameOf('metric', series.metric_id)}`;
    return [{ kind, title: `${kind}: ${subject}`, state: { ...state, series: [seriesKeyOf(series)] } }];
  });
}

/** Finds a revised series, that is, one with at least twice as many stored values as periods. */
async function findRevised(groups: readonly (readonly DataSeries[])[]): Promise<DataSeries | undefined> {
  const firsts = groups.map(([first]) => first!);
  const vintages = await Promise.allSettled(
    firsts.map((one) => ask((client) => client.vintages(seriesKeyOf(one), { limit: 1 }))),
  );
  return firsts.find(({ data_count_estimate: points = Number.POSITIVE_INFINITY }, at) => {
    const found = vintages[at]!;
    return found.status === 'fulfilled' && found.value.points >= 2 * points;
  });
}

/** Finds a series that exists for many regions with known coordinates. */
async function findMapped(groups: readonly (readonly DataSeries[])[]): Promise<DataSeries | undefined> {
  for (const group of groups) {
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

/** Adds suggested views of the kinds not yet found, from fine-grained series and from the series of each source. */
async function withOtherSources(own: readonly Story[]): Promise<readonly Story[]> {
  if (own.length === KINDS) return own;
  const { sources, frequencies } =
    facets.loaded.peek().value ?? (await askFacets({ filters: EMPTY_STATE.filters }));
  const fine = frequencies.map(({ id }) => id).filter((id) => isFine({ frequency_id: id }));
  const narrowed = [
    ...(fine.length === 0 ? [] : [{ frequency: fine }]),
    ...sources.slice(0, MAX_SOURCES).map(({ id }) => ({ source: [id] })),
  ];
  const found = [...own];
  for (const filter of narrowed) {
    if (found.length === KINDS) break;
    const candidates = await listMatching({ ...EMPTY_STATE.filters, ...filter });
    for (const story of await findStories(candidates))
      if (found.every(({ kind }) => kind !== story.kind)) found.push(story);
  }
  return found;
}

/** If nothing is chosen, draws the first suggested view or, if there is none, the series with the most points. */
export async function proposeFirstView(): Promise<void> {
  const { series, query } = page.peek();
  if (series.length > 0 || query !== '' || isFiltered.peek()) return;
  try {
    const candidates = await listMatching(EMPTY_STATE.filters);
    const own = await findStories(candidates);
    const { view: chosen, series: drawn } = page.peek();
    if (drawn.length > 0) return;
    const telling = own[0]?.state ?? { series: proposeSeries(candidates) };
    if (chosen === 'chart') proposal.view = telling.view ?? chosen;
    // The link must include the series, so that the back button returns to them.
    drag(chosen === 'chart' ? telling : { series: telling.series ?? [] });
    stories.value = await withOtherSources(own);
  } catch (error) {
    pickProblem.value = error;
  }
}
