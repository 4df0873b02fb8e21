import { DERIVED_UNITS } from '../../model/derivations.js';
import type { Unit } from '../../model/entity.js';
import { nearestWord } from '../../model/names/edit-distance.js';
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
 * of an unnamed crop have no factor, so they cannot be converted.
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

/** Finds the unit that a string most likely means, by abbreviation (ignoring case and symbols) or by a similar name. */
export function nearestUnit(text: string): Unit | undefined {
  const written = lettersOf(text.replace(/^(US)?\$/, 'USD'));
  const letters = AS_WRITTEN.get(written) ?? written;
  const same = UNITS.find(({ abbreviation }) => letters !== '' && lettersOf(abbreviation) === letters);
  // A bushel without a crop matches a bushel of any crop: "USD/bu" matches "USD/bu (corn)".
  const ofCrop = UNITS.find(
    ({ abbreviation }) => /\bbu$/.test(letters) && lettersOf(abbreviation).startsWith(letters),
  );
  const isName = text.length >= MIN_NAME && !/\d/.test(text);
  const name = (isName && nearestWord(text, [...ID_BY_NAME.keys()])) || '';
  return same ?? ofCrop ?? UNITS.find(({ id }) => id === ID_BY_NAME.get(name));
}

/** Abbreviations with the meaning that USDA gives them. For example, MT is a metric ton, not a megatonne. */
const AS_WRITTEN = new Map([
  ['mt', 't'],
  ['1000mt', 'kt'],
  ['1000t', 'kt'],
  ['1000ha', 'kha'],
]);
/** The minimum length of a string to compare with names, because shorter strings resemble too many names. */
const MIN_NAME = 5;

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\p{Sc}/]/gu, '');
}

/** Creates a unit that belongs to one source. It cannot be converted to other units. */
export function sourceUnit(name: string): Omit<Unit, 'id'> {
  return { name, namePlural: name, abbreviation: name, baseConvFactor: {} };
}

export const unitId = requiredId(findUnitId, 'unit');

const DIMENSIONS: ReadonlyMap<number, string> = new Map(UNITS.map(({ id, dimension }) => [id, dimension]));

export function unitDimension(id: number): string | null {
  return DIMENSIONS.get(id) ?? null;
}
