import * as z from 'zod';
import type { Check } from '../model/arguments/checks.js';
import { parseTime } from '../model/time.js';

const MAX_ID = 2_147_483_647;

/** Maximum number of ids in one parameter. */
const MAX_IDS_PER_PARAMETER = 10_000;

export const id = z.int().min(0).max(MAX_ID);
export const ids = z.array(id).min(1).max(MAX_IDS_PER_PARAMETER);
export const flag = z.boolean();
export const date = z
  .string()
  .refine(isTime, 'is not a date; write YYYY-MM-DD or an ISO 8601 timestamp')
  .meta({ examples: ['2012-05-01'], description: 'YYYY-MM-DD or an ISO 8601 timestamp; UTC' });
export const searchText = z
  .string()
  .trim()
  .min(1, 'is empty; give words to search for')
  .max(500)
  .meta({ description: 'words of a name, a synonym or a code; the last one may be unfinished' });

/** The schema of a parameter, from the check by which the client has it. */
export function parameter<Value>({ shape, choices, meaning }: Check<Value>): z.ZodType<Value> {
  const schema = schemaOf({ shape, choices }, { date, text: z.string() });
  return (meaning === undefined ? schema : schema.meta({ description: meaning })) as z.ZodType<Value>;
}

/** The schema of a value, from its check, with the schemas of dates and texts. */
export function schemaOf(
  { shape, choices }: Pick<Check, 'shape' | 'choices'>,
  forms: { readonly date: z.ZodType; readonly text: z.ZodType },
): z.ZodType {
  if (choices !== undefined) return z.enum(choices);
  if (typeof shape === 'object')
    return z
      .int()
      .min(shape.min ?? 0)
      .max(shape.max ?? Number.MAX_SAFE_INTEGER);
  if (shape === 'flag') return flag;
  if (shape === 'number') return z.number();
  if (shape === 'share') return z.number().min(0).max(1);
  return shape === 'date' ? forms.date : forms.text;
}

/** Whether a text is a date of the wire. */
export function isTime(text: string): boolean {
  try {
    parseTime(text, 'date');
    return true;
  } catch {
    return false;
  }
}
