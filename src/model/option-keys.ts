import { nearestWord } from './edit-distance.js';
import { ArgumentError } from './errors.js';

/** Every key of a type, and of each member of a union. */
type KeysOf<Options> = Options extends unknown ? keyof Options & string : never;

/** The keys of an options type, as data: it does not compile when one is missing or is not of the type. */
export type OptionKeys<Options> = Readonly<Record<KeysOf<Options>, true>>;

/** Keys of one or several options types; any object may be checked against them. */
export type KnownKeys = Readonly<Record<string, true>>;

/**
 * Refuses options that are not an object, and keys that the operation does not know.
 * @param operation the name of the operation, for the message
 * @throws ArgumentError that names the nearest known key
 */
export function checkOptions(options: unknown, known: KnownKeys, operation: string): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const given = options === null ? 'null' : Array.isArray(options) ? 'a list' : `a ${typeof options}`;
    throw new ArgumentError('options', `options: ${operation} takes an object of options, not ${given}`);
  }
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(known, key));
  if (unknown !== undefined) throw unknownKey(unknown, Object.keys(known), operation);
  const { signal } = options as { signal?: unknown };
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== 'function')
    throw new ArgumentError(
      'signal',
      'signal: it is not an AbortSignal; pass the signal of an AbortController',
    );
}

/** As `checkOptions`, for options that cannot be left out. */
export function checkRequiredOptions(options: unknown, known: KnownKeys, operation: string): void {
  if (options === undefined)
    throw new ArgumentError('options', `options: ${operation} needs an object of options`);
  checkOptions(options, known, operation);
}

/** The error for a key that is none of the known ones. */
export function unknownKey(key: string, known: readonly string[], operation: string): ArgumentError {
  const nearest = nearestWord(key, known);
  const remedy =
    nearest === undefined ? `it takes ${known.join(', ') || 'none'}` : `did you mean ${nearest}?`;
  return new ArgumentError(key, `${key}: ${operation} has no option of this name; ${remedy}`);
}
