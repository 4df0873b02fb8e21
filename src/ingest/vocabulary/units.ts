import type { ConversionFactor, Unit } from '../../model/entity.js';
import { nearestWord } from '../../model/names/edit-distance.js';
import { type Dimension, UNIT_ROWS } from '../../model/unit-rows.js';
import { requiredId } from './required-id.js';

interface VocabularyUnit extends Unit {
  readonly dimension: Dimension;
}

/**
 * The units that importers share; ids never change. Factors are exact by definition, or quotients of exact ones.
 * Currencies and bushels of an unnamed crop have no factor: they do not convert.
 */
export const UNITS: readonly VocabularyUnit[] = UNIT_ROWS.map(
  ([id, name, namePlural, abbreviation, dimension, factor, offset]) => {
    const baseConvFactor: ConversionFactor = {
      ...(factor === undefined ? {} : { factor }),
      ...(offset === undefined ? {} : { offset }),
    };
    return { id, name, namePlural, abbreviation, baseConvFactor, dimension };
  },
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
  // A bushel is one of a crop: "USD/bu" is near "USD/bu (corn)".
  const ofCrop = UNITS.find(
    ({ abbreviation }) => /\bbu$/.test(letters) && lettersOf(abbreviation).startsWith(letters),
  );
  const isName = text.length >= MIN_NAME && !/\d/.test(text);
  const name = (isName && nearestWord(text, [...ID_BY_NAME.keys()])) || '';
  return same ?? ofCrop ?? UNITS.find(({ id }) => id === ID_BY_NAME.get(name));
}

/** As USDA writes units: its MT is no megatonne. */
const AS_WRITTEN = new Map([
  ['mt', 't'],
  ['1000mt', 'kt'],
  ['1000t', 'kt'],
  ['1000ha', 'kha'],
]);
/** A shorter text is near too many names. */
const MIN_NAME = 5;

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\p{Sc}/]/gu, '');
}

/** Makes a unit that only one source has, under the source's name. Without a factor, it does not convert. */
export function sourceUnit(name: string): Omit<Unit, 'id'> {
  return { name, namePlural: name, abbreviation: name, baseConvFactor: {} };
}

/** The id of a unit by its abbreviation, name or plural. */
export const unitId = requiredId(findUnitId, 'unit');

const DIMENSIONS: ReadonlyMap<number, Dimension> = new Map(UNITS.map(({ id, dimension }) => [id, dimension]));

/** Returns the dimension of a unit, or null for units outside the vocabulary. */
export function unitDimension(id: number): Dimension | null {
  return DIMENSIONS.get(id) ?? null;
}
