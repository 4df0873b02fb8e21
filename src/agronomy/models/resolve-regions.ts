import type { ServiceClient } from '../../client/client.js';
import { requireExact } from '../../client/resolve.js';
import { badArgument } from '../../model/errors.js';
import { chunksOf } from '../../model/grouping.js';
import { isOnlyMeaning, toMatchedName } from '../../model/names/meaning.js';
import type { Cancellable } from '../../model/progress.js';
import type { WeightedRegion } from '../weighting/weights.js';

/** A region, identified by its id or by a name to search for. */
export type RegionOrName =
  | string
  | number
  | {
      /** The region's id. */
      readonly id: number;
      /** The region's name in results; looked up if omitted. */
      readonly name?: string | undefined;
    }
  | {
      /** Must be omitted, so that the region is searched for by name. */
      readonly id?: undefined;
      /** The name to search for. */
      readonly name: string;
    };

/** A region to be weighted. */
export type CropRegion = Exclude<RegionOrName, string | number> & {
  /** A region whose values are used in place of this region's, such as a weather station. */
  readonly proxy_region?: RegionOrName | undefined;
};

export interface ResolvedRegion extends WeightedRegion {
  readonly proxy_region?: WeightedRegion | undefined;
}

interface ResolveOptions extends Cancellable {
  /** Whether to reject names that do not match exactly one region. */
  readonly exact?: boolean | undefined;
}

/** Looks up regions and proxy regions. Sets `matched` if a region is a guess, or if other places share its name. */
export async function resolveRegions(
  client: ServiceClient,
  regions: readonly (RegionOrName | CropRegion)[],
  options: ResolveOptions = {},
): Promise<ResolvedRegion[]> {
  const proxyOf = (region: RegionOrName | CropRegion) =>
    typeof region === 'object' && 'proxy_region' in region ? region.proxy_region : undefined;
  const all = [...regions, ...regions.flatMap((region) => proxyOf(region) ?? [])].map(requestedRegion);
  const [names, matches] = await Promise.all([
    lookUpNames(client, all, options),
    matchNames(client, all, options),
  ]);
  const resolve = (region: RegionOrName): WeightedRegion => {
    const { id, name } = requestedRegion(region);
    return id === undefined ? matches.get(name!)! : { id, name: name ?? names.get(id) ?? String(id) };
  };
  return regions.map((region) => {
    const proxy = proxyOf(region);
    return { ...resolve(region), ...(proxy === undefined ? {} : { proxy_region: resolve(proxy) }) };
  });
}

type RequestedRegion = { readonly id?: number | undefined; readonly name?: string | undefined };

function requestedRegion(region: RegionOrName): RequestedRegion {
  if (typeof region === 'object') return region;
  return typeof region === 'string' ? { name: region } : { id: region };
}

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

const NAMES_PER_REQUEST = 200;

async function matchNames(
  client: ServiceClient,
  regions: readonly RequestedRegion[],
  { signal, exact = false }: ResolveOptions,
): Promise<ReadonlyMap<string, WeightedRegion>> {
  const names = new Set(regions.flatMap(({ id, name }) => (id === undefined ? name! : [])));
  const chunks = await Promise.all(
    chunksOf([...names], NAMES_PER_REQUEST).map((region) => client.resolve({ region, limit: 0, signal })),
  );
  const resolved = chunks.flatMap((chunk) => chunk.names);
  return new Map(
    resolved.map(({ requested: name, hits: [best] }) => {
      const refusal = `no region is called "${name}"`;
      if (best === undefined) throw badArgument('regions', `${refusal}; try search('regions', …)`);
      const matched = toMatchedName(name, best);
      if (exact) requireExact(matched, { argument: 'regions', refusal, instead: 'pass its id' });
      return [name, { id: best.id, name, ...(isOnlyMeaning(best) ? {} : { matched }) }];
    }),
  );
}
