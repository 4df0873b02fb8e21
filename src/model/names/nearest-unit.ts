import type { Unit } from '../entity.js';
import { nearestWord } from './edit-distance.js';

/** Finds the unit that a string most likely means, by abbreviation (ignoring case and symbols) or by a similar name. */
export function nearestUnit(text: string, units: readonly Unit[]): Unit | undefined {
  const written = lettersOf(text.replace(/^(US)?\$/, 'USD'));
  const letters = AS_WRITTEN.get(written) ?? written;
  const isName = text.length >= MIN_NAME && !/\d/.test(text);
  const name = isName ? nearestWord(text, units.flatMap(namesOf)) : undefined;
  return (
    units.find(({ abbreviation }) => letters !== '' && lettersOf(abbreviation) === letters) ??
    // A bushel without a crop matches a bushel of any crop: "USD/bu" matches "USD/bu (corn)".
    units.find(({ abbreviation }) => /\bbu$/.test(letters) && lettersOf(abbreviation).startsWith(letters)) ??
    units.find((unit) => name !== undefined && namesOf(unit).includes(name))
  );
}

const namesOf = ({ abbreviation, name, namePlural }: Unit): string[] => [
  ...[abbreviation, name, namePlural],
  ...name.split(' '),
];

/** Maps USDA's abbreviations to the abbreviations of units. For example, MT is a metric ton, not a megatonne. */
const AS_WRITTEN = new Map([
  ['mt', 't'],
  ['1000mt', 'kt'],
  ['1000t', 'kt'],
  ['1000ha', 'kha'],
]);
/** The minimum length of a string that is compared with names. Shorter strings resemble too many names. */
const MIN_NAME = 5;

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\p{Sc}/]/gu, '');
}
