import { signal } from '@preact/signals';
import { MAX_SERIES } from '../../model/chart-choices.js';
import { FREQUENCIES, periodDays } from '../../model/frequency.js';
import { groupedBy } from '../../model/grouping.js';
import { type DataSeries, type SeriesKey, seriesKeyOf, seriesKeyText } from '../../model/series.js';
import { ruleFor } from '../degree-days/crops.js';
import { choose, page } from '../state/page.js';
import { ask } from '../state/service.js';
import {
  distinctSeries,
  EMPTY_STATE,
  type Facet,
  type Filters,
  type View,
  type ViewState,
  WITHOUT_SERIES,
} from '../state/view-state.js';
import { listMatching, type Meaning } from './facets.js';

/** Whether the search dialog is open. Used only on narrow screens; elsewhere the lists need no dialog. */
export const isChoosing = signal(false);

export const pickProblem = signal<unknown>(null);

export const pickNotes = signal<readonly string[]>([]);

/** The view that the page suggested on startup; `undefined` once the user has made a choice. */
export const proposal: { view: View | undefined } = { view: undefined };

let latest = 0;

/** Changes the page to the state that `find` returns, unless the user has made another choice in the meantime. */
async function pick(find: () => Promise<Partial<ViewState>>, adds = false): Promise<void> {
  const turn = ++latest;
  pickProblem.value = null;
  pickNotes.value = [];
  try {
    const found = await find();
    if (turn !== latest) return;
    // A suggested view, or a view that does not use the chosen series, is replaced by the chart.
    const { view: before } = page.peek();
    const isKept = before !== proposal.view && !WITHOUT_SERIES.includes(before);
    const view = isKept ? {} : ({ view: 'chart', scale: 'auto' } as const);
    proposal.view = undefined;
    const drawn = found.series === undefined ? {} : { ...resetChoices(adds), ...view };
    choose({ query: '', ...drawn, ...found });
  } catch (error) {
    if (turn === latest) pickProblem.value = error;
  }
}

/** Returns initial values for settings that may not suit new series or, if `adds` is true, additional series. */
function resetChoices(adds: boolean): Partial<ViewState> {
  const { scale } = page.peek();
  // Both scales need periods under a year, and `usual` needs a single series.
  const isOfYears = scale === 'usual' || (scale === 'season' && !adds);
  return {
    // A formula needs exactly two series.
    formula: 'none',
    ...(isOfYears && { scale: 'auto' }),
    ...(!adds && { from: null, to: null, unit: null, date: null, otherDate: null }),
  };
}

export function pickFilters(filters: Filters): Promise<void> {
  return pick(async () => {
    const series = proposeSeries(await listMatching(filters));
    return { filters, ...(series.length === 0 ? {} : { series }) };
  });
}

/**
 * Draws the series for a search hit. If the hit is a region, the drawn metrics and items are kept.
 * @param adds whether to keep the drawn series and add the matching ones for the hit: adding Illinois to Iowa series
 * draws each of them for Illinois too
 */
export function pickHit(facet: Facet, id: number, adds: boolean): Promise<void> {
  const { series: drawn, filters: before } = page.peek();
  const own = { ...EMPTY_STATE.filters, [facet]: [id] };
  const keeps = (adds || facet === 'region') && drawn.length > 0;
  return pick(async () => {
    const like = keeps ? await counterparts(drawn, facet, id) : [];
    const found = like.length > 0 ? like : proposeSeries(await listMatching(own));
    if (adds) {
      const ids = before[facet].length === 0 ? [] : [...new Set([...before[facet], id])];
      return { filters: { ...before, [facet]: ids }, series: withoutRepeats([...drawn, ...found]) };
    }
    const [first] = like;
    const kept = first && { metric: [first.metric_id], item: [first.item_id] };
    return { filters: { ...own, ...kept }, ...(found.length === 0 ? {} : { series: found }) };
  }, adds);
}

