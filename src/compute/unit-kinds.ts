import type { Unit } from '../model/entity.js';
import { type Dimension, UNIT_ROWS } from '../model/unit-rows.js';

const KIND_BY_NAME: ReadonlyMap<string, Dimension> = new Map(
  UNIT_ROWS.flatMap(([, name, namePlural, abbreviation, dimension]) =>
    [abbreviation, namePlural.toLowerCase(), name.toLowerCase()].map((text) => [text, dimension] as const),
  ),
);

/** What our own table says that a unit measures, by its name, plural or abbreviation; undefined for other units. */
export function kindOf({ name, namePlural, abbreviation }: Unit): Dimension | undefined {
  return (
    KIND_BY_NAME.get(name?.toLowerCase()) ??
    KIND_BY_NAME.get(namePlural?.toLowerCase()) ??
    KIND_BY_NAME.get(abbreviation)
  );
}
