import {
  collectMatched,
  explainNoSeries,
  type FoundCandidate,
  type NamedField,
  rankCombinations,
  selectionOf,
  stagesOf,
  withWantedDates,
} from '../compute/found-series.js';
import { type Ranked, rankByCoverage, type WantedPeriod } from '../compute/ranking.js';
import type { EndpointAnswer, EndpointInput } from '../contract/endpoints.js';
import type { MatchedNames } from '../model/entity.js';
import { shownList } from '../model/errors.js';
import { isReplacement, type ResolvedName } from '../model/names/meaning.js';
import type { SelectionLists } from '../model/selection.js';
import type { SeriesKey } from '../model/series.js';
import type { StoredSeries } from '../store/plan.js';
import { turns } from '../store/turns.js';
import type { ServiceContext } from './handler.js';
import { readLists, readWindow } from './selection.js';
import { withNames } from './series.js';

export type ResolveQuery = EndpointInput<'resolve'>['query'];
type Found = Omit<EndpointAnswer<'resolve'>['data'], 'names'>;

export interface Resolved extends ResolvedName {
  readonly word: keyof MatchedNames | 'source';
  readonly field: keyof SeriesKey;
}

interface StoredCandidate extends FoundCandidate {
  readonly series: StoredSeries;
}

type RankedSeries = Ranked<StoredCandidate>;

interface Finding {
  readonly service: ServiceContext;
  readonly names: readonly NamedField[];
  readonly sources: readonly Resolved[];
  /** The requested ids, including the ids found for the requested sources. */
  readonly selection: SelectionLists;
  readonly wanted: WantedPeriod;
  readonly count: number;
  readonly signal: AbortSignal;
}

const pause = () => turns.next();

export const NO_SERIES: Found = { series: [], more: false };

/** Finds the series that the given names select, best match first. If there are none, returns the reason. */
export async function findSeries(
  service: ServiceContext,
  resolved: readonly Resolved[],
  { query, signal }: { query: ResolveQuery; signal: AbortSignal },
): Promise<Found> {
  const names = resolved.filter((name): name is NamedField & Resolved => name.word !== 'source');
  if (names.some(({ hits }) => hits.length === 0)) return { ...NO_SERIES, nothing: explainNoSeries(names) };
  const sources = resolved
    .filter(({ word }) => word === 'source')
    .map((source) => ({ ...source, hits: source.hits.filter((hit) => !isReplacement(hit)) }));
  const { limit, offset } = query;
  const selection = { ...readLists(query), ...selectionOf(sources) };
  const count = offset + limit + 1;
  const finding = { service, names, sources, selection, wanted: readWindow(query), count, signal };
  const ranked = await rankStages(finding);
  const inside = query.within === true ? await rankWithin(finding, ranked[0]) : null;
  const found = inside?.ranked ?? ranked;
  if (found.length === 0 && offset === 0) return { ...NO_SERIES, nothing: await explainNone(finding) };
  const told = inside === null ? names : names.filter(({ word }) => word !== 'region');
  const page = await describeSeries({ ...finding, names: told }, found.slice(offset, offset + limit));
  return { series: page, more: found.length >= count, ...(inside === null ? {} : { within: inside.region }) };
}

/**
 * Ranks the series of each name's exact hits, and then the series of the other hits. The other hits are ignored if the
 * exact hits have series, but none from a requested source or at a requested frequency.
 */
async function rankStages(finding: Finding): Promise<RankedSeries[]> {
  const { names, wanted, count } = finding;
  const ranked: RankedSeries[] = [];
  const listed = new Set<number>();
  for (const stage of stagesOf(names)) {
    const candidates = await listCandidates(finding, stage, listed);
    const groups = await rankCombinations(candidates, names, { wanted, max: count, pause });
    for (const group of groups) ranked.push(...rankSources(group, wanted));
    if (ranked.length >= count) break;
    if (ranked.length === 0 && (await listOtherSources(finding)).length > 0) break;
  }
  return ranked;
}

