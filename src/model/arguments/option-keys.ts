import { type ArgumentError, badArgument, shownValue } from '../errors.js';
import { nearestWord } from '../names/edit-distance.js';
import { type Check, checkThat, runCheck } from './checks.js';

/** Every key of a type, and of each member of a union. */
type KeysOf<Options> = Options extends unknown ? keyof Options & string : never;

/** The type of an option, of each member of a union. */
type ValueOf<Options, Key extends string> = Options extends { readonly [Name in Key]?: infer Value }
  ? Exclude<Value, null | undefined>
  : never;

/** The keys of an options type with a check of each. A missing or foreign key, or a check of another type, does not compile. */
export type OptionKeys<Options> = {
  readonly [Key in KeysOf<Options>]: Check<ValueOf<Options, Key>>;
};

/** Keys of one or several options types; any object may be checked against them. */
export type KnownKeys = Readonly<Record<string, Check>>;

/**
 * Refuses options that are not an object, keys that the operation does not know, and values that a key does not accept.
 * @param operation the name of the operation, for the message
 * @throws ArgumentError that names the key, and the nearest known one of an unknown key
 */
export function checkOptions(options: unknown, known: KnownKeys, operation: string): void {
  if (options === undefined) return;
  if (!isPlainObject(options)) {
    throw badArgument('options', `${operation} takes an object of options, not ${shownValue(options)}`);
  }
  checkKeys(options, known, operation);
}

/** Checks whether a value is an object with keys. */
export function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(Symbol.iterator in value);
}

function checkKeys(options: object, known: KnownKeys, operation: string): void {
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(known, key));
  if (unknown !== undefined) throw unknownKey(unknown, Object.keys(known), operation);
  for (const [key, check] of Object.entries(known))
    runCheck(check, (options as Record<string, unknown>)[key], key);
}

/** As `checkOptions`, for options that cannot be left out. */
export function checkRequiredOptions(options: unknown, known: KnownKeys, operation: string): void {
  if (options === undefined) throw badArgument('options', `${operation} needs an object of options`);
  checkOptions(options, known, operation);
}

/** Options within options. */
export function optionsOf(known: KnownKeys): Check<never> {
  const checkPlainObject = checkThat(isPlainObject, `an object with ${Object.keys(known).join(', ')}`);
  return (value, argument) => {
    checkPlainObject(value, argument);
    checkKeys(value as object, known, argument);
  };
}

/** The error for a key that is none of the known ones. */
function unknownKey(key: string, known: readonly string[], operation: string): ArgumentError {
  const nearest = nearestWord(key, known);
  const remedy =
    nearest === undefined ? `it takes ${known.join(', ') || 'none'}` : `did you mean ${nearest}?`;
  return badArgument(key, `${operation} has no option of this name`, { remedy });
}
