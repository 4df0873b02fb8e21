import type { Schema as ArrowSchema } from 'apache-arrow';
import * as v from 'valibot';
import { check } from '../../model/schema/check.js';
import { isNot, type Schema } from '../../model/schema/schemas.js';

export const ARROW_SCHEMA: Schema<ArrowSchema> = v.custom<ArrowSchema>(isSchema, isNot('an Arrow schema'));

/** Validates an apache-arrow table, which may come from a different copy of that package. */
const TABLE = v.custom(isTable, isNot('an Arrow table, such as one returned by getDf or fromArrow'));

export function checkTable(value: unknown, argument: string): void {
  check(TABLE, value, argument);
}

function isSchema(value: unknown): boolean {
  const { fields, metadata } = (value ?? {}) as Record<string, unknown>;
  return Array.isArray(fields) && metadata instanceof Map;
}

function isTable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { schema, batches, numRows, getChildAt } = value as Record<string, unknown>;
  return (
    isSchema(schema) &&
    Array.isArray(batches) &&
    typeof numRows === 'number' &&
    typeof getChildAt === 'function'
  );
}
