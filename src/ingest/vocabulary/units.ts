import { DERIVED_UNITS } from '../../model/derivations.js';
import type { Unit } from '../../model/entity.js';
import { requiredId } from './entities.js';
import rows from './units.json' with { type: 'json' };

/** Each dimension's base unit. Other units are converted to it: `base = value × factor + offset`. */
export const BASE_UNITS = {
  temperature: '°C',
  length: 'mm',
  area: 'ha',
  mass: 't',
  'mass per area': 't/ha',
  speed: 'm/s',
  'energy per area': 'MJ/m²',
  pressure: 'kPa',
  share: '%',
  count: 'number',
  'money per mass': 'USD/t',
} as const;

interface VocabularyUnit extends Unit {
  readonly dimension: string;
}

type Quotient = number | readonly number[];

const toNumber = (given: Quotient): number => (typeof given === 'number' ? given : given[0]! / given[1]!);

function readUnit({ factor, offset, ...unit }: (typeof rows)[number]): VocabularyUnit {
  const baseConvFactor = {
    ...(factor !== undefined && { factor: toNumber(factor) }),
    ...(offset !== undefined && { offset: toNumber(offset) }),
  };
  return { ...unit, baseConvFactor };
}

/**
 * The units that importers share, sorted by id. The ids are part of the service contract and never change. Conversion
 * factors are exact by definition or quotients of exact numbers: a pound is 0.45359237 kg, an acre is 0.40468564224 ha,
 * a troy ounce is 480 grains (a pound is 7000), and a bushel has the legal weight of its crop. Currencies and bushels
 * of an unspecified crop have no factor, so they cannot be converted.
 */
export const UNITS: readonly VocabularyUnit[] = [...rows.map(readUnit), ...DERIVED_UNITS].sort(
  (a, b) => a.id - b.id,
);

const ID_BY_NAME: ReadonlyMap<string, number> = new Map(
  UNITS.flatMap((unit) => [
    [unit.abbreviation, unit.id],
    [unit.name, unit.id],
    [unit.namePlural, unit.id],
  ]),
);

/** Finds a unit's id by its abbreviation, name or plural. */
export function findUnitId(name: string): number | undefined {
  return ID_BY_NAME.get(name);
}

/** Creates a unit that only one source uses and that cannot be converted to other units. */
export function sourceUnit(name: string): Omit<Unit, 'id'> {
  return { name, namePlural: name, abbreviation: name, baseConvFactor: {} };
}

export const unitId = requiredId(findUnitId, 'unit');

const DIMENSIONS: ReadonlyMap<number, string> = new Map(UNITS.map(({ id, dimension }) => [id, dimension]));

export function unitDimension(id: number): string | null {
  return DIMENSIONS.get(id) ?? null;
}
