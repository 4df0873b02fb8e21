import type { ContainmentDirection } from '../model/entity.js';
import type { TraversalPlan } from './plan.js';

/** The fields of an entity that a traversal needs; `level` is null for types without levels. */
export interface ContainedEntity {
  readonly level: number | null;
  readonly historical: boolean;
}

/** The whole containment of one entity type. Neighbour lists ascend and contain only entities that exist. */
export interface Containment {
  readonly entities: ReadonlyMap<number, ContainedEntity>;
  readonly contains: ReadonlyMap<number, readonly number[]>;
  readonly belongsTo: ReadonlyMap<number, readonly number[]>;
}

/** Builds both directions from parent–child pairs, which may contain duplicates. */
export function buildContainment(
  entities: ReadonlyMap<number, ContainedEntity>,
  pairs: Iterable<readonly [parent: number, child: number]>,
): Containment {
  const contains = new Map<number, Set<number>>();
  const belongsTo = new Map<number, Set<number>>();
  for (const [parent, child] of pairs) {
    if (!entities.has(parent) || !entities.has(child)) continue;
    addTo(contains, parent, child);
    addTo(belongsTo, child, parent);
  }
  return { entities, contains: sortLists(contains), belongsTo: sortLists(belongsTo) };
}

/**
 * The ids reached from `start`, each once and ascending, without `start` itself. `distance` takes precedence over `level`.
 * Excluding historical entities also excludes what is reached only through them.
 */
export function traverseFrom(
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

function sortLists(lists: Map<number, Set<number>>): Map<number, readonly number[]> {
  return new Map([...lists].map(([key, ids]) => [key, [...ids].sort((a, b) => a - b)]));
}
