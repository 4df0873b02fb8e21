import type { ServiceClient } from '../../client/client.js';
import { requireExact } from '../../client/resolve-name.js';
import { badArgument } from '../../model/errors.js';
import type { Cancellable } from '../../model/progress.js';
import type { WeightedRegion } from '../weighting/weights.js';

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
 * Resolves regions to ids. A name is searched and resolves to the region that it means; `matched` says so where that is a guess, or
 * where other places have the name too.
 * @throws ArgumentError that names the unknown region, or the choices
 */
export async function resolveRegions(
  client: ServiceClient,
  regions: readonly (RegionOrName | CropRegion)[],
  options: ResolveOptions = {},
): Promise<ResolvedRegion[]> {
  const proxyOf = (region: RegionOrName | CropRegion) =>
    typeof region === 'object' && 'proxy_region' in region ? region.proxy_region : undefined;
  const all = [...regions, ...regions.flatMap((region) => proxyOf(region) ?? [])].map(requestedRegion);
  const names = await lookUpNames(client, all, options);
  const resolve = (region: RegionOrName) =>
    resolveRegion(client, requestedRegion(region), { ...options, names });
  return Promise.all(
    regions.map(async (region) => {
      const proxy = proxyOf(region);
      const ofProxy = proxy === undefined ? undefined : resolve(proxy);
      const [resolved, proxy_region] = await Promise.all([resolve(region), ofProxy]);
      return proxy_region === undefined ? resolved : { ...resolved, proxy_region };
    }),
  );
}

type RequestedRegion = { readonly id?: number | undefined; readonly name?: string | undefined };

function requestedRegion(region: RegionOrName): RequestedRegion {
  if (typeof region === 'object') return region;
  return typeof region === 'string' ? { name: region } : { id: region };
}

/** The names of regions that are given by their ids alone. */
async function lookUpNames(
  client: ServiceClient,
  regions: readonly RequestedRegion[],
  { signal }: Cancellable,
): Promise<ReadonlyMap<number, string>> {
  const ids = regions.flatMap(({ id, name }) => (name === undefined ? (id ?? []) : []));
  if (ids.length === 0) return new Map();
  const entities = await client.lookupList('regions', [...new Set(ids)], { signal });
  return new Map([...entities].map(([id, { name }]) => [id, name]));
}

async function resolveRegion(
  client: ServiceClient,
  region: RequestedRegion,
  { signal, exact = false, names }: ResolveOptions & { names: ReadonlyMap<number, string> },
): Promise<WeightedRegion> {
  const { id } = region;
  if (id !== undefined) return { id, name: region.name ?? names.get(id) ?? String(id) };
  const name = region.name!;
  const matched = await client.resolveName('regions', name, { signal });
  const refusal = `no region is called "${name}"`;
  if (matched === undefined) throw badArgument('regions', `${refusal}; see search('regions', …)`);
  if (exact) requireExact(matched, { argument: 'regions', refusal, instead: 'give its id' });
  return matched.exact && matched.namesakes === undefined
    ? { id: matched.id, name }
    : { id: matched.id, name, matched };
}
