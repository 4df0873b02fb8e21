import { candidateOf, matchedOf, type NamedField, selectionOf } from '../../compute/found-series.js';
import { rankByCoverage, type WantedPeriod } from '../../compute/ranking.js';
import { WORLD_REGION_ID } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import { chunksOf, groupedBy } from '../../model/grouping.js';
import { isReplacement } from '../../model/names/meaning.js';
import type { Cancellable } from '../../model/progress.js';
import type { DataSeries } from '../../model/series.js';
import { parsePeriod } from '../../model/time.js';
import { type NameOperations, requireExact } from '../resolve.js';
import type { SeriesOperations } from '../series.js';
import { rankSources } from './json-base.js';
import type { SeriesRankingOperations } from './rank-series.js';
import type { FoundSeries } from './resolution.js';

/** Regions per listing request. */
const REGIONS_PER_LISTING = 200;

/** An item and a metric by name, and the regions for which a series of them is wanted. */
interface RegionSeriesRequest {
  readonly item: string;
  readonly metric: string;
  readonly region_ids: readonly number[];
  /** True refuses names of an item or a metric that fit nothing exactly. */
  readonly exact?: boolean | undefined;
  /** Only series of this frequency. */
  readonly frequency_id?: number | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the best series for each region. Of the hits, the first item and metric that have data in the region are used.
 * Of their series, the one that covers the wanted period best is chosen. If a name has an exact hit, all other hits are
 * ignored. Otherwise, `matched` of the series names the entity. Names are searched once for all regions.
 * @throws ArgumentError when a name matches nothing
 */
export async function findRegionSeries(
  client: Pick<NameOperations, 'resolve'> & Pick<SeriesOperations, 'getDataSeries'> & SeriesRankingOperations,
  request: RegionSeriesRequest,
): Promise<Map<number, FoundSeries>> {
  const { signal, frequency_id, region_ids } = request;
  const wanted = parsePeriod(request);
  const names = await meantNames(client, request);
  const listings = await Promise.all(
    chunksOf([...new Set(region_ids)], REGIONS_PER_LISTING).map(async (region_id) => {
      const selection = { ...selectionOf(names), region_id, frequency_id };
      const series = await client.getDataSeries(selection, { signal });
      const ofWorld = series.filter((one) => one.partner_region_id === WORLD_REGION_ID);
      const byRegion = groupedBy(ofWorld, (one) => one.region_id);
      const chosen = region_id.map(async (id) => {
        const found = byRegion.get(id);
        if (found === undefined) return [];
        const series = await bestCovered(client, ofFirstHits(found, names), { wanted, signal });
        return [[id, { ...series, ...matchedOf(series, names) }] as const];
      });
      return (await Promise.all(chosen)).flat();
    }),
  );
  return new Map(listings.flat());
}

/** The series of the first item and metric, in the order of the hits, that have any. */
function ofFirstHits(found: readonly DataSeries[], names: readonly NamedField[]): DataSeries[] {
  const rank = (series: DataSeries): number =>
    names.reduce(
      (position, { field, hits }) =>
        position * hits.length + hits.findIndex(({ id }) => id === series[field]),
      0,
    );
  const first = Math.min(...found.map(rank));
  return found.filter((series) => rank(series) === first);
}

/**
 * Returns the series that covers the wanted period best, by its dates and its number of points. If the service does not
 * list numbers of points, as in the JSON base, the service's ranking of sources decides.
 */
async function bestCovered(
  client: SeriesRankingOperations,
  found: readonly DataSeries[],
  { wanted, signal }: Cancellable & { wanted: WantedPeriod },
): Promise<DataSeries> {
  const candidates = found.map((series) => candidateOf(series, series.source_id));
  const ranked = rankByCoverage(candidates, wanted);
  const [{ series }] = ranked as [(typeof ranked)[number]];
  if (found.length === 1 || found.every((one) => one.data_count_estimate !== undefined)) return series;
  const ofFrequency = ranked.filter((one) => one.series.frequency_id === series.frequency_id);
  const sources = await rankSources(client, ofFrequency, { wanted, signal });
  const listed = new Map(ofFrequency.map((one) => [one.series.source_id, one.series]));
  return sources.flatMap(({ source_id }) => listed.get(source_id) ?? [])[0] ?? series;
}

/** Resolves the item and the metric, the item first: its hits decide first. */
async function meantNames(
  client: Pick<NameOperations, 'resolve'>,
  { item, metric, exact = false, signal }: RegionSeriesRequest,
): Promise<NamedField[]> {
  const { names } = await client.resolve({ item, metric, limit: 0, signal });
  return (['item', 'metric'] as const).map((word): NamedField => {
    const { requested, hits } = names.find((name) => name.word === word)!;
    const [best] = hits;
    const argument = `${word}s`;
    const refusal = `no ${word} is called "${requested}"`;
    if (best === undefined) throw badArgument(argument, `${refusal}; see search('${argument}', …)`);
    const meant = hits.filter((hit) => !isReplacement(hit));
    if (exact && meant.length === 0) requireExact({ requested, ...best }, { argument, refusal });
    return { word, requested, field: `${word}_id`, hits: meant.length > 0 ? meant : hits };
  });
}
