import { REGION_LEVELS, WORLD_REGION_ID } from '../model/entity.js';
import type { ServiceClient } from './client.js';

/**
 * Lists the ids of the regions whose outlines surround a map of a region's level: the country's provinces if the map
 * shows parts of provinces, or else all countries.
 */
export async function listSurroundings(
  client: Pick<ServiceClient, 'getAncestor' | 'getDescendant'>,
  region_id: number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<readonly number[]> {
  const wider = await client.getAncestor('regions', region_id, { signal });
  const country = wider.find(({ level }) => level === REGION_LEVELS.country);
  const isWithinProvince = wider.some(({ level }) => level === REGION_LEVELS.province);
  const [container, descendant_level] =
    isWithinProvince && country !== undefined
      ? [country.id, REGION_LEVELS.province]
      : [WORLD_REGION_ID, REGION_LEVELS.country];
  const options = { descendant_level, include_details: false, include_historical: false, signal } as const;
  const around = await client.getDescendant('regions', container, options);
  return around.map(({ id }) => id);
}
