import type { ServiceClient } from '../../client/client.js';
import { REGION_LEVELS } from '../../model/entity.js';
import { ArgumentError, ContractError } from '../../model/errors.js';

/** The kinds of region to which others are rolled up, with their levels. Agricultural districts have the level "other". */
export const ROLL_UP_LEVELS = {
  'agricultural-district': REGION_LEVELS.other,
  province: REGION_LEVELS.province,
  country: REGION_LEVELS.country,
  continent: REGION_LEVELS.continent,
  world: REGION_LEVELS.world,
} as const;

/** A kind of region to which others are rolled up. */
export type RollUpTarget = keyof typeof ROLL_UP_LEVELS;

/** A region that contains others. */
export interface Target {
  readonly id: number;
  readonly name: string;
  /** The regions of the frame's level that it contains, whether the frame has them or not. */
  readonly member_ids: readonly number[];
}

/**
 * The regions of a kind that contain these, each with all its members of their level.
 * @throws ArgumentError when the regions are of several levels, one is within no such region, or within several
 * @throws ContractError when the service does not say a level
 */
export async function findTargets(
  client: ServiceClient,
  region_ids: readonly number[],
  { to, signal }: { to: RollUpTarget; signal: AbortSignal | undefined },
): Promise<Target[]> {
  const level = await levelOf(client, region_ids, signal);
  const unplaced = new Set(region_ids);
  const targets: Target[] = [];
  for (const id of region_ids) {
    if (!unplaced.has(id)) continue;
    const target = await targetOf(client, id, { to, level, signal });
    for (const member of target.member_ids) unplaced.delete(member);
    targets.push(target);
  }
  refuseShared(targets, region_ids);
  return targets;
}

async function levelOf(
  client: ServiceClient,
  region_ids: readonly number[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const regions = [...(await client.lookupList('regions', region_ids, { signal })).values()];
  const [first] = regions;
  if (first === undefined) throw new ArgumentError('table', 'table: the service knows none of its regions');
  const other = regions.find(({ level }) => level !== first.level);
  if (other !== undefined) {
    throw new ArgumentError(
      'table',
      `table: ${first.name} is a ${levelName(first.level)} and ${other.name} a ${levelName(other.level)}; select regions of one level, or some would count twice`,
    );
  }
  if (first.level === null)
    throw new ContractError('lookup', `rollUp: the service does not say the level of ${first.name}`);
  return first.level;
}

function levelName(level: number | null): string {
  const [name = 'region of no known level'] =
    Object.entries(REGION_LEVELS).find(([, each]) => each === level) ?? [];
  return name === 'other' ? 'region of another kind (such as an agricultural district)' : name;
}

async function targetOf(
  client: ServiceClient,
  id: number,
  { to, level, signal }: { to: RollUpTarget; level: number; signal: AbortSignal | undefined },
): Promise<Target> {
  const found = await client.getAncestor('regions', id, { ancestor_level: ROLL_UP_LEVELS[to], signal });
  const [target, second] = found;
  if (target === undefined || second !== undefined) {
    const region = await client.lookup('regions', id, { signal });
    const names = found.map(({ name }) => name).join(' and ');
    const where = target === undefined ? `in no ${to} that the service knows` : `in ${names}`;
    throw new ArgumentError(
      'to',
      `to: ${region.name} is ${where}; leave it out, or choose another kind of region`,
    );
  }
  const members = await client.getDescendant('regions', target.id, {
    descendant_level: level,
    include_historical: false,
    include_details: false,
    signal,
  });
  const ids = new Set([...members.map((member) => member.id), id]);
  return { id: target.id, name: target.name, member_ids: [...ids] };
}

/** @throws ArgumentError when two targets have a region in common, which would count in both */
function refuseShared(targets: readonly Target[], region_ids: readonly number[]): void {
  const owners = new Map<number, Target>();
  const given = new Set(region_ids);
  for (const target of targets) {
    for (const id of target.member_ids) {
      const owner = owners.get(id);
      if (owner !== undefined && given.has(id)) {
        throw new ArgumentError(
          'to',
          `to: region ${id} is in ${owner.name} and in ${target.name}; leave it out`,
        );
      }
      owners.set(id, target);
    }
  }
}
