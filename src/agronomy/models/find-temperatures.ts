import type { ServiceClient } from '../../client/client.js';
import { findRegionSeries } from '../../client/discovery/region-series.js';
import type { TakenName } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import type { DataSeries } from '../../model/series.js';

/** The names by which the temperature series of a region are found. */
const NAMES = { tmin: 'Temperature min', tmax: 'Temperature max', metric: 'Temperature' } as const;

/** Search hits of a region name that are tried in turn. */
const HITS_PER_NAME = 10;

/** Daily minima and maxima of one region. */
export interface RegionTemperatures {
  readonly tmin: DataSeries;
  readonly tmax: DataSeries;
  /** The region that was taken for the name. */
  readonly taken: TakenName;
}

/** @throws ArgumentError that suggests the region, when one was taken that the name does not name */
export function requireExact({ taken }: RegionTemperatures): void {
  if (taken.exact) return;
  throw new ArgumentError(
    'region_name',
    `region_name: no region called "${taken.asked}" has daily temperatures; did you mean "${taken.name}"? Name it, or take it with explain: true`,
  );
}

/**
 * For each name, the daily minimum and maximum series that cover the interval best, of the first hit that has both.
 * @throws ArgumentError that names the region without daily temperatures
 */
export async function findTemperatures(
  client: ServiceClient,
  region_names: readonly string[],
  interval: { start_date: string; end_date: string; signal?: AbortSignal | undefined },
): Promise<RegionTemperatures[]> {
  const { start_date, end_date, signal } = interval;
  const candidates = await Promise.all(
    region_names.map(async (name) => {
      const options = { max: HITS_PER_NAME, signal };
      const hits = await client.searchNames('regions', name, options);
      return hits.map((hit) => ({ asked: name, ...hit }));
    }),
  );
  const find = (item: string): Promise<Map<number, DataSeries>> =>
    findRegionSeries(client, {
      item,
      metric: NAMES.metric,
      region_ids: candidates.flat().map(({ id }) => id),
      frequency_id: frequencyId('daily'),
      start_date,
      end_date,
      signal,
    });
  const [tmin, tmax] = await Promise.all([find(NAMES.tmin), find(NAMES.tmax)]);
  return region_names.map((name, i) => {
    const taken = candidates[i]!.find(({ id }) => tmin.has(id) && tmax.has(id));
    if (taken !== undefined) return { tmin: tmin.get(taken.id)!, tmax: tmax.get(taken.id)!, taken };
    throw new ArgumentError(
      'region_name',
      `region_name: "${name}" has no daily minimum and maximum temperatures; name a region or station that has both`,
    );
  });
}
