import type * as v from 'valibot';
import { unwrapSchema } from './check.js';

const NUMBER = /^\s*-?\d+(\.\d+)?\s*$/;
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** Converts text to a number or boolean if the schema requires one. Leaves it to the schema to reject invalid text. */
export function fromText(schema: v.GenericSchema, text: string): unknown {
  const { type } = unwrapSchema(schema);
  if (type === 'number') return NUMBER.test(text) ? Number(text) : text;
  if (type === 'boolean') return BOOLEANS[text.trim().toLowerCase()] ?? text;
  return text;
}
