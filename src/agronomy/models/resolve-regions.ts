import type { ServiceClient } from '../../client/client.js';
import { ArgumentError } from '../../model/errors.js';
import type { WeightedRegion } from '../weights/weights.js';

/** A region by its id and name, or by its name alone, which is searched. */
export type RegionOrName = string | { readonly id?: number; readonly name: string };

/** A region of a weighting. */
export type CropRegion = Exclude<RegionOrName, string> & {
  /** Where the item's values are taken instead of the region itself, such as its weather station. */
  readonly stand_in?: RegionOrName;
};

/** A region that was found, and what stands in for it. */
export interface PlacedRegion extends WeightedRegion {
  readonly stand_in?: WeightedRegion;
}

/**
 * Regions with their ids. Those given by name are searched; the best hit is taken.
 * @throws ArgumentError that names the region of which nothing is known
 */
export function placeRegions(
  client: ServiceClient,
  regions: readonly (string | CropRegion)[],
  signal?: AbortSignal,
): Promise<PlacedRegion[]> {
  return Promise.all(
    regions.map(async (region) => {
      const [place, stand_in] = await Promise.all([
        placeRegion(client, region, signal),
        typeof region === 'string' || region.stand_in === undefined
          ? undefined
          : placeRegion(client, region.stand_in, signal),
      ]);
      return stand_in === undefined ? place : { ...place, stand_in };
    }),
  );
}

async function placeRegion(
  client: ServiceClient,
  region: RegionOrName,
  signal: AbortSignal | undefined,
): Promise<WeightedRegion> {
  const { id, name } = typeof region === 'string' ? { id: undefined, name: region } : region;
  const found = id ?? (await client.searchForEntity('regions', name, { signal }));
  if (found !== undefined) return { id: found, name };
  throw new ArgumentError('regions', `regions: no region is called "${name}"; see search('regions', …)`);
}
