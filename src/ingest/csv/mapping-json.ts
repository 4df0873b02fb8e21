import { REGION_LEVELS } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';

export type Json = Readonly<Record<string, unknown>>;

/** The keys of an object. @throws ArgumentError when it is another value, or has a key that is not `known` */
export function readObject(value: unknown, key: string, known?: readonly string[] | undefined): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw mappingError(key, value === undefined ? 'is missing' : 'must be an object');
  const unknownKey = known && Object.keys(value).find((name) => !known.includes(name));
  if (unknownKey !== undefined) {
    const where = key === ROOT ? '' : ` of ${key}`;
    throw mappingError(`"${unknownKey}"`, `is not a key${where}; the keys are ${known!.join(', ')}`);
  }
  return value as Json;
}

/** The name of the outermost object in messages. */
export const ROOT = 'the root';

export function readList(value: unknown, key: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw mappingError(key, 'must be a list');
}

/** A list of texts, or the only one of them. */
export function readTexts(value: unknown, key: string): readonly string[] {
  return (typeof value === 'string' ? [value] : readList(value, key)).map((entry) => readText(entry, key));
}

export function readText(value: unknown, key: string): string {
  if (typeof value === 'string') return value;
  throw mappingError(key, value === undefined ? 'is missing' : 'must be a string');
}

export function readOptionalText(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

export function readOneOf<Known extends string>(value: unknown, key: string, known: readonly Known[]): Known {
  const found = known.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw mappingError(key, `must be one of ${known.map((each) => JSON.stringify(each)).join(', ')}`);
}

export function readLevel(value: unknown, key: string): keyof typeof REGION_LEVELS {
  if (typeof value === 'string' && Object.hasOwn(REGION_LEVELS, value))
    return value as keyof typeof REGION_LEVELS;
  throw mappingError(key, `must be one of ${Object.keys(REGION_LEVELS).join(', ')}`);
}

/** A whole number from `min` to `max`. */
export function readNumber(value: unknown, key: string, min: number, max: number): number {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw mappingError(key, `must be a whole number from ${min} to ${max}`);
}

export function mappingError(key: string, what: string): ArgumentError {
  return new ArgumentError('mapping', `mapping: ${key} ${what}`);
}

/** What a suggested mapping leaves to the user. */
export const FILL_IN = '?';
/** Keys whose texts are those of the table. */
const TABLE_TEXTS = ['missing', 'empty', 'only', 'skip', 'names'];

/** @throws ArgumentError that names a part that is still to be filled in */
export function assertFilledIn(json: unknown, key: string): void {
  if (json === FILL_IN) throw mappingError(key, `is "${FILL_IN}": fill it in`);
  if (typeof json !== 'object' || json === null) return;
  for (const [name, value] of Object.entries(json)) {
    if (TABLE_TEXTS.includes(name)) continue;
    assertFilledIn(value, Array.isArray(json) ? `${key}[${name}]` : key === ROOT ? name : `${key}.${name}`);
  }
}
