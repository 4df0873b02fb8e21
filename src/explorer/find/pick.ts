import { signal } from '@preact/signals';
import { hasRule, ruleFor } from '../../agronomy/degree-days/crop-rules.js';
import type { Resolution } from '../../client/discovery/resolution.js';
import { MAX_SERIES } from '../../model/chart-choices.js';
import { FREQUENCIES, periodDays } from '../../model/frequency.js';
import { groupedBy } from '../../model/grouping.js';
import { lowerFirst } from '../../model/names/first-letter.js';
import {
  type DataSeries,
  SERIES_KEY_FIELDS,
  type SeriesKey,
  seriesKeyOf,
  seriesKeyText,
} from '../../model/series.js';
import { lookUp } from '../state/names.js';
import { choose, page } from '../state/page.js';
import { fetchPoints } from '../state/points.js';
import { ask, errorCode } from '../state/service.js';
import {
  distinctSeries,
  EMPTY_STATE,
  type Facet,
  type Filters,
  type View,
  type ViewState,
  WITHOUT_SERIES,
} from '../state/view-state.js';
import { listMatching } from './facets.js';

/** Whether the search dialog is open. Used only on narrow screens; on wide screens, the lists need no dialog. */
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
    // A suggested view, or a view that does not suit the chosen series, is replaced by the chart.
    const { view: before } = page.peek();
    const isKept = before !== proposal.view && !WITHOUT_SERIES.includes(before);
    const isSuited = !isKept || before !== 'revisions' || (await isRevised(found.series));
    if (turn !== latest) return;
    const view = isKept && isSuited ? {} : ({ view: 'chart', scale: 'auto' } as const);
    if (found.series !== undefined) proposal.view = undefined;
    const drawn = found.series === undefined ? {} : { ...resetChoices(adds), ...view };
    choose({ query: '', ...drawn, ...found });
  } catch (error) {
    if (turn === latest) pickProblem.value = error;
  }
}

/** Checks whether a value of the first series has several reports, which are what the revisions view shows. */
async function isRevised([first]: readonly SeriesKey[] = []): Promise<boolean> {
  if (first === undefined) return true;
  const request = { series: [first], asof: page.peek().asof, vintages: true };
  const { table } = await fetchPoints(request, new AbortController().signal);
  const { countReports } = await import('../../charts/revisions.js');
  return countReports(table).revisions > 0;
}

