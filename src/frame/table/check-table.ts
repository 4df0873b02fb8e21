import { checkThat } from '../../model/arguments/checks.js';

/** A schema of apache-arrow. */
export const checkSchema = checkThat(isSchema, 'an Arrow schema');

/** A table of apache-arrow, perhaps of another copy of the package. */
export const checkTable = checkThat(isTable, 'an Arrow table, such as getDf or fromArrow returns');

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
