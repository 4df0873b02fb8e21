import type { ServiceClient } from '../../client/client.js';
import { suggestion } from '../../client/search.js';
import type { TakenName } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import type { Cancellable } from '../../model/progress.js';
import type { WeightedRegion } from '../weights/weights.js';
import { amongNamesakes, HITS_PER_NAME, namesakesText } from './namesakes.js';

/** A region by id, by a name that is searched, or by both. */
export type RegionOrName =
  | string
  | number
  | {
      /** Id of the region. */
      readonly id: number;
      /** Its name in results; looked up when absent. */
      readonly name?: string | undefined;
    }
  | {
      /** Absent where the name is searched. */
      readonly id?: undefined;
      /** Name of the region, which is searched. */
      readonly name: string;
    };

/** A region of a weighting. */
export type CropRegion = Exclude<RegionOrName, string | number> & {
  /** The region whose values are used instead, such as a weather station. */
  readonly proxy_region?: RegionOrName | undefined;
};

/** A region with its id, and its proxy region. */
export interface ResolvedRegion extends WeightedRegion {
  readonly proxy_region?: WeightedRegion | undefined;
}

interface ResolveOptions extends Cancellable {
  /** True refuses a name that no region has, or that several have. */
  readonly exact?: boolean | undefined;
}

/**
 * Resolves regions to ids. A name is searched and resolves to its best hit; `taken` says so where that is a guess, or where
 * other places have the name too.
 * @throws ArgumentError that names the unknown region, or the choices
 */
export async function resolveRegions(
  client: ServiceClient,
  regions: readonly (RegionOrName | CropRegion)[],
  options: ResolveOptions = {},
): Promise<ResolvedRegion[]> {
  const asked = regions.map(askedRegion);
  const proxies = regions.map((region) => {
    const proxy = typeof region === 'object' && 'proxy_region' in region ? region.proxy_region : undefined;
    return proxy === undefined ? undefined : askedRegion(proxy);
  });
  const names = await lookUpNames(client, [...asked, ...proxies], options);
  const resolve = (region: AskedRegion) => resolveRegion(client, region, { ...options, names });
  return Promise.all(
    asked.map(async (region, i) => {
      const proxy = proxies[i];
      const [resolved, proxy_region] = await Promise.all([resolve(region), proxy && resolve(proxy)]);
      return proxy_region === undefined ? resolved : { ...resolved, proxy_region };
    }),
  );
}

type AskedRegion = { readonly id?: number | undefined; readonly name?: string | undefined };

function askedRegion(region: RegionOrName): AskedRegion {
  if (typeof region === 'object') return region;
  return typeof region === 'string' ? { name: region } : { id: region };
}

/** The names of regions that are given by their ids alone. */
async function lookUpNames(
  client: ServiceClient,
  regions: readonly (AskedRegion | undefined)[],
  { signal }: Cancellable,
): Promise<ReadonlyMap<number, string>> {
  const ids = regions.flatMap((region) => (region?.name === undefined ? (region?.id ?? []) : []));
  if (ids.length === 0) return new Map();
  const entities = await client.lookupList('regions', [...new Set(ids)], { signal });
  return new Map([...entities].map(([id, { name }]) => [id, name]));
}

async function resolveRegion(
  client: ServiceClient,
  region: AskedRegion,
  { signal, exact = false, names }: ResolveOptions & { names: ReadonlyMap<number, string> },
): Promise<WeightedRegion> {
  const { id } = region;
  if (id !== undefined) return { id, name: region.name ?? names.get(id) ?? String(id) };
  const name = region.name!;
  const hits = await client.searchNames('regions', name, { max: HITS_PER_NAME, signal });
  const [best] = hits;
  if (best === undefined)
    throw new ArgumentError('regions', `regions: no region is called "${name}"; see search('regions', …)`);
  const taken = await amongNamesakes(client, best, { asked: name, hits, signal });
  if (exact) requireOnlyRegion(taken);
  return taken.exact && taken.namesakes === undefined ? { id: best.id, name } : { id: best.id, name, taken };
}

/** @throws ArgumentError that names the choices, when the name is not that of the region taken, or of other places too */
function requireOnlyRegion(taken: TakenName): void {
  if (!taken.exact)
    throw new ArgumentError('regions', `regions: no region is called "${taken.asked}"; ${suggestion(taken)}`);
  if (taken.namesakes !== undefined)
    throw new ArgumentError(
      'regions',
      `regions: ${namesakesText(taken)}; name one of them, or give the region's id`,
    );
}
