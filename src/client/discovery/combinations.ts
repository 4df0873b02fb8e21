import { type Coverage, rankByCoverage, type WantedPeriod } from '../../compute/ranking.js';
import {
  type MatchedName,
  type MatchedNames,
  type SearchableType,
  WORLD_REGION_ID,
} from '../../model/entity.js';
import { groupedBy } from '../../model/grouping.js';
import type { Cancellable } from '../../model/progress.js';
import type { Selection } from '../../model/selection.js';
import { compareSeriesKeys, type DataSeries, type SeriesKey, seriesKeyText } from '../../model/series.js';
import { formatTime } from '../../model/time.js';
import { isCalled, meaningOf, type NamedHit, otherPlaces } from '../resolve-name.js';
import { candidateOf } from './candidates.js';
import type { SeriesRankingOperations } from './rank-series.js';

/** A series with the coverage by which it was ranked. */
type Covered = DataSeries & { coverage: Coverage };

/** The series of one combination: they differ in their source only. */
export type Combination = readonly { readonly series: DataSeries; readonly coverage: Coverage }[];

/**
 * The combinations by their best coverage, ties in the order of the hits; those of the world first, unless another partner
 * region is named.
 */
export function rankCombinations(
  found: readonly DataSeries[],
  names: readonly NameHits[],
  wanted: WantedPeriod,
): Combination[] {
  const positions = names.map(
    ({ field, hits }) => [field, new Map(hits.map(({ id }, position) => [id, position]))] as const,
  );
  const byHits = (a: DataSeries, b: DataSeries): number => {
    for (const [field, order] of positions) {
      const difference = (order.get(a[field]) ?? 0) - (order.get(b[field]) ?? 0);
      if (difference !== 0) return difference;
    }
    return compareSeriesKeys(a, b);
  };
  const ranked = rankByCoverage([...found].sort(byHits).map(candidateOf), wanted);
  const groups = [...groupedBy(ranked, ({ series }) => combinationText(series)).values()];
  const partner = names.find(({ field }) => field === 'partner_region_id');
  if (partner?.hits.every(({ id }) => id !== WORLD_REGION_ID) === true) return groups;
  const isOfWorld = ([first]: Combination) => first!.series.partner_region_id === WORLD_REGION_ID;
  return [...groups.filter(isOfWorld), ...groups.filter((group) => !isOfWorld(group))];
}

/**
 * Returns every source of a combination in the order in which the service ranks them. Each series has the wanted dates.
 */
export async function rankSources(
  client: SeriesRankingOperations,
  group: Combination,
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

function combinationText(series: DataSeries): string {
  return seriesKeyText({ ...series, source_id: 0 });
}

/** The search hits of a name, for one field of a series. */
export interface NameHits {
  readonly name: keyof MatchedNames;
  readonly requested: string;
  readonly field: keyof SeriesKey;
  readonly hits: readonly RankedHit[];
}

/** A hit with the entity that the name means instead of it, or with the other places that have the name. */
type RankedHit = NamedHit & Pick<MatchedName, 'instead_of' | 'namesakes'>;

/** Adds to each hit of a name the other entities that the name means. */
export function rankedHits(
  type: SearchableType,
  requested: string,
  hits: readonly NamedHit[],
): readonly RankedHit[] {
  const exact = hits.filter((hit) => hit.exact);
  const { meant, namesakes } =
    type === 'regions' ? meaningOf(type, requested, hits) : { meant: exact, namesakes: [] };
  return hits.map((hit) => {
    if (!meant.includes(hit)) return meant.length === 0 ? hit : { ...hit, instead_of: meant[0]!.name };
    const others = type === 'regions' ? otherPlaces(hit, [...meant, ...namesakes]) : [];
    return others.length === 0 ? hit : { ...hit, namesakes: others.map(({ name }) => name) };
  });
}

/** Selects the series of every combination of the hits. */
export function selectionOf(names: readonly NameHits[]): Selection {
  return Object.fromEntries(names.map(({ field, hits }) => [field, hits.map(({ id }) => id)]));
}

/** Returns the entities of the series whose name differs from the requested name or is shared by other places. */
export function matchedOf(
  series: DataSeries,
  names: readonly NameHits[],
): { matched?: MatchedNames | undefined } {
  const matched = names.flatMap(({ name, requested, field, hits }) => {
    const hit = hits.find(({ id }) => id === series[field]);
    if (hit === undefined || isOnlyMeaning(hit)) return [];
    return [[name, { requested, ...hit }] as const];
  });
  return matched.length === 0 ? {} : { matched: Object.fromEntries(matched) };
}

function isOnlyMeaning({ exact, instead_of, namesakes }: RankedHit): boolean {
  return exact && instead_of === undefined && namesakes === undefined;
}

/**
 * Explains why a found series does not replace the requested one. Either the entity with exactly the requested name has
 * no series, or several regions have the name as a synonym. Names the entities to choose from.
 * @returns undefined if the series' entities have the requested names
 */
export function whyNotReplaced({
  matched = {},
}: {
  readonly matched?: MatchedNames | undefined;
}): string | undefined {
  for (const [word, match] of Object.entries(matched)) {
    if (match === undefined) continue;
    const { requested, id, name, instead_of, namesakes } = match;
    if (instead_of !== undefined)
      return `${word}: "${requested}" is ${instead_of}, which has no such series; to take "${name}" (id ${id}), name it`;
    if (namesakes !== undefined && !isCalled(match, requested)) {
      const choices = [name, ...namesakes].map((choice) => `"${choice}"`).join(' and ');
      return `${word}: "${requested}" is the name of ${choices}; name one of them`;
    }
  }
  return undefined;
}

/** Checks whether any entity of a found series is a replacement for the requested one. */
export function isGuess({ matched = {} }: { readonly matched?: MatchedNames | undefined }): boolean {
  return Object.values(matched).some((match) => match !== undefined && isReplacement(match));
}

/** Checks whether a match is not exact, or was used instead of an entity with exactly the requested name. */
export function isReplacement({ exact, instead_of }: MatchedName): boolean {
  return !exact || instead_of !== undefined;
}

/**
 * The series with the wanted dates, where they are given, in place of its own. A series that lies wholly outside of them has
 * only the wanted ones: its own end would be before the wanted start.
 */
function withWantedDates(series: DataSeries, { startMs, endMs }: WantedPeriod): DataSeries {
  const start_date = startMs === null ? series.start_date : formatTime(startMs);
  const end_date = endMs === null ? series.end_date : formatTime(endMs);
  const isOutside = start_date !== undefined && end_date !== undefined && start_date > end_date;
  return {
    ...series,
    start_date: isOutside && startMs === null ? undefined : start_date,
    end_date: isOutside && endMs === null ? undefined : end_date,
  };
}