/** Returns series like the drawn ones but with another value for a facet, from the same source if possible. */
async function counterparts(drawn: readonly SeriesKey[], facet: Facet, id: number) {
  const ids = (field: keyof SeriesKey) => [...new Set(drawn.map((one) => one[field]))];
  const shared = { metric: ids('metric_id'), item: ids('item_id'), region: ids('region_id') };
  const candidates = await listMatching({ ...EMPTY_STATE.filters, ...shared, [facet]: [id] });
  const fields = (['metric_id', 'item_id', 'region_id', 'partner_region_id'] as const).filter(
    (field) => field !== `${facet}_id`,
  );
  const found = drawn.flatMap((one) => {
    const likeness = (other: SeriesKey) =>
      2 * Number(other.frequency_id === one.frequency_id) + Number(other.source_id === one.source_id);
    const [best] = candidates
      .filter((other) => fields.every((field) => other[field] === one[field]))
      .sort((a, b) => likeness(b) - likeness(a));
    return best === undefined ? [] : [seriesKeyOf(best)];
  });
  return withoutRepeats(found);
}

function withoutRepeats(series: readonly SeriesKey[]): readonly SeriesKey[] {
  return distinctSeries(series).slice(0, MAX_SERIES);
}

const MAX_FOUND = 1_000;

/** Draws what a search text describes: a series for each named region, or a value computed from several series. */
export function pickMeaning({ text, named, computed, unread }: Meaning, adds: boolean): Promise<void> {
  const ids = (facet: Facet) => named.filter((one) => one.facet === facet).map(({ id }) => id);
  const isOf = (facet: Facet, id: number) => ids(facet).length === 0 || ids(facet).includes(id);
  return pick(async () => {
    const within = ids('region').length === 1;
    const found = await ask((client) => client.resolve({ text, limit: MAX_FOUND, within }));
    const notes = unread.map((word) => `“${word}” was ignored.`);
    if (found.within !== undefined)
      notes.push(`${found.within} has no such series; the series for regions within it are drawn instead.`);
    const noteNone = (of: Meaning['named']) => {
      pickNotes.value = [noSeriesOf(of)];
      return {};
    };
    if (found.series.length === 0) return noteNone(named);
    const asked: Facet[] = found.within === undefined ? ['metric', 'item', 'region'] : ['metric', 'item'];
    const meant = found.series.filter((one) => asked.every((facet) => isOf(facet, one[`${facet}_id`])));
    const offered = meant.length > 0 ? meant : found.series;
    const matched = meant.length > 0 ? {} : (offered[0]!.matched ?? {});
    for (const match of [...named.filter(({ isGuess }) => isGuess), ...Object.values(matched)])
      if (match !== undefined) notes.push(`“${match.name}” was used for “${match.requested}”.`);
    const filters = { ...EMPTY_STATE.filters, metric: ids('metric'), item: ids('item') };
    if (computed === 'degree-days') {
      // The first two items are the temperatures.
      const [, , crop] = named.filter(({ facet }) => facet === 'item');
      const rule = crop && ruleFor(crop.name, page.peek().degreeDays.unit);
      pickNotes.value = crop && !rule ? [...notes, `“${crop.name}” was ignored.`] : notes;
      const degreeDays = { ...page.peek().degreeDays, ...rule, station: offered[0]!.region_id };
      return { view: 'degree-days', degreeDays, filters, series: proposeSeries(offered) };
    }
    const series =
      computed === 'stocks-to-use'
        ? pairOf(offered, ids('metric'))
        : chooseForEachRegion(offered, ids('region'));
    if (series === undefined)
      return noteNone(
        named.filter(({ facet, id }) => facet !== 'metric' || offered.every((one) => one.metric_id !== id)),
      );
    const missing = named.filter(
      ({ facet, id }) => facet === 'region' && !series.some(({ region_id }) => region_id === id),
    );
    if (found.within === undefined) notes.push(...missing.map(({ name }) => `${name}: no such series.`));
    pickNotes.value = notes;
    if (adds) return { series: withoutRepeats([...page.peek().series, ...series]) };
    return { filters, series, formula: computed === 'stocks-to-use' ? 'a-share-of-b' : 'none' };
  }, adds);
}

