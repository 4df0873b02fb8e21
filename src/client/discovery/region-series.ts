import { rankByCoverage, type WantedPeriod } from '../../compute/ranking.js';
import { type TakenNames, WORLD_REGION_ID } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import type { DataSeries } from '../../model/series.js';
import { chunksOf } from '../chunks.js';
import { movedId } from '../http/id-redirects.js';
import type { NamedHit, NamedSearch } from '../search.js';
import type { SeriesLists } from '../series.js';
import { candidateOf, DEFAULT_HITS_PER_NAME, wantedPeriod } from './candidates.js';
import type { FoundSeries } from './find-series.js';
import { groupedBy } from './grouping.js';

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
 * @throws ArgumentError when a name matches nothing
 */
export async function findRegionSeries(
  client: NamedSearch & SeriesLists,
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
      return region_id.flatMap((id) => {
        const found = byRegion.get(movedId('region_id', id, moved)) ?? byRegion.get(id);
        if (found === undefined) return [];
        const series = best(found, { item_id, metric_id, wanted });
        return [[id, withTaken(series, { request, items, metrics })] as const];
      });
    }),
  );
  return new Map(listings.flat());
}

function best(
  found: readonly DataSeries[],
  {
    item_id,
    metric_id,
    wanted,
  }: { item_id: readonly number[]; metric_id: readonly number[]; wanted: WantedPeriod },
): DataSeries {
  const rank = (series: DataSeries): number =>
    item_id.indexOf(series.item_id) * metric_id.length + metric_id.indexOf(series.metric_id);
  const first = Math.min(...found.map(rank));
  const ofFirst = found.filter((series) => rank(series) === first);
  const candidates = ofFirst.map((series) => candidateOf(series, series.source_id));
  return rankByCoverage(candidates, wanted)[0]!.series;
}

/** The series, with what was taken for the names that do not name its item and metric. */
function withTaken(
  series: DataSeries,
  {
    request,
    items,
    metrics,
  }: Record<'items' | 'metrics', readonly NamedHit[]> & { request: RegionSeriesRequest },
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
  throw new ArgumentError(
    type,
    `nothing among the ${type} is called "${name}"; did you mean "${hits[0]!.name}"?`,
  );
}
