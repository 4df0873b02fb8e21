import { rankByCoverage, type WantedPeriod } from '../compute/ranking.js';
import { ArgumentError } from '../model/errors.js';
import type { DataSeries } from '../model/series.js';
import { parseTime } from '../model/time.js';
import type { EntityOperations } from './entities.js';
import { groupedBy } from './grouping.js';
import { candidateOf, DEFAULT_HITS_PER_NAME, type SeriesOperations } from './series.js';

/** Regions that one listing asks for. */
const REGIONS_PER_LISTING = 200;

export interface RegionSeriesRequest {
  readonly item: string;
  readonly metric: string;
  readonly region_ids: readonly number[];
  /** Restricts to series of this frequency. */
  readonly frequency_id?: number | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * For each region the series that covers best: of the item and metric hits that have data there, the earliest hits, then
 * the best coverage of the wanted period. Names are searched once, however many regions there are.
 * @throws ArgumentError when a name finds nothing
 */
export async function findRegionSeries(
  client: Pick<EntityOperations, 'search'> & Pick<SeriesOperations, 'getDataSeries'>,
  request: RegionSeriesRequest,
): Promise<Map<number, DataSeries>> {
  const { signal, frequency_id, region_ids } = request;
  const [item_id, metric_id] = await Promise.all([
    hitsOf(client, 'items', request.item, signal),
    hitsOf(client, 'metrics', request.metric, signal),
  ]);
  const listings = await Promise.all(
    chunksOf([...new Set(region_ids)]).map((region_id) => {
      const selection = {
        metric_id,
        item_id,
        region_id,
        ...(frequency_id === undefined ? {} : { frequency_id }),
      };
      return client.getDataSeries(selection, { signal });
    }),
  );
  const wanted = {
    startMs: request.start_date === undefined ? null : parseTime(request.start_date, 'start_date'),
    endMs: request.end_date === undefined ? null : parseTime(request.end_date, 'end_date'),
  };
  const ofWorld = listings.flat().filter((series) => series.partner_region_id === 0);
  return new Map(
    [...groupedBy(ofWorld, (series) => series.region_id)].map(([region_id, found]) => [
      region_id,
      best(found, { item_id, metric_id, wanted }),
    ]),
  );
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
  return rankByCoverage(found.filter((series) => rank(series) === first).map(candidateOf), wanted)[0]!.series;
}

async function hitsOf(
  client: Pick<EntityOperations, 'search'>,
  type: 'items' | 'metrics',
  name: string,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const hits = await client.search(type, name, { signal });
  if (hits.length === 0) throw new ArgumentError(type, `nothing among the ${type} is called "${name}"`);
  return hits.slice(0, DEFAULT_HITS_PER_NAME).map(({ id }) => id);
}

function chunksOf(ids: readonly number[]): number[][] {
  const chunks: number[][] = [];
  for (let i = 0; i < ids.length; i += REGIONS_PER_LISTING)
    chunks.push(ids.slice(i, i + REGIONS_PER_LISTING));
  return chunks;
}
