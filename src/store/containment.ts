import type { ContainmentDirection } from '../model/entity.js';
import type { TraversalPlan } from './plan.js';
import { mapInTurns } from './turns.js';

/** The fields of an entity that a traversal needs; `level` is null for types without levels. */
export interface ContainedEntity {
  readonly level: number | null;
  readonly historical: boolean;
}

/** What entities of one type directly contain and belong to. The lists ascend. */
export interface NeighbourLists {
  readonly contains: ReadonlyMap<number, readonly number[]>;
  readonly belongsTo: ReadonlyMap<number, readonly number[]>;
}

/** The whole containment of one entity type. Neighbour lists contain only entities that exist. */
export interface Containment extends NeighbourLists {
  readonly entities: ReadonlyMap<number, ContainedEntity>;
}

/** Builds both directions from parent–child pairs, which may contain duplicates. */
export async function buildContainment(
  entities: ReadonlyMap<number, ContainedEntity>,
  pairs: readonly (readonly [parent: number, child: number])[],
): Promise<Containment> {
  return { entities, ...(await listNeighbours(pairs, (id) => entities.has(id))) };
}

/**
 * Lists the neighbours of both directions from parent–child pairs, which may contain duplicates.
 * @param exists pairs of others are left out
 */
export async function listNeighbours(
  pairs: readonly (readonly [parent: number, child: number])[],
  exists: (id: number) => boolean = () => true,
): Promise<NeighbourLists> {
  const contains = new Map<number, Set<number>>();
  const belongsTo = new Map<number, Set<number>>();
  await mapInTurns(pairs, ([parent, child]) => {
    if (!exists(parent) || !exists(child)) return;
    addTo(contains, parent, child);
    addTo(belongsTo, child, parent);
  });
  return { contains: await sortLists(contains), belongsTo: await sortLists(belongsTo) };
}

/** The ids reached from each of `starts` that exists, as `traverseFrom` says. */
export async function traverseFromAll(
  containment: Containment,
  direction: ContainmentDirection,
  starts: readonly number[],
  plan: TraversalPlan,
): Promise<Map<number, number[]>> {
  const known = [...new Set(starts)].filter((id) => containment.entities.has(id));
  return new Map(
    await mapInTurns(known, (id) => [id, traverseFrom(containment, direction, id, plan)] as const),
  );
}

/**
 * The ids reached from `start`, each once and ascending, without `start` itself. `distance` takes precedence over `level`.
 * Excluding historical entities also excludes what is reached only through them.
 */
function traverseFrom(
  { entities, contains, belongsTo }: Containment,
  direction: ContainmentDirection,
  start: number,
  { distance, level, includeHistorical }: TraversalPlan,
): number[] {
  const neighbours = direction === 'contains' ? contains : belongsTo;
  const seen = new Set([start]);
  let frontier = [start];
  for (let step = 0; frontier.length > 0 && (distance === null || step < distance); step++) {
    const next: number[] = [];
    for (const id of frontier) {
      for (const neighbour of neighbours.get(id) ?? []) {
        if (seen.has(neighbour)) continue;
        if (!includeHistorical && entities.get(neighbour)!.historical) continue;
        seen.add(neighbour);
        next.push(neighbour);
      }
    }
    frontier = next;
  }
  seen.delete(start);
  const reached = [...seen].sort((a, b) => a - b);
  if (distance !== null || level === null) return reached;
  return reached.filter((id) => entities.get(id)!.level === level);
}

function addTo(lists: Map<number, Set<number>>, key: number, id: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, new Set([id]));
  else list.add(id);
}

async function sortLists(lists: Map<number, Set<number>>): Promise<Map<number, readonly number[]>> {
  const sorted = await mapInTurns([...lists.values()], (ids) => [...ids].sort((a, b) => a - b));
  return new Map([...lists.keys()].map((key, i) => [key, sorted[i]!]));
}
