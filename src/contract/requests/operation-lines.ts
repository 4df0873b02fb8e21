import * as z from 'zod';

/** How far a long operation is. */
export const progress = z.object({
  label: z.string(),
  done: z.number(),
  total: z.number().nullable(),
  unit: z.string(),
  rows: z.number().optional(),
});

/** Why a long operation failed. */
export const operationError = z.object({ error: z.string(), message: z.string() });
