import type { ServiceClient } from '../../client/client.js';
import { findRegionSeries } from '../../client/discovery/region-series.js';
import { badArgument } from '../../model/errors.js';
import type { Cancellable } from '../../model/progress.js';

/** Which years to average for the weights; by default, the last year with data and the nine years before it. */
interface WantedYears extends Cancellable {
  readonly item: string;
  readonly metric: string;
  readonly region_ids: readonly number[];
  readonly from: number | null;
  readonly to: number | null;
}

const WEIGHT_YEARS = 10;

export async function weightYears(client: ServiceClient, { from, to, ...wanted }: WantedYears) {
  const series = to === null ? await findRegionSeries(client, wanted) : new Map();
  const ends = [...series.values()].flatMap(({ end_date }) => (end_date ? Number(end_date.slice(0, 4)) : []));
  if (to === null && ends.length === 0)
    throw badArgument(
      'regions',
      `none of them has ${wanted.metric} data for ${wanted.item}; choose regions that do`,
    );
  const last = to ?? Math.max(...ends);
  const first = from ?? last - WEIGHT_YEARS + 1;
  return { first, last, start_date: `${first}-01-01`, end_date: `${last}-12-31` };
}
