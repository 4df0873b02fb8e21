import { badArgument, shownValue } from '../errors.js';
import { nearestWord } from '../names/edit-distance.js';
import { parseTime } from '../time.js';

/**
 * Refuses a value that an argument cannot have; `Value` is the type of those that pass.
 * @throws ArgumentError that names the argument
 */
export interface Check<Value = unknown> {
  (value: unknown, argument: string): void;
  /** Exists only for the compiler. */
  readonly passes?: Value | undefined;
  /** Whether the check also refuses an argument that is left out; else it runs for given values only. */
  readonly needed?: true | undefined;
  /** Whether null passes. */
  readonly nullable?: true | undefined;
  /** How a query, a command's flag and an assistant's tool write the value, when it is not a text. */
  readonly shape?: 'flag' | 'date' | 'number' | 'share' | Whole | undefined;
  /** The meaning of the argument, for help, documentation and tools. */
  readonly meaning?: string | undefined;
  /** The only values that pass. */
  readonly choices?: readonly string[] | undefined;
}

/** A range of whole numbers. */
interface Whole {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** The same check with the meaning of its argument. */
export function meant<Given extends Check>(meaning: string, check: Given): Given {
  const described: Check = (value, argument) => check(value, argument);
  return Object.assign(described, check, { meaning });
}

/** A check of an argument that cannot be left out. */
export type Needed<Value> = Check<Value> & { readonly needed: true };

/** The same check of an argument that cannot be left out. */
export function needed<Value>(check: Check<Value>): Needed<Value> {
  const required: Check<Value> = (value, argument) => check(value, argument);
  return Object.assign(required, check, { needed: true as const });
}

/** The same check of a value that is written in this way. */
export function shaped<Value>(
  shape: NonNullable<Check['shape']>,
  check: (value: unknown, argument: string) => void,
): Check<Value> {
  return Object.assign((value: unknown, argument: string) => check(value, argument), { shape });
}

/** Runs a check unless the argument is left out. */
export function runCheck(check: Check, value: unknown, argument: string): void {
  if (value === undefined && check.needed !== true) return;
  check(value, argument);
}

/** A check by a test; `wanted` completes the sentence "it is not …". */
export function checkThat<Value = never>(test: (value: unknown) => boolean, wanted: string): Check<Value> {
  return (value, argument) => {
    if (test(value)) return;
    if (value === undefined) throw badArgument(argument, 'is missing', { remedy: `it must be ${wanted}` });
    throw badArgument(argument, `${shownValue(value)} is not ${wanted}`);
  };
}

/** Accepts any value. */
export const checkNothing: Check<never> = () => {};
export const checkFlag = shaped<boolean>(
  'flag',
  checkThat((value) => typeof value === 'boolean', 'true or false'),
);
export const checkString = checkThat<string>((value) => typeof value === 'string', 'a text');
export const checkNumber = checkThat<number>((value) => typeof value === 'number', 'a number');
export const checkFinite = shaped<number>('number', checkThat(Number.isFinite, 'a finite number'));
export const checkFunction = checkThat((value) => typeof value === 'function', 'a function');
export const checkObject = checkThat((value) => typeof value === 'object' && value !== null, 'an object');
export const checkArray = checkThat(Array.isArray, 'a list');
export const checkMap = checkThat((value) => value instanceof Map, 'a Map');
export const checkShare = shaped<number>(
  'share',
  checkThat((value) => typeof value === 'number' && value >= 0 && value <= 1, 'a share from 0 to 1'),
);

/** A date that `parseTime` reads. */
export const checkDate = shaped<string>('date', (value, argument) => {
  parseTime(value as string, argument);
});

/** The signal of an AbortController. */
export const checkSignal: Check<AbortSignal> = (value, argument) => {
  if (typeof (value as AbortSignal | null | undefined)?.addEventListener === 'function') return;
  throw badArgument(argument, 'it is not an AbortSignal', {
    remedy: 'pass the signal of an AbortController',
  });
};

/** A text that is not empty. */
export const checkText: Check<string> = (value, argument) => {
  checkString(value, argument);
  if ((value as string).trim() !== '') return;
  throw badArgument(argument, 'the text is empty', { remedy: 'give at least a letter' });
};

/** One of these words. The message lists them, and names the nearest. */
export function oneOf<const Word extends string>(allowed: readonly Word[]): Check<Word> {
  const check: Check<Word> = (value, argument) => {
    if (allowed.includes(value as Word)) return;
    const nearest = typeof value === 'string' ? nearestOf(value, allowed) : undefined;
    const meant = nearest === undefined ? '' : `did you mean ${nearest}? `;
    const wrong = value === undefined ? 'is missing' : `${shownValue(value)} is unknown`;
    throw badArgument(argument, wrong, { remedy: `${meant}choose one of ${allowed.join(', ')}` });
  };
  return Object.assign(check, { choices: allowed });
}

/** The word that begins with the typed letters, else the nearest. */
function nearestOf(typed: string, allowed: readonly string[]): string | undefined {
  const letters = typed.toLowerCase().replace(/[^a-z]/g, '');
  return (letters !== '' && allowed.find((word) => word.startsWith(letters))) || nearestWord(typed, allowed);
}

/** A whole number of this range. */
export function whole(range: Whole = {}): Check<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = range;
  const wanted = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return shaped(range, (value, argument) => {
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return;
    throw badArgument(argument, `${shownValue(value)} is not a whole number ${wanted}`);
  });
}

/** One id. */
export const checkId = checkThat<number>(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'an id',
);

/** A list of ids. */
export const checkIds: Check<readonly number[]> = (value, argument) => {
  checkArray(value, argument);
  for (const id of value as readonly unknown[]) checkId(id, argument);
};

/** One id, or a list of them. */
export const checkIdOrIds: Check<never> = (value, argument) =>
  (Array.isArray(value) ? checkIds : checkId)(value, argument);

/** A list whose members each pass a check. */
export function listOf<Value>(check: Check<Value>): Check<readonly Value[]> {
  return (value, argument) => {
    checkArray(value, argument);
    for (const [i, member] of (value as readonly unknown[]).entries()) check(member, `${argument}[${i}]`);
  };
}

/** A typed array of this kind. */
export function arrayOf<Kind extends ArrayBufferView>(Type: new (length: number) => Kind): Check<Kind> {
  return checkThat((value) => value instanceof Type, `a ${Type.name}`);
}

/** Null, or a value that passes the check. */
export function orNull<Value>(check: Check<Value>): Check<Value> {
  const nullable: Check<Value> = (value, argument) => {
    if (value !== null) check(value, argument);
  };
  return Object.assign(nullable, check, { nullable: true as const });
}

/** An object with at least these fields. */
export function fieldsOf(checks: Readonly<Record<string, Check>>): Check<never> {
  return (value, argument) => {
    checkObject(value, argument);
    for (const [field, check] of Object.entries(checks))
      runCheck(check, (value as Record<string, unknown>)[field], `${argument}.${field}`);
  };
}
