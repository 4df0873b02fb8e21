import {
  candidateOf,
  collectMatched,
  explainNoSeries,
  type NamedField,
  rankCombinations,
  selectionOf,
  stagesOf,
  withWantedDates,
} from '../../compute/found-series.js';
import { type SearchableType, WORLD_NAME, WORLD_REGION_ID } from '../../model/entity.js';
import { decideMeanings, isCalled, isReplacement, type Meaning } from '../../model/names/meaning.js';
import type { Cancellable } from '../../model/progress.js';
import { selectionLists } from '../../model/selection.js';
import type { Coverage, DataSeries } from '../../model/series.js';
import { NAMED_WORDS, SOURCE_WORD, seriesKeyText } from '../../model/series.js';
import { parsePeriod } from '../../model/time.js';
import type { EntityLists } from '../entities.js';
import type { Transport } from '../http/transport.js';
import type { SeriesOperations } from '../series.js';
import type { SeriesRankingOperations } from './rank-series.js';
import type { ExplainedSeries, Resolution, ResolveOptions, WordedName } from './resolution.js';

// A service that implements only the basic JSON API has no `resolve` operation. The client then searches for each name,
// lists the series, and requests the source ranking for each combination. It also does this if the caller passes a
// filter.

export type BaseResolver = Pick<EntityLists, 'lookupList'> &
  Pick<Transport, 'json'> &
  Pick<SeriesOperations, 'getDataSeries'> &
  SeriesRankingOperations;

/** The maximum number of search hits considered for each name. */
const MAX_HITS = 10;

/** Resolves names, and finds the best series for them. Does not look for series of regions within a named region. */
export async function baseResolution(base: BaseResolver, options: ResolveOptions): Promise<Resolution> {
  const { hits_per_name = 3, limit = 20, offset = 0 } = options;
  const all = await resolveByBase(base, options);
  const names = all.map((name) => ({ ...name, hits: name.hits.slice(0, hits_per_name) }));
  const series: ExplainedSeries[] = [];
  let skipped = 0;
  if (limit > 0)
    for await (const one of findByBase(base, names, options)) {
      if (skipped++ < offset) continue;
      if (series.length === limit) return { names, series, more: true };
      series.push(one);
    }
  const nothing = skipped > 0 || limit === 0 ? {} : { nothing: explainNoSeries(fieldsOf(names)) };
  return { names, series, more: false, ...nothing };
}

export function resolveByBase(base: BaseResolver, options: ResolveOptions): Promise<WordedName[]> {
  const { ids = false, signal } = options;
  const texts = [...NAMED_WORDS, SOURCE_WORD].flatMap(({ word, type }) =>
    [options[word] ?? []].flat().map((requested) => ({ word, type, requested })),
  );
  return Promise.all(
    texts.map(async ({ word, type, requested }) => {
      const hits = await searchMeanings(base, type, { requested, ids, signal });
      return { word, requested, hits };
    }),
  );
}

async function searchMeanings(
  { json, lookupList }: BaseResolver,
  type: SearchableType,
  { requested, ids, signal }: Cancellable & { requested: string; ids: boolean },
): Promise<Meaning[]> {
  const id = ids && /^(?:0|[1-9]\d{0,9})$/.test(requested) ? Number(requested) : undefined;
  if (id !== undefined) {
    const isWorld = type === 'regions' && id === WORLD_REGION_ID;
    const name = isWorld ? WORLD_NAME : (await lookupList(type, [id], { signal })).get(id)?.name;
    if (name !== undefined) return [{ id, name, exact: true }];
  }
  const hits = (await json('search', { path: { type }, query: { q: requested }, signal })).slice(0, MAX_HITS);
  const unnamed = hits.flatMap((hit) => (hit.name === undefined || hit.exact === undefined ? hit.id : []));
  const entities = await lookupList(type, unnamed, { signal });
  const found = hits.map((hit) => {
    const name = hit.name ?? entities.get(hit.id)?.name ?? String(hit.id);
    const exact = hit.exact ?? (name !== String(hit.id) && isCalled({ name }, requested));
    return { id: hit.id, name, exact };
  });
  const possible = id === undefined ? found : found.filter(({ exact }) => exact);
  return decideMeanings(type, requested, { found: possible });
}

/** Returns all names except source names, each with the series field that it selects, such as `region_id`. */
export function fieldsOf(names: readonly WordedName[]): NamedField[] {
  return names.flatMap((name) => {
    const named = NAMED_WORDS.find(({ word }) => word === name.word);
    return named === undefined ? [] : [{ ...name, word: named.word, field: named.field }];
  });
}

/** Yields the series for all hits, exact hits first. A series that only `rankSeriesBySource` returns has coverage 0. */
export async function* findByBase(
  base: BaseResolver,
  worded: readonly WordedName[],
  options: ResolveOptions,
): AsyncGenerator<ExplainedSeries, void, undefined> {
  const { selection = {}, signal } = options;
  const wanted = parsePeriod(options);
  const names = fieldsOf(worded);
  const sources = worded
    .filter(({ word }) => word === 'source')
    .map(({ hits }) => ({ field: 'source_id' as const, hits: hits.filter((hit) => !isReplacement(hit)) }));
  if ([...names, ...sources].some(({ hits }) => hits.length === 0)) return;
  const lists = { ...selectionLists(selection), ...selectionOf(sources) };
  const listed = new Map<string, { series: DataSeries; coverage: Coverage }>();
  for (const stage of stagesOf(names)) {
    const asked = { ...lists, ...selectionOf(stage) };
    // Requests omit partner region 0, the world. Series with other partners are therefore removed here.
    const series = (await base.getDataSeries(asked, { signal })).filter(
      ({ partner_region_id }) => asked.partner_region_id?.includes(partner_region_id) ?? true,
    );
    const others = series.filter((one) => !listed.has(seriesKeyText(one)));
    const ranked = (await rankCombinations(others.map(candidateOf), names, { wanted })).flat();
    for (const one of ranked) listed.set(seriesKeyText(one.series), one);
    // The series' own dates are removed. Otherwise, the sources would be ranked for the period of a source that has
    // since stopped publishing.
    const undated = ranked.map(({ series }) => ({ ...series, start_date: undefined, end_date: undefined }));
    const redated = undated.map((one) => withWantedDates(one, wanted));
    for await (const one of base.rankSeriesBySource(redated, { signal })) {
      const { series, coverage } = listed.get(seriesKeyText(one)) ?? { series: one, coverage: NO_COVERAGE };
      yield { ...withWantedDates(series, wanted), coverage, ...collectMatched(one, names) };
    }
  }
}

const NO_COVERAGE: Coverage = {
  share: 0,
  points: 0,
  startMs: Number.POSITIVE_INFINITY,
  endMs: Number.NEGATIVE_INFINITY,
  periodDays: Number.POSITIVE_INFINITY,
};
