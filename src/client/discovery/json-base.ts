import {
  candidateOf,
  matchedOf,
  type NamedField,
  rankCombinations,
  selectionOf,
  stagesOf,
  whyNothing,
  withWantedDates,
} from '../../compute/found-series.js';
import { type Coverage, rankByCoverage, type WantedPeriod } from '../../compute/ranking.js';
import { type SearchableType, WORLD_REGION_ID } from '../../model/entity.js';
import { decideMeanings, isReplacement, type Meaning } from '../../model/names/meaning.js';
import { plainName } from '../../model/names/named-parts.js';
import type { Cancellable } from '../../model/progress.js';
import { type SelectionLists, selectionLists } from '../../model/selection.js';
import { type DataSeries, NAMED_WORDS, SOURCE_WORD, seriesKeyText } from '../../model/series.js';
import { parsePeriod } from '../../model/time.js';
import type { EntityLists } from '../entities.js';
import type { Transport } from '../http/transport.js';
import { splitSelection } from '../points/points.js';
import type { SeriesOperations } from '../series.js';
import type { SeriesRankingOperations } from './rank-series.js';
import type { ExplainedSeries, Resolution, ResolveOptions, WordedName } from './resolution.js';

// A service of the JSON base has no `resolve`: the client searches each name, lists the series, and has each combination's
// sources ranked. A filter of the caller's is applied in the same way.

/** The operations of the JSON base that resolve names. */
export type BaseResolver = Pick<EntityLists, 'lookupList'> &
  Pick<Transport, 'json'> &
  Pick<SeriesOperations, 'getDataSeries'> &
  SeriesRankingOperations;

/** Hits among which the meaning of a name is decided. */
const MAX_HITS = 10;

/** Resolves names, and finds the best series of them. The regions within a named one are not searched. */
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
  const nothing = skipped > 0 || limit === 0 ? {} : { nothing: whyNothing(fieldsOf(names)) };
  return { names, series, more: false, ...nothing };
}

/** Searches each name, and decides what it means. */
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
  const id = ids && /^(?:0|[1-9]\d*)$/.test(requested) ? Number(requested) : undefined;
  if (id !== undefined) {
    const name = id === WORLD_REGION_ID ? 'World' : (await lookupList(type, [id], { signal })).get(id)?.name;
    if (name !== undefined) return [{ id, name, exact: true }];
  }
  const hits = (await json('search', { path: { type }, query: { q: requested }, signal })).slice(0, MAX_HITS);
  const unnamed = hits.filter((hit) => hit.name === undefined || hit.exact === undefined);
  const entities = await lookupList(
    type,
    unnamed.map(({ id }) => id),
    { signal },
  );
  const found = hits.map((hit) => {
    const name = hit.name ?? entities.get(hit.id)?.name ?? String(hit.id);
    const isCalled = name !== String(hit.id) && plainName(name) === plainName(requested);
    return { id: hit.id, name, exact: hit.exact ?? isCalled };
  });
  return decideMeanings(type, requested, {
    found: id === undefined ? found : found.filter(({ exact }) => exact),
  });
}

/** The names of entities of a series, without those of sources. */
export function fieldsOf(names: readonly WordedName[]): NamedField[] {
  return names.flatMap((name) => {
    const named = NAMED_WORDS.find(({ word }) => word === name.word);
    return named === undefined ? [] : [{ ...name, word: named.word, field: named.field }];
  });
}

/** Yields the series of every combination of the hits, those of exact hits first. */
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
  const listed = new Set<string>();
  for (const stage of stagesOf(names)) {
    const series = await listSeries(base, { ...lists, ...selectionOf(stage) }, signal);
    const others = series.filter((one) => !listed.has(seriesKeyText(one)));
    for (const one of others) listed.add(seriesKeyText(one));
    for (const group of rankCombinations(others.map(candidateOf), names, wanted))
      for (const one of await rankSources(base, group, { wanted, signal }))
        yield { ...one, ...matchedOf(one, names) };
  }
}

/** Lists the series of every combination of some ids. Partner region 0 is the world. */
async function listSeries(
  base: BaseResolver,
  lists: SelectionLists,
  signal: AbortSignal | undefined,
): Promise<DataSeries[]> {
  const parts = splitSelection(lists);
  const listed = await Promise.all(parts.map((part) => base.getDataSeries(part, { signal })));
  const { partner_region_id: partners } = lists;
  return listed.flat().filter((one) => partners?.includes(one.partner_region_id) ?? true);
}

type Covered = DataSeries & { coverage: Coverage };

/**
 * Returns every source of a combination in the order in which the service ranks them. Each series has the wanted dates.
 */
export async function rankSources(
  client: SeriesRankingOperations,
  group: readonly { readonly series: DataSeries; readonly coverage: Coverage }[],
  { wanted, signal }: Cancellable & { wanted: WantedPeriod },
): Promise<Covered[]> {
  const listed = new Map(
    group.map(({ series, coverage }) => [series.source_id, { ...withWantedDates(series, wanted), coverage }]),
  );
  // The dates of a series are not wanted ones: a source would be ranked by those of another that has stopped.
  const undated = group.map(({ series }) => withWantedDates(withoutDates(series), wanted));
  const ranked: Covered[] = [];
  for await (const series of client.rankSeriesBySource(undated, { signal }))
    ranked.push(listed.get(series.source_id) ?? unlistedSeries(series, wanted));
  return ranked;
}

/** A series that the list of series does not show: its own dates are unknown. */
function unlistedSeries(series: DataSeries, wanted: WantedPeriod): Covered {
  const { coverage } = rankByCoverage([candidateOf(withoutDates(series), 0)], wanted)[0]!;
  return { ...series, coverage };
}

function withoutDates(series: DataSeries): DataSeries {
  return { ...series, start_date: undefined, end_date: undefined };
}
