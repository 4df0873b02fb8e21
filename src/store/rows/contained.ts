import { CONTAINING_TYPES, type ContainingType, type EntityType } from '../../model/entity.js';
import type { ContainedEntity, NeighbourLists } from '../containment.js';

/** Whether entities of a type contain others. */
export function isContaining(type: EntityType): type is ContainingType {
  return (CONTAINING_TYPES as readonly string[]).includes(type);
}

/** What a traversal needs, from a row with `level` and `historical`. */
export function containedEntity(row: Readonly<Record<string, unknown>>): ContainedEntity {
  return { level: row.level as number | null, historical: row.historical as boolean };
}

/** The direct containment of an entity; empty for types without. */
export function neighboursOf(
  id: number,
  lists: NeighbourLists | null,
): { contains: number[]; belongsTo: number[] } {
  return {
    contains: [...(lists?.contains.get(id) ?? [])],
    belongsTo: [...(lists?.belongsTo.get(id) ?? [])],
  };
}
