import {
  CONTAINING_TYPES,
  type ContainingType,
  type ContainmentDirection,
  type EntityType,
} from '../model/entity.js';
import type { TraversalPlan } from './plan.js';
import { mapInTurns } from './turns.js';

/** The fields of an entity that a traversal needs; `level` is null for types without levels. */
interface ContainedEntity {
  readonly level: number | null;
  readonly historical: boolean;
}

/** The whole containment of one entity type. Neighbour lists ascend, and contain only entities that exist. */
export interface Containment {
  readonly entities: ReadonlyMap<number, ContainedEntity>;
  readonly contains: ReadonlyMap<number, readonly number[]>;
  readonly belongsTo: ReadonlyMap<number, readonly number[]>;
}

/** A parent and a child. */
export type ContainedPair = readonly [parent: number, child: number];

/** Builds both directions from ascending pairs, which may contain duplicates and ids of no entity. */
export async function buildContainment(
  entities: ReadonlyMap<number, ContainedEntity>,
  pairs: readonly ContainedPair[],
): Promise<Containment> {
  const contains = new Map<number, number[]>();
  const belongsTo = new Map<number, number[]>();
  await mapInTurns(pairs, ([parent, child]) => {
    if (!entities.has(parent) || !entities.has(child)) return;
    addTo(contains, parent, child);
    addTo(belongsTo, child, parent);
  });
  return { entities, contains, belongsTo };
}

function addTo(lists: Map<number, number[]>, key: number, id: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [id]);
  else if (list.at(-1) !== id) list.push(id);
}

/** The ids reached from each of `starts` that exists, as `traverseFrom` says. */
export async function traverseFromAll(
  containment: Containment,
  direction: ContainmentDirection,
  starts: readonly number[],
  plan: TraversalPlan,
): Promise<Map<number, number[]>> {
  const existing = [...new Set(starts)].filter((id) => containment.entities.has(id));
  return new Map(
    await mapInTurns(existing, (id) => [id, traverseFrom(containment, direction, id, plan)] as const),
  );
}

/**
 * The ids reached from `start`, each once and ascending, without `start` itself. `distance` takes precedence over
 * `level`. Excluding historical entities also excludes entities that are reached only through them.
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

/** Whether entities of a type contain others. */
export function isContaining(type: EntityType): type is ContainingType {
  return (CONTAINING_TYPES as readonly string[]).includes(type);
}

/** The fields of a row that a traversal needs; a region has `level` and `historical`. */
export function containedEntity({ level, historical }: Readonly<Record<string, unknown>>): ContainedEntity {
  return { level: (level as number | undefined) ?? null, historical: historical === true };
}

/** The direct containment of an entity; empty for types without. */
export function neighboursOf(
  id: number,
  containment: Containment | null,
): { contains: number[]; belongsTo: number[] } {
  return {
    contains: [...(containment?.contains.get(id) ?? [])],
    belongsTo: [...(containment?.belongsTo.get(id) ?? [])],
  };
}
