import { WORLD_REGION_ID } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import { chunksOf } from '../../model/grouping.js';
import { type NameOperations, requireExact } from '../resolve.js';
import type { FoundSeries, Resolution, ResolveOptions } from './resolution.js';

const [REGIONS_PER_REQUEST, MAX_SERIES] = [200, 10_000];

interface RegionSeriesRequest extends Pick<ResolveOptions, 'start_date' | 'end_date' | 'signal'> {
  readonly item: string;
  readonly metric: string;
  readonly region_ids: readonly number[];
  readonly exact?: boolean | undefined;
  readonly frequency_id?: number | undefined;
}

/**
 * Finds, for each region, the series that best covers the wanted period. If a name has an exact hit, other hits for the
 * name are ignored. Otherwise, the `matched` field of the series names the entity that was used.
 * @throws ArgumentError if a name matches nothing, or has no exact match although `exact` is set
 */
export async function findRegionSeries(
  client: Pick<NameOperations, 'resolve'>,
  { region_ids, frequency_id, exact = false, ...question }: RegionSeriesRequest,
): Promise<Map<number, FoundSeries>> {
  const found = new Map<number, FoundSeries>();
  const scan = async (region_id: readonly number[]): Promise<void> => {
    const selection = { region_id, frequency_id, partner_region_id: WORLD_REGION_ID };
    for (let offset = 0; ; offset += MAX_SERIES) {
      const page = await client.resolve({ ...question, selection, limit: MAX_SERIES, offset });
      checkNames(page.names, exact);
      for (const { coverage: _, ...series } of page.series) {
        const isReplaced = Object.values(series.matched ?? {}).some((one) => one?.instead_of !== undefined);
        if (!isReplaced && !found.has(series.region_id)) found.set(series.region_id, series);
      }
      if (!page.more) return;
    }
  };
  await Promise.all(chunksOf([...new Set(region_ids)], REGIONS_PER_REQUEST).map(scan));
  return found;
}

function checkNames(names: Resolution['names'], exact: boolean): void {
  for (const { word, requested, hits } of names) {
    const [best] = hits;
    const argument = `${word}s`;
    const refusal = `no ${word} is called "${requested}"`;
    if (best === undefined) throw badArgument(argument, refusal, { remedy: `see search('${argument}', …)` });
    if (exact && !best.exact) requireExact({ requested, ...best }, { argument, refusal });
  }
}
