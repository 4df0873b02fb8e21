import type { ServiceClient } from '../../client/client.js';
import { suggestion } from '../../client/search.js';
import type { TakenName } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import type { Cancellable } from '../../model/progress.js';
import type { WeightedRegion } from '../weights/weights.js';
import { amongNamesakes, HITS_PER_NAME, namesakesText } from './namesakes.js';

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
  /** True refuses a name that no region has, or that several have. */
  readonly exact?: boolean | undefined;
}

/**
 * Resolves regions to ids. A name is searched and resolves to its best hit; `taken` says so where that is a guess, or where
 * other places have the name too.
 * @throws ArgumentError that names the unknown region, or the choices
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
      `regions: ${namesakesText(taken)}; name one of them, or give the region's id with its name`,
    );
}