/** Returns the initial values of settings that may not suit new series or, if `adds` is true, additional series. */
function resetChoices(adds: boolean): Partial<ViewState> {
  const { scale } = page.peek();
  // Both scales require periods shorter than a year, and `usual` also requires a single series.
  const isOfYears = scale === 'usual' || (scale === 'season' && !adds);
  return {
    // A formula requires exactly two series.
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

/** Draws a hit's series and, if `adds`, keeps the others. Regions and added hits keep the drawn metrics and items. */
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

/** Returns the series that match the drawn ones except in one facet, preferably with the same frequency and source. */
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

/** An entity that a search text names. */
interface Named extends Record<'name' | 'requested', string> {
  readonly facet: Facet;
  readonly id: number;
  readonly exact: boolean;
  /** Whether the text is not even a word of the name, or its beginning. */
  readonly isGuess: boolean;
}

/** How the service interprets a search text: as one or more entities of each kind, or as a computed value. */
export interface Meaning extends Pick<Resolution, 'computed'> {
  readonly text: string;
  readonly named: readonly Named[];
  readonly unread: readonly string[];
  /** A message if no series has all the names in the text, or if the value cannot be computed; otherwise null. */
  readonly lacking: string | null;
}

/** Interprets a search text. Returns null if it is the name of a single entity, or the beginning of one. */
export async function askMeaning(text: string, signal: AbortSignal): Promise<Meaning | null> {
  try {
    // No series are requested for a single word: there may be thousands, and the word's search hit shows their number.
    const limit = text.includes(' ') ? 1 : 0;
    const answer = await ask((client) => client.resolve({ text, limit, within: true, signal }));
    const named = answer.names.flatMap(({ word, requested, hits: [best] }) => {
      if (best === undefined || word === 'partner_region') return [];
      const { id, name, label = name, exact } = best;
      const isGuess = !exact && !isPartOf(label, requested);
      return [{ facet: word, id, name: label, requested, exact, isGuess }];
    });
    const { computed, unread = [], nothing } = answer;
    if (named.length < 2 && !named.some(({ isGuess }) => isGuess) && computed === undefined) return null;
    const { lacking } = computed
      ? await resolveMeaning({ text, named, computed }, signal)
      : { lacking: nothing === undefined ? null : noSeriesOf(named) };
    return { text, named, computed, unread, lacking };
  } catch (error) {
    if (errorCode(error) === 'not_found') return null;
    throw error;
  }
}

/** Checks whether a text is one or more whole words of a name, or the name's beginning. */
function isPartOf(name: string, text: string): boolean {
  const [whole, part] = [name, text].map((one) =>
    one
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  return whole!.startsWith(part!) || ` ${whole} `.includes(` ${part} `);
}

const MAX_FOUND = 1_000;

/** Finds the series that a search text describes and, for a computed value, the two series that it is computed from. */
async function resolveMeaning(
  { text, named, computed }: Pick<Meaning, 'text' | 'named' | 'computed'>,
  signal?: AbortSignal,
) {
  const of = (facet: Facet) => named.filter((one) => one.facet === facet);
  const isDegreeDays = computed === 'degree-days';
  // For degree days, the first two items are the temperatures. A crop only determines the thresholds.
  const items = of('item').slice(0, isDegreeDays ? 2 : undefined);
  const [metrics, regions] = [of('metric'), of('region')];
  const words = (some: readonly Named[]) =>
    some.length === 0 ? undefined : some.map((one) => one.requested);
  const question = isDegreeDays ? { item: words(items), region: words(regions) } : { text };
  const options = { ...question, limit: MAX_FOUND, within: regions.length === 1, signal };
  const { series, within } = await ask((client) => client.resolve(options));
  const asked = { metric_id: metrics, item_id: items, region_id: within === undefined ? regions : [] };
  const fields = Object.keys(asked) as (keyof typeof asked)[];
  const isOf = (one: SeriesKey, field: keyof typeof asked) =>
    asked[field].some(({ id }) => id === one[field]);
  const meant = series.filter((one) =>
    fields.every((field) => asked[field].length === 0 || isOf(one, field)),
  );
  const offered = meant.length > 0 ? meant : series;
  const matched = meant.length > 0 ? {} : (series[0]?.matched ?? {});
  const [field, parts] = isDegreeDays ? (['item_id', items] as const) : (['metric_id', metrics] as const);
  const pair = computed && pairOf(offered, field, parts);
  const absent = parts.filter(({ id }) => offered.every((one) => one[field] !== id));
  const missing =
    absent.length === 0 ? named : named.filter((one) => !parts.includes(one) || absent.includes(one));
  const isElsewhere = asked.region_id.length > 1 && !offered.some((one) => isOf(one, 'region_id'));
  const isEmpty = offered.length === 0 || isElsewhere || (computed !== undefined && pair === undefined);
  const lacking =
    absent.length === 1 && computed ? lackingPart(absent[0]!, named, parts) : noSeriesOf(missing);
  return { offered, matched, within, pair, lacking: isEmpty ? lacking : null };
}

export function pickMeaning(meaning: Meaning, adds: boolean): Promise<void> {
  const { named, computed, unread } = meaning;
  const ids = (facet: Facet) => named.filter((one) => one.facet === facet).map(({ id }) => id);
  return pick(async () => {
    const { offered, matched, within, pair, lacking } = await resolveMeaning(meaning);
    const notes = unread.map((word) => `“${word}” was ignored.`);
    if (within !== undefined)
      notes.push(`${within} has no such series; the series for regions within it are drawn instead.`);
    if (lacking !== null) {
      pickNotes.value = [lacking];
      return {};
    }
    for (const match of [...named.filter(({ exact }) => !exact), ...Object.values(matched)])
      if (match !== undefined) notes.push(`“${match.name}” was used for “${match.requested}”.`);
    const filters = { ...EMPTY_STATE.filters, metric: ids('metric'), item: ids('item') };
    if (computed === 'degree-days') {
      const station = pair![0]!.region_id;
      const [crop, ...others] = named.filter(({ facet }) => facet === 'item').slice(2);
      const rule = await ruleAt(station, crop?.name);
      const places = named.filter(({ facet, id }) => facet === 'region' && id !== station);
      const unused = [
        ...(crop && !rule ? [crop] : []),
        ...others,
        ...(ids('region').length > 1 ? places : []),
      ];
      if (!ids('region').includes(station)) {
        const { [station]: place } = await lookUp('region', [station]);
        notes.push(
          `${place?.name} was chosen; choose another place above the chart, or search for “gdd” with its name.`,
        );
      }
      pickNotes.value = [...notes, ...unused.map(({ name }) => `“${name}” was ignored.`)];
      const degreeDays = { ...page.peek().degreeDays, ...rule, station };
      return { view: 'degree-days', degreeDays, filters, series: proposeSeries(offered) };
    }
    const series = pair ?? chooseForEachRegion(offered, ids('region'));
    const missing = named.filter(
      ({ facet, id }) => facet === 'region' && !series.some(({ region_id }) => region_id === id),
    );
    if (within === undefined) notes.push(...missing.map(({ name }) => `${name}: no such series.`));
    pickNotes.value = notes;
    if (adds) return { series: withoutRepeats([...page.peek().series, ...series]) };
    return { filters, series, formula: computed === 'stocks-to-use' ? 'a-share-of-b' : 'none' };
  }, adds);
}

/** Returns the message that an operand of a computed value is missing: `Brazil has production, but no total use.` */
function lackingPart(absent: Named, named: readonly Named[], parts: readonly Named[]): string {
  const [present] = parts.filter((one) => one !== absent);
  const others = (facet: Facet) => named.filter((one) => one.facet === facet && !parts.includes(one));
  const items = others('item').map((one) => ` of ${lowerFirst(tellName(one))}`);
  const where = others('region').map(tellName);
  return `${where.join(' and ') || 'This service'} has ${lowerFirst(tellName(present!))}, but no ${lowerFirst(tellName(absent))}${items.join(' and')}.`;
}

const tellName = ({ name, requested, isGuess }: Named) =>
  isGuess ? `${name} (a guess for “${requested}”)` : name;

/** Looks up settings for a crop (corn by default, unless settings are chosen), in °F in the US or if data are in °F. */
export async function ruleAt(station: number, crop?: string) {
  if (crop === undefined && !hasRule(page.peek().degreeDays, EMPTY_STATE.degreeDays)) return undefined;
  const [around, found] = await Promise.all([
    ask((client) => client.getAncestor('regions', station)),
    listMatching({ ...EMPTY_STATE.filters, region: [station] }),
  ]);
  const [from = null] = found.flatMap(({ end_date }) => end_date?.slice(0, 10) ?? []).sort();
  const { units } = await fetchPoints({ series: found.map(seriesKeyOf), from }, new AbortController().signal);
  const isFahrenheit =
    around.some(({ name }) => name === 'United States') ||
    units.some(({ abbreviation }) => abbreviation === '°F');
  return ruleFor(crop ?? 'Corn', isFahrenheit ? 'fahrenheit' : 'celsius');
}

/** Returns the message that no series has all the names in a search text, such as `Yield, Wheat, Kansas`. */
function noSeriesOf(named: readonly Named[]): string {
  return `No series has all of these: ${named.map(tellName).join(', ')}.`;
}

/** Returns one series per region. Prefers the group with equal `SUBJECT` ids that covers the most regions. */
function chooseForEachRegion(found: readonly DataSeries[], regions: readonly number[]): readonly SeriesKey[] {
  if (regions.length < 2) return proposeSeries(found);
  const covered = (group: readonly DataSeries[]) =>
    regions.filter((id) => group.some(({ region_id }) => region_id === id)).length;
  const [best = []] = [...groupsOf(found, SUBJECT)].sort((a, b) => covered(b) - covered(a));
  const all = [...best, ...found];
  const chosen = regions.flatMap((id) => all.find(({ region_id }) => region_id === id) ?? []);
  return withoutRepeats(chosen.map(seriesKeyOf));
}

/** Returns two series, one for each of two entities, that have all other ids in common, or `undefined`. */
function pairOf(found: readonly DataSeries[], field: 'metric_id' | 'item_id', entities: readonly Named[]) {
  const others = SERIES_KEY_FIELDS.filter((one) => one !== field);
  const pair = groupsOf(found, others)
    .map((group) => entities.flatMap(({ id }) => group.find((one) => one[field] === id) ?? []))
    .find(({ length }) => length === 2);
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

/** Returns a few series to show together, with equal `SUBJECT` ids or, if only one has those ids, of several items. */
export function proposeSeries(candidates: readonly DataSeries[]): readonly SeriesKey[] {
  const [best = []] = groupsOf(candidates, SUBJECT);
  const [company = []] =
    best.length > 1 ? [best] : groupsOf(candidates, ['metric_id', 'frequency_id', 'source_id']);
  return company.slice(0, MAX_PROPOSED).map(seriesKeyOf);
}

/** A series is current if its last year is at most this many years before the latest year of any series. */
const CURRENT_YEARS = 3;

/** Groups series by the given ids. Groups with a current series come first, then those with the most points. */
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

/** The ids that series have in common if they are shown together. */
export const SUBJECT = ['metric_id', 'item_id', 'frequency_id', 'source_id'] as const;
/** Series with periods shorter than this are fine-grained: charts compare their years, and maps load only one year. */
const COARSE_DAYS = 28;

export function isFine({ frequency_id }: Pick<SeriesKey, 'frequency_id'>): boolean {
  return FREQUENCIES.some((one) => one.id === frequency_id && periodDays(one) < COARSE_DAYS);
}
