import type { ServiceClient } from '../../client/client.js';
import { findRegionSeries } from '../../client/discovery/region-series.js';
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
      const hits = await client.search('regions', name, { signal });
      return hits.slice(0, HITS_PER_NAME).map(({ id }) => id);
    }),
  );
  const find = (item: string): Promise<Map<number, DataSeries>> =>
    findRegionSeries(client, {
      item,
      metric: NAMES.metric,
      region_ids: candidates.flat(),
      frequency_id: frequencyId('daily'),
      start_date,
      end_date,
      signal,
    });
  const [tmin, tmax] = await Promise.all([find(NAMES.tmin), find(NAMES.tmax)]);
  return region_names.map((name, i) => {
    const region = candidates[i]!.find((id) => tmin.has(id) && tmax.has(id));
    if (region !== undefined) return { tmin: tmin.get(region)!, tmax: tmax.get(region)! };
    throw new ArgumentError(
      'region_name',
      `region_name: "${name}" has no daily minimum and maximum temperatures; name a region or station that has both`,
    );
  });
}
