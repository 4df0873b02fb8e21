import type { ServiceClient } from '../../client/client.js';
import type { FoundSeries } from '../../client/discovery/find-series.js';
import { findRegionSeries } from '../../client/discovery/region-series.js';
import { HITS_PER_NAME, requireExact } from '../../client/resolve-name.js';
import type { TakenName } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';

/** The names by which the temperature series of a region are found. */
const NAMES = { tmin: 'Temperature min', tmax: 'Temperature max', metric: 'Temperature' } as const;

/** Daily minima and maxima of one region. */
export interface RegionTemperatures {
  readonly tmin: FoundSeries;
  readonly tmax: FoundSeries;
  /** The region that was taken for the name. */
  readonly taken: TakenName;
}

/** @throws ArgumentError that names the choices, when the name is not that of the region taken, or of other places too */
export function requireOnlyPlace({ taken }: RegionTemperatures): void {
  requireExact(taken, {
    argument: 'region_name',
    refusal: `no region called "${taken.asked}" has daily temperatures`,
    instead: ', or use the first with explain: true',
  });
}

/** @throws ArgumentError when the service has no items or metric of the names, and others were taken */
export function requireTemperatures({ tmin, tmax }: RegionTemperatures): void {
  const other = [tmin, tmax].flatMap(({ taken }) => taken?.item ?? taken?.metric ?? [])[0];
  if (other === undefined) return;
  throw new ArgumentError(
    'region_name',
    `region_name: the service has nothing called "${other.asked}", and "${other.name}" may be something else; give the series to computeGdd, or take these with explain: true`,
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
    region_names.map((name) => client.searchNames('regions', name, { max: HITS_PER_NAME, signal })),
  );
  const find = (item: string): Promise<Map<number, FoundSeries>> =>
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
  const choose = async (asked: string, i: number): Promise<RegionTemperatures> => {
    const hits = candidates[i]!;
    const hit = hits.find(({ id }) => tmin.has(id) && tmax.has(id));
    if (hit === undefined)
      throw new ArgumentError(
        'region_name',
        `region_name: "${asked}" has no daily minimum and maximum temperatures; name a region or station that has both`,
      );
    const taken = await client.matchOf('regions', hit, { asked, hits, signal });
    return { tmin: tmin.get(hit.id)!, tmax: tmax.get(hit.id)!, taken };
  };
  return Promise.all(region_names.map(choose));
}
