import { expect } from 'vitest';
import { CropframeError } from '../src/model/errors.js';

/** What a program without types may pass by mistake. */
export const ODD_VALUES: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e308,
  2 ** 53,
  12n,
  '',
  '  ',
  'text',
  '2012-02-30',
  '\uD800'.repeat(300),
  Symbol('odd'),
  [],
  [null],
  [[]],
  ['text', 5],
  {},
  { id: null, name: 7, length: -1, values: null, schema: {}, data: [null] },
  Object.create(null),
  () => null,
  new Date(Number.NaN),
  new Map([[1, null]]),
  new Uint8Array(3),
];

/** What a call returns, with a sequence consumed; or what it throws. */
export async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    const answer = await call();
    if (typeof answer !== 'object' || answer === null) return answer;
    if (Symbol.asyncIterator in answer) for await (const _ of answer as AsyncIterable<unknown>);
    else if ('close' in answer) await (answer as { close(): Promise<void> }).close();
    else if (Symbol.iterator in answer && 'next' in answer) for (const _ of answer as Iterable<unknown>);
    return answer;
  } catch (error) {
    return error;
  }
}

/** Calls that must succeed or throw an error of our own; fails with all that do not. */
export async function expectNoNativeErrors(
  calls: Iterable<{ readonly text: string; readonly call: () => unknown }>,
): Promise<void> {
  const native: string[] = [];
  for (const { text, call } of calls) {
    const outcome = await outcomeOf(call);
    if (outcome instanceof Error && !(outcome instanceof CropframeError))
      native.push(`${text}: ${outcome.stack?.split('\n').slice(0, 3).join(' ')}`);
  }
  expect(native).toEqual([]);
}

/** Every call of a function with one argument, or one field of an argument that is a plain object, odd. */
export function* oddCalls(
  name: string,
  call: (...given: unknown[]) => unknown,
  valid: readonly unknown[],
): Generator<{ text: string; call: () => unknown }> {
  for (const [at, argument] of valid.entries()) {
    for (const { path, value } of oddForms(argument)) {
      const given = valid.with(at, value);
      yield { text: `${name}(argument ${at}${path})`, call: () => call(...given) };
    }
  }
}

const MAX_DEPTH = 3;

function* oddForms(valid: unknown, depth = 0): Generator<{ path: string; value: unknown }> {
  // What a function of the caller returns is the caller's own.
  const odd =
    typeof valid === 'function' ? ODD_VALUES.filter((value) => typeof value !== 'function') : ODD_VALUES;
  for (const value of odd) yield { path: ` = ${textOf(value)}`, value };
  if (depth === MAX_DEPTH) return;
  if (Array.isArray(valid) && valid.length > 0) {
    for (const { path, value } of oddForms(valid[0], depth + 1))
      yield { path: `[0]${path}`, value: [value, ...valid.slice(1)] };
  }
  if (!isPlain(valid)) return;
  for (const [key, field] of Object.entries(valid)) {
    for (const { path, value } of oddForms(field, depth + 1))
      yield { path: `.${key}${path}`, value: { ...valid, [key]: value } };
  }
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 10));
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? `list of ${value.length}` : (value.constructor?.name ?? 'bare object');
}