/** Ranks series that differ only in their source. Each series keeps the coverage that `rankCombinations` computed. */
function rankSources(group: readonly RankedSeries[], wanted: WantedPeriod): readonly RankedSeries[] {
  if (group.length === 1) return group;
  // `rankCombinations` sets every id to 0, so that ties between combinations are broken by their hits.
  const candidates = group.map((ranked) => ({ ...ranked, ranked, id: ranked.series.source_id }));
  return rankByCoverage(candidates, wanted).map(({ ranked }) => ranked);
}

/** Lists the selected series for every combination of hits, except series in `listed`. Adds the series to `listed`. */
async function listCandidates(
  { service, selection, signal }: Pick<Finding, 'service' | 'selection' | 'signal'>,
  names: readonly NamedField[],
  listed = new Set<number>(),
): Promise<StoredCandidate[]> {
  const { store } = service;
  const frequencies = await service.frequencies();
  const plan = { selection: { ...selection, ...selectionOf(names) } };
  const candidates: StoredCandidate[] = [];
  for await (const batch of store.series(plan, { signal })) {
    await turns.next();
    for (const series of batch) {
      const { handle, startMs, endMs, pointCount, source_id, frequency_id } = series;
      if (listed.has(handle)) continue;
      listed.add(handle);
      const periodLength = frequencies.get(frequency_id)?.periodLength ?? { days: 1 };
      candidates.push({ series, startMs, endMs, pointCount, periodLength, id: source_id });
    }
  }
  await turns.next();
  return candidates;
}

/** Lists the exact hits' series of all sources and frequencies, if the request restricts the source or frequency. */
async function listOtherSources({ selection, names, ...finding }: Finding): Promise<StoredCandidate[]> {
  const { source_id, frequency_id, ...free } = selection;
  if (source_id === undefined && frequency_id === undefined) return [];
  return listCandidates({ ...finding, selection: free }, stagesOf(names)[0]!);
}

/**
 * Ranks the series of the regions within the requested region, if that region itself has no matching series.
 * @returns null if that region has matching series, if its name has no exact hit, or if nothing within the region matches
 */
async function rankWithin(
  finding: Finding,
  first: RankedSeries | undefined,
): Promise<{ region: string; ranked: RankedSeries[] } | null> {
  const { service, names, wanted } = finding;
  const meant = names.map((name) => ({ ...name, hits: name.hits.slice(0, 1) }));
  const region = meant.find(({ word }) => word === 'region')?.hits[0];
  if (region?.exact !== true || first?.series.region_id === region.id) return null;
  const everything = { distance: null, level: null, includeHistorical: true };
  const contained = await service.store.traverse('regions', 'contains', [region.id], everything);
  const inside = (contained.get(region.id) ?? []).map((id) => ({ id, name: '', exact: true }));
  if (inside.length === 0) return null;
  const fields = meant.map((name) => (name.word === 'region' ? { ...name, hits: inside } : name));
  const candidates = await listCandidates(finding, fields);
  const ranked = (await rankCombinations(candidates, [], { wanted, max: finding.count, pause })).flat();
  return ranked.length === 0 ? null : { region: region.name, ranked };
}

const MAX_OTHERS = 5;

/** Explains why no series were found: the entities have none at all, or none for the requested source and frequency. */
async function explainNone(finding: Finding): Promise<string> {
  const others = await listOtherSources(finding);
  if (others.length === 0) return explainNoSeries(finding.names);
  const named = await withNames(
    finding.service,
    others.map(({ series }) => series),
  );
  const texts = named.map(({ source_name, frequency_name }) => `${source_name} (${frequency_name})`);
  const listed = shownList([...new Set(texts)], MAX_OTHERS);
  const unknown = finding.sources.find(({ hits }) => hits.length === 0);
  const what =
    unknown === undefined
      ? 'no data series from this source and at this frequency is available for the selection'
      : `no source is called "${unknown.requested}"`;
  return `${what}; available are ${listed}`;
}

async function describeSeries(
  { service, names, wanted }: Finding,
  ranked: readonly RankedSeries[],
): Promise<Found['series']> {
  const named = await withNames(
    service,
    ranked.map(({ series }) => series),
  );
  return named.map((series, at) => ({
    ...withWantedDates(series, wanted),
    coverage: ranked[at]!.coverage,
    ...collectMatched(series, names),
  }));
}
