import { DERIVED_UNITS } from '../../model/derivations.js';
import type { Unit } from '../../model/entity.js';
import { nearestWord } from '../../model/names/edit-distance.js';
import { requiredId } from './required-id.js';
import rows from './units.json' with { type: 'json' };

/** The base unit of each dimension, to which its units convert: `base = value × factor + offset`. */
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

/** A number, or the numerator and the denominator of a quotient. */
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
 * The units that importers share, by id. The ids are part of the contract and never change. Factors are exact by
 * definition, or quotients of exact ones: the pound is 0.45359237 kg, the acre 0.40468564224 ha, the troy ounce 480
 * grains of which a pound has 7000, and a bushel has the legal weight of its crop. Currencies and bushels of an unnamed
 * crop have no factor, so they do not convert.
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

/** Finds the id of a unit by its abbreviation, name or plural. */
export function findUnitId(name: string): number | undefined {
  return ID_BY_NAME.get(name);
}

/**
 * Finds the unit that a string most likely means: by its abbreviation, ignoring case and symbols, or by a near name.
 */
export function nearestUnit(text: string): Unit | undefined {
  const written = lettersOf(text.replace(/^(US)?\$/, 'USD'));
  const letters = AS_WRITTEN.get(written) ?? written;
  const same = UNITS.find(({ abbreviation }) => letters !== '' && lettersOf(abbreviation) === letters);
  // A bushel without a crop is near the bushel of a crop: "USD/bu" is near "USD/bu (corn)".
  const ofCrop = UNITS.find(
    ({ abbreviation }) => /\bbu$/.test(letters) && lettersOf(abbreviation).startsWith(letters),
  );
  const isName = text.length >= MIN_NAME && !/\d/.test(text);
  const name = (isName && nearestWord(text, [...ID_BY_NAME.keys()])) || '';
  return same ?? ofCrop ?? UNITS.find(({ id }) => id === ID_BY_NAME.get(name));
}

/** Abbreviations as USDA writes them: its MT is not a megatonne. */
const AS_WRITTEN = new Map([
  ['mt', 't'],
  ['1000mt', 'kt'],
  ['1000t', 'kt'],
  ['1000ha', 'kha'],
]);
/** The minimum length of a string that is compared with names, because a shorter one is near too many names. */
const MIN_NAME = 5;

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\p{Sc}/]/gu, '');
}

/** Returns a unit that only one source has, under the source's name. It has no factor, so it does not convert. */
export function sourceUnit(name: string): Omit<Unit, 'id'> {
  return { name, namePlural: name, abbreviation: name, baseConvFactor: {} };
}

/** Returns the id of a unit by its abbreviation, name or plural. */
export const unitId = requiredId(findUnitId, 'unit');

const DIMENSIONS: ReadonlyMap<number, string> = new Map(UNITS.map(({ id, dimension }) => [id, dimension]));

/** Returns the dimension of a unit, or null for units outside the vocabulary. */
export function unitDimension(id: number): string | null {
  return DIMENSIONS.get(id) ?? null;
}