/** Says that no series has all of the names found in a search text, such as `Yield, Wheat, Kansas`. */
export function noSeriesOf(named: Meaning['named']): string {
  return `No series has all of these: ${named.map(({ name }) => name).join(', ')}.`;
}

/** Returns one series for each region, preferably from the group with equal `SUBJECT` ids that has most of them. */
function chooseForEachRegion(found: readonly DataSeries[], regions: readonly number[]): readonly SeriesKey[] {
  if (regions.length < 2) return proposeSeries(found);
  const covered = (group: readonly DataSeries[]) =>
    regions.filter((id) => group.some(({ region_id }) => region_id === id)).length;
  const [best = []] = [...groupsOf(found, SUBJECT)].sort((a, b) => covered(b) - covered(a));
  const all = [...best, ...found];
  const chosen = regions.flatMap((id) => all.find(({ region_id }) => region_id === id) ?? []);
  return withoutRepeats(chosen.map(seriesKeyOf));
}

/** Returns two series, one for each metric, that have all other ids in common. */
function pairOf(found: readonly DataSeries[], metrics: readonly number[]): readonly SeriesKey[] | undefined {
  const groups = groupsOf(found, ['item_id', 'region_id', 'partner_region_id', 'source_id', 'frequency_id']);
  const pair = groups
    .map((group) => metrics.flatMap((id) => group.find(({ metric_id }) => metric_id === id) ?? []))
    .find((ofGroup) => ofGroup.length === 2);
  return pair?.map(seriesKeyOf);
}

export function toggleSeries(series: SeriesKey): void {
  const { series: drawn } = page.peek();
  const text = seriesKeyText(series);
  const without = drawn.filter((one) => seriesKeyText(one) !== text);
  const next = without.length < drawn.length ? without : [...drawn, series].slice(0, MAX_SERIES);
  choose({ series: next, ...resetChoices(true) });
}

const MAX_PROPOSED = 5;

/**
 * Returns a few series to show together: those with equal `SUBJECT` ids that have the most points. If there is only one
 * such series, the items may also differ.
 */
export function proposeSeries(candidates: readonly DataSeries[]): readonly SeriesKey[] {
  const [best = []] = groupsOf(candidates, SUBJECT);
  const [company = []] =
    best.length > 1 ? [best] : groupsOf(candidates, ['metric_id', 'frequency_id', 'source_id']);
  return company.slice(0, MAX_PROPOSED).map(seriesKeyOf);
}

/** A series is current if its last year is at most this many years before the latest year of all series. */
const CURRENT_YEARS = 3;

/**
 * Groups series that share the given ids. Groups with a current series come first; apart from that, those whose first
 * few series have the most points.
 */
export function groupsOf(
  candidates: readonly DataSeries[],
  shared: readonly (keyof SeriesKey)[],
): readonly (readonly DataSeries[])[] {
  const groups = groupedBy(candidates, (one) => shared.map((field) => one[field]).join());
  const lastYear = (some: readonly DataSeries[]) =>
    Math.max(...some.map(({ end_date }) => Number(end_date?.slice(0, 4) ?? 0)));
  const newest = lastYear(candidates);
  const isCurrent = (group: readonly DataSeries[]) => newest - lastYear(group) <= CURRENT_YEARS;
  const points = (group: readonly DataSeries[]) =>
    group.slice(0, MAX_PROPOSED).reduce((sum, { data_count_estimate = 0 }) => sum + data_count_estimate, 0);
  return [...groups.values()].sort(
    (a, b) => Number(isCurrent(b)) - Number(isCurrent(a)) || points(b) - points(a),
  );
}

/** The ids that must be the same in series that are shown together. */
export const SUBJECT = ['metric_id', 'item_id', 'frequency_id', 'source_id'] as const;
/** Series with shorter periods than this are fine-grained: their years are compared, and maps load only one year. */
const COARSE_DAYS = 28;

export function isFine({ frequency_id }: Pick<SeriesKey, 'frequency_id'>): boolean {
  return FREQUENCIES.some((one) => one.id === frequency_id && periodDays(one) < COARSE_DAYS);
}
