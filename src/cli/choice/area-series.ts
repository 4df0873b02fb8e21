import type { AreaSeries } from '../../client/area-weighting.js';
import { candidateOf, wantedPeriod } from '../../client/discovery/candidates.js';
import { groupedBy } from '../../client/discovery/grouping.js';
import { rankByCoverage } from '../../compute/ranking.js';
import type { Client } from '../../create-client.js';
import type { TakenName } from '../../model/entity.js';
import type { DataSeries } from '../../model/series.js';
import type { SeriesWords } from '../options/series.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { filterOf } from './series-choice.js';

/** What is chosen across regions, by one source and at one frequency. */
export interface AreaChoice {
  readonly metric: TakenName;
  readonly item: TakenName;
  readonly source?: string | undefined;
  readonly frequency?: SeriesWords['frequency'];
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/**
 * The best covered series of a metric and an item, of the sources and frequencies that the largest number of the regions
 * have.
 * @throws NothingFoundError when no region has one
 */
export async function chooseAcrossRegions(
  client: Client,
  { metric, item, source, frequency, start, end }: AreaChoice,
  { region_ids, signal }: { region_ids: readonly number[]; signal: AbortSignal },
): Promise<DataSeries> {
  const selection = { metric_id: metric.id, item_id: item.id, region_id: [...region_ids] };
  const fits = filterOf({ source, frequency });
  const listed = await client.getDataSeries(selection, { signal });
  const ofWorld = listed.filter((series) => series.partner_region_id === 0 && fits(series));
  const groups = [
    ...groupedBy(ofWorld, ({ source_id, frequency_id }) => `${source_id} ${frequency_id}`).values(),
  ];
  const max = Math.max(...groups.map(regionCount));
  const widest = groups.filter((group) => regionCount(group) === max).flat();
  const wanted = wantedPeriod({ start_date: start, end_date: end });
  const [best] = rankByCoverage(widest.map(candidateOf), wanted);
  if (best === undefined)
    throw new NothingFoundError(
      `no data series of ${item.name}, ${metric.name} is available in these regions`,
    );
  return best.series;
}

/** The ids that weigh across regions. */
export function areaSeriesOf({ item_id, metric_id, frequency_id, source_id }: DataSeries): AreaSeries {
  return { item_id, metric_id, frequency_id, source_id };
}

function regionCount(group: readonly DataSeries[]): number {
  return new Set(group.map(({ region_id }) => region_id)).size;
}
