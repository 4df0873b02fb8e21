import { type Coverage, rankByCoverage, type WantedPeriod } from '../../compute/ranking.js';
import { type MatchedNames, WORLD_REGION_ID } from '../../model/entity.js';
import { NotFoundError } from '../../model/errors.js';
import { groupedBy } from '../../model/grouping.js';
import type { Cancellable } from '../../model/progress.js';
import type { Selection } from '../../model/selection.js';
import { compareSeriesKeys, type DataSeries, type SeriesKey, seriesKeyText } from '../../model/series.js';
import { formatTime } from '../../model/time.js';
import type { NamedHit } from '../resolve-name.js';
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
 * Every source of a combination, as the service ranks them, with the wanted dates. Of a service without a ranking, the
 * sources are in the order of their coverage.
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
  try {
    for await (const series of client.rankSeriesBySource(undated, { signal }))
      ranked.push(listed.get(series.source_id) ?? unlistedSeries(series, wanted));
  } catch (error) {
    if (error instanceof NotFoundError) return [...listed.values()];
    throw error;
  }
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
  readonly hits: readonly NamedHit[];
}

/** Selects the series of every combination of the hits. */
export function selectionOf(names: readonly NameHits[]): Selection {
  return Object.fromEntries(names.map(({ field, hits }) => [field, hits.map(({ id }) => id)]));
}

/** The entities of the series whose names differ from those of the request; none when all match. */
export function matchedOf(
  series: DataSeries,
  names: readonly NameHits[],
): { matched?: MatchedNames | undefined } {
  const matched = names.flatMap(({ name, requested, field, hits }) => {
    const hit = hits.find(({ id }) => id === series[field]);
    if (hit === undefined || hit.exact) return [];
    const instead_of = hits.find(({ exact }) => exact)?.name;
    return [[name, { requested, ...hit, ...(instead_of !== undefined && { instead_of }) }] as const];
  });
  return matched.length === 0 ? {} : { matched: Object.fromEntries(matched) };
}

/**
 * Explains that the entity with exactly the requested name has no series, and names the weaker match that does.
 * @returns undefined if the series' entities have the requested names
 */
export function whyNotReplaced({
  matched = {},
}: {
  readonly matched?: MatchedNames | undefined;
}): string | undefined {
  for (const [word, match] of Object.entries(matched))
    if (match?.instead_of !== undefined)
      return `${word}: "${match.requested}" is ${match.instead_of}, which has no such series; to take "${match.name}" (id ${match.id}), name it`;
  return undefined;
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
