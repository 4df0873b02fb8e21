import * as z from 'zod';
import { nearestWord } from '../../model/names/edit-distance.js';
import { MAX_NAME } from '../batch/batch-builder.js';

/** The mark of a gap in a suggested document. */
export const FILL_IN = '?';
export const IS_GAP = `is "${FILL_IN}": fill it in`;

/** Returns the error message of a key, in place of the schema library's own. */
export const says =
  (what: string, missing = 'is missing') =>
  ({ input }: { input?: unknown }): string =>
    input === undefined ? missing : what;

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'm');
    return true;
  } catch {
    return false;
  }
}

/** Any string of a table. */
export const tableText = z.string({ error: says('must be a string') });
const tableName = tableText.max(MAX_NAME, { error: `has more than ${MAX_NAME} characters` });
const filledIn = (schema: z.ZodString) => schema.refine((given) => given !== FILL_IN, { error: IS_GAP });
export const text = filledIn(tableText);
/** A name under which an entity is stored. */
export const name = filledIn(tableName);
export const texts = z
  .union([tableText, z.array(tableText)], { error: says('must be a list of texts, or a text') })
  .transform((given) => [given].flat());
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, {
    error: ({ input }) =>
      input === FILL_IN
        ? IS_GAP
        : `must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  });
export const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};
export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? adviceOnName(
            String((issue as { keys?: readonly string[] }).keys?.[0]),
            Object.keys(shape),
            'the keys',
          )
        : says('must be an object')(issue),
  });

/** Suggests the closest of the known names. Lists all of them if none is close. */
export function adviceOnName(given: string, known: readonly string[], what = 'its fields'): string {
  const nearest = nearestWord(given, known);
  return nearest === undefined ? `${what} are ${known.join(', ')}` : `did you mean "${nearest}"?`;
}
export const byName = <Value extends z.core.SomeType>(value: Value) =>
  z.record(
    tableName.refine((given) => given.trim() !== '', { error: 'has an empty name' }),
    value,
    {
      error: says('must be an object'),
    },
  );

export const pattern = text
  .refine((given) => isPattern(given), {
    error: ({ input }) => `${JSON.stringify(input)} is not a regular expression`,
  })
  .transform((given) => new RegExp(given, 'm'));
export const patterns = z
  .union([pattern, z.array(pattern)], { error: says('must be a regular expression, or a list of them') })
  .transform((given) => [given].flat());
