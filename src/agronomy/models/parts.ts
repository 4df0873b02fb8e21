import type { ServiceClient } from '../../client/client.js';
import { isRest, levelName, REGION_LEVELS } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import { groupedBy } from '../../model/grouping.js';
import type { Cancellable } from '../../model/progress.js';
import type { WeightedRegion } from '../weighting/weights.js';

export function idsOf(regions: readonly { readonly id: number }[]): number[] {
  return regions.map(({ id }) => id);
}

/**
 * Finds the combined regions among `region_ids`, such as "Other counties, Iowa". Maps the id of each combined region to
 * the ids of the regions that it may include: all regions in the smallest region that contains the combined region.
 */
export async function findRests(
  client: ServiceClient,
  region_ids: readonly number[],
  { signal }: Cancellable,
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const regions = await client.lookupList('regions', [...new Set(region_ids)], { signal });
  const rests = [...regions.values()].filter(({ name }) => isRest(name));
  const containers = [...new Set(rests.flatMap(({ belongsTo }) => belongsTo))];
  const contained = new Map(
    await Promise.all(
      containers.map(async (id) => {
        const found = await client.getDescendant('regions', id, { include_details: false, signal });
        return [id, new Set(idsOf(found))] as const;
      }),
    ),
  );
  return new Map(
    rests.map(({ id, belongsTo }) => {
      const among = belongsTo.map((container) => contained.get(container)!);
      const [smallest] = among.filter(({ size }) => size > 1).sort((a, b) => a.size - b.size);
      return [id, smallest ?? new Set()];
    }),
  );
}

/** Finds a region's parts: the regions at a given level (by default, the next one below) and the combined regions. */
export async function findParts(
  client: ServiceClient,
  region_id: number,
  { descendant_level, signal }: Cancellable & { descendant_level?: number | undefined },
): Promise<WeightedRegion[]> {
  const { name, level } = await client.lookup('regions', region_id, { signal });
  const below = descendant_level ?? (level === null ? undefined : level + 1);
  const ofLevel = (descendant_level: number) =>
    client.getDescendant('regions', region_id, { descendant_level, signal });
  const parts = below === undefined || levelName(below) === undefined ? [] : await ofLevel(below);
  if (parts.length === 0) {
    const remedy = 'choose a region that contains others, or a different descendant_level';
    throw badArgument('region', `${name} contains no regions of level ${below ?? 'unknown'}; ${remedy}`);
  }
  // Combined regions have the level of agricultural districts, so parts of that level already include them.
  const rests = below === REGION_LEVELS.other ? [] : await ofLevel(REGION_LEVELS.other);
  return [...parts.filter(({ name }) => !isRest(name)), ...rests.filter(({ name }) => isRest(name))];
}

/** Checks that no region is listed twice, nor with one that it contains. @throws ArgumentError if one is */
export async function refuseNested(
  client: ServiceClient,
  region_ids: readonly number[],
  { signal }: Cancellable,
): Promise<void> {
  const distinct = new Set(region_ids);
  const regions = [...(await client.lookupList('regions', [...distinct], { signal })).values()];
  const byLevel = groupedBy(
    regions.filter(({ name }) => !isRest(name)),
    ({ level }) => level,
  );
  const twice = region_ids.find((id, at) => region_ids.indexOf(id) !== at);
  if (twice !== undefined)
    throw badArgument('regions', `${regions.find(({ id }) => id === twice)?.name ?? twice} is listed twice`, {
      remedy: 'list each region once',
    });
  // Regions at the same level do not contain one another.
  const [, ...others] = [...byLevel.values()].sort((a, b) => b.length - a.length);
  for (const { id, name } of others.flat()) {
    const options = { include_historical: false, include_details: false, signal } as const;
    const [below, above] = await Promise.all([
      client.getDescendant('regions', id, options),
      client.getAncestor('regions', id, { ...options, include_details: false }),
    ]);
    const nameOf = (found: { id: number }) => regions.find((region) => region.id === found.id)!.name;
    const [part, whole] = [below, above].map((found) =>
      found.find((one) => one.id !== id && distinct.has(one.id)),
    );
    if (part !== undefined || whole !== undefined)
      throw badArgument(
        'regions',
        `${part === undefined ? nameOf(whole!) : name} contains ${part === undefined ? name : nameOf(part)}, which would be counted twice`,
        { remedy: 'pass regions of the same level' },
      );
  }
}
