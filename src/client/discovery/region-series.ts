import { rankByCoverage, type WantedPeriod } from '../../compute/ranking.js';
import { type TakenNames, WORLD_REGION_ID } from '../../model/entity.js';
import { ArgumentError, ContractError } from '../../model/errors.js';
import type { Cancellable } from '../../model/progress.js';
import type { DataSeries } from '../../model/series.js';
import { chunksOf } from '../chunks.js';
import { movedId } from '../http/id-redirects.js';
import { type NamedHit, type NamedSearch, suggestion } from '../search.js';
import type { SeriesLists } from '../series.js';
import { candidateOf, DEFAULT_HITS_PER_NAME, wantedPeriod } from './candidates.js';
import { rankSources } from './combinations.js';
import type { FoundSeries } from './find-series.js';
import { groupedBy } from './grouping.js';
import { underMovedIds } from './moved-hits.js';
import type { SeriesRankingOperations } from './rank-series.js';

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
 * The best series for each region: of the search hits that have data there the first item and metric, and of their series
 * the one that covers the wanted period best. Where a name has an exact hit, no other is taken; where it has none, the
 * series say what was. Names are searched once for all regions.
 * @throws ArgumentError when a name matches nothing; ContractError when dates that are left out would decide
 */
export async function findRegionSeries(
  client: NamedSearch & SeriesLists & SeriesRankingOperations,
  request: RegionSeriesRequest,
): Promise<Map<number, FoundSeries>> {
  const { signal, frequency_id, region_ids } = request;
  const wanted = wantedPeriod(request);
  const [items, metrics] = await Promise.all([
    hitsOf(client, 'items', request.item, request),
    hitsOf(client, 'metrics', request.metric, request),
  ]);
  const [item_id, metric_id] = [items, metrics].map((hits) => hits.map(({ id }) => id)) as [
    number[],
    number[],
  ];
  const listings = await Promise.all(
    chunksOf([...new Set(region_ids)], REGIONS_PER_LISTING).map(async (region_id) => {
      const { series, moved } = await client.listSeries(
        { metric_id, item_id, region_id, frequency_id },
        { signal },
      );
      const ofWorld = series.filter((one) => one.partner_region_id === WORLD_REGION_ID);
      const byRegion = groupedBy(ofWorld, (one) => one.region_id);
      const chosen = region_id.map(async (id) => {
        const found = byRegion.get(movedId('region_id', id, moved)) ?? byRegion.get(id);
        if (found === undefined) return [];
        const hits = {
          items: underMovedIds(items, 'item_id', moved),
          metrics: underMovedIds(metrics, 'metric_id', moved),
        };
        const series = await bestCovered(client, ofFirstHits(found, hits), { wanted, signal });
        return [[id, withTaken(series, { request, ...hits })] as const];
      });
      return (await Promise.all(chosen)).flat();
    }),
  );
  return new Map(listings.flat());
}

type NamesHits = Readonly<Record<'items' | 'metrics', readonly NamedHit[]>>;

/** The series of the first item and metric, in the order of the hits, that have any. */
function ofFirstHits(found: readonly DataSeries[], { items, metrics }: NamesHits): DataSeries[] {
  const rank = ({ item_id, metric_id }: DataSeries): number =>
    items.findIndex(({ id }) => id === item_id) * metrics.length +
    metrics.findIndex(({ id }) => id === metric_id);
  const first = Math.min(...found.map(rank));
  return found.filter((series) => rank(series) === first);
}

/**
 * The series that covers the wanted period best. Where its list says the dates and the number of points of each, they decide;
 * else the service's ranking of its sources.
 * @throws ContractError when dates that are left out would decide between frequencies
 */
async function bestCovered(
  client: SeriesRankingOperations,
  found: readonly DataSeries[],
  { wanted, signal }: Cancellable & { wanted: WantedPeriod },
): Promise<DataSeries> {
  const candidates = found.map((series) => candidateOf(series, series.source_id));
  const ranked = rankByCoverage(candidates, wanted);
  const [{ series }] = ranked as [(typeof ranked)[number]];
  const isStated = (one: DataSeries) => isDated(one) && one.data_count_estimate !== undefined;
  if (found.length === 1 || found.every(isStated)) return series;
  const ofFrequency = ranked.filter((one) => one.series.frequency_id === series.frequency_id);
  if (ofFrequency.length < ranked.length && !found.every(isDated)) throw undecided(series);
  const sources = await rankSources(client, ofFrequency, { wanted, signal });
  const listed = new Map(ofFrequency.map((one) => [one.series.source_id, one.series]));
  return sources.flatMap(({ source_id }) => listed.get(source_id) ?? [])[0] ?? series;
}

function isDated({ start_date, end_date }: DataSeries): boolean {
  return start_date !== undefined && end_date !== undefined;
}

function undecided({ metric_id, item_id, region_id }: DataSeries): ContractError {
  const series = `the series of metric ${metric_id}, item ${item_id} and region ${region_id}`;
  return new ContractError(
    'seriesList',
    `seriesList: ${series} have several frequencies, and the service does not say the start_date and end_date that decide between them`,
    { field: 'start_date' },
  );
}

/** The series, with what was taken for the names that do not name its item and metric. */
function withTaken(
  series: DataSeries,
  { request, items, metrics }: NamesHits & { request: RegionSeriesRequest },
): FoundSeries {
  const item = items.find(({ id, exact }) => id === series.item_id && !exact);
  const metric = metrics.find(({ id, exact }) => id === series.metric_id && !exact);
  if (item === undefined && metric === undefined) return series;
  const taken: TakenNames = {};
  if (item !== undefined) taken.item = { asked: request.item, ...item };
  if (metric !== undefined) taken.metric = { asked: request.metric, ...metric };
  return { ...series, taken };
}

async function hitsOf(
  client: NamedSearch,
  type: 'items' | 'metrics',
  name: string,
  { exact = false, signal }: RegionSeriesRequest,
): Promise<readonly NamedHit[]> {
  const hits = await client.searchNames(type, name, { max: DEFAULT_HITS_PER_NAME, signal });
  if (hits.length === 0) throw new ArgumentError(type, `nothing among the ${type} is called "${name}"`);
  const named = hits.filter((hit) => hit.exact);
  if (named.length > 0 || !exact) return named.length > 0 ? named : hits;
  throw new ArgumentError(type, `nothing among the ${type} is called "${name}"; ${suggestion(hits[0]!)}`);
}
