import type * as v from 'valibot';
import { unwrapped } from './check.js';

const NUMBER = /^\s*-?\d+(\.\d+)?\s*$/;
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/**
 * Reads a value as queries and commands write it: a number or a boolean where the schema wants one. Other text stays as it
 * is, so that the schema says what it is not.
 */
export function fromText(schema: v.GenericSchema, text: string): unknown {
  const { type } = unwrapped(schema);
  if (type === 'number') return NUMBER.test(text) ? Number(text) : text;
  if (type === 'boolean') return BOOLEANS[text.trim().toLowerCase()] ?? text;
  return text;
}
