import type { ServiceClient } from '../../client/client.js';
import { suggestion } from '../../client/search.js';
import { ArgumentError } from '../../model/errors.js';
import type { Cancellable } from '../../model/progress.js';
import type { WeightedRegion } from '../weights/weights.js';

/** A region by id and name, or by a name that is searched. */
export type RegionOrName =
  | string
  | {
      /** Id of the region; searched by name when absent. */
      readonly id?: number | undefined;
      /** Name of the region. */
      readonly name: string;
    };

/** A region of a weighting. */
export type CropRegion = Exclude<RegionOrName, string> & {
  /** The region whose values are used instead, such as a weather station. */
  readonly proxy_region?: RegionOrName | undefined;
};

/** A region with its id, and its proxy region. */
export interface ResolvedRegion extends WeightedRegion {
  readonly proxy_region?: WeightedRegion | undefined;
}

interface ResolveOptions extends Cancellable {
  /** True refuses a name that no region has. */
  readonly exact?: boolean | undefined;
}

/**
 * Resolves regions to ids. A name is searched and resolves to its best hit.
 * @throws ArgumentError that names the unknown region
 */
export function resolveRegions(
  client: ServiceClient,
  regions: readonly (string | CropRegion)[],
  options: ResolveOptions = {},
): Promise<ResolvedRegion[]> {
  return Promise.all(
    regions.map(async (region) => {
      const [resolved, proxy_region] = await Promise.all([
        resolveRegion(client, region, options),
        typeof region === 'string' || region.proxy_region === undefined
          ? undefined
          : resolveRegion(client, region.proxy_region, options),
      ]);
      return proxy_region === undefined ? resolved : { ...resolved, proxy_region };
    }),
  );
}

async function resolveRegion(
  client: ServiceClient,
  region: RegionOrName,
  { signal, exact = false }: ResolveOptions,
): Promise<WeightedRegion> {
  const { id, name } = typeof region === 'string' ? { id: undefined, name: region } : region;
  if (id !== undefined) return { id, name };
  const [found] = await client.searchNames('regions', name, { max: 1, signal });
  if (found?.exact === true) return { id: found.id, name };
  if (found !== undefined && exact)
    throw new ArgumentError('regions', `regions: no region is called "${name}"; ${suggestion(found)}`);
  if (found !== undefined) return { id: found.id, name, taken: { asked: name, ...found } };
  throw new ArgumentError('regions', `regions: no region is called "${name}"; see search('regions', …)`);
}
