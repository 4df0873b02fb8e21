import { ArgumentError } from '../model/errors.js';

/** @throws ArgumentError when the text is empty */
export function checkText(text: string, argument: string): void {
  if (typeof text === 'string' && text.trim() !== '') return;
  throw new ArgumentError(argument, `${argument}: the text is empty; give the words to search for`);
}

/** @throws ArgumentError that lists the allowed values */
export function checkOneOf(value: string, allowed: readonly string[], argument: string): void {
  if (allowed.includes(value)) return;
  throw new ArgumentError(argument, `${argument}: "${String(value)}" is none of ${allowed.join(', ')}`);
}

/** @throws ArgumentError when the value is not a whole number from `min` to `max` */
export function checkWhole(
  value: number,
  argument: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number | undefined; max?: number | undefined } = {},
): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new ArgumentError(argument, `${argument}: ${String(value)} is not a whole number ${range}`);
}

/** @throws ArgumentError that names the first value that is not an id */
export function checkIds(ids: readonly number[], argument: string): void {
  const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 0);
  if (wrong !== undefined) throw new ArgumentError(argument, `${argument}: ${String(wrong)} is not an id`);
}
