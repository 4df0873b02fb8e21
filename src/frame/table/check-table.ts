import { checkThat } from '../../model/arguments/checks.js';

/** A table of apache-arrow, perhaps of another copy of the package. */
export const checkTable = checkThat(isTable, 'an Arrow table, such as getDf or fromArrow returns');

function isTable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { schema, batches, numRows, getChildAt } = value as Record<string, unknown>;
  return (
    Array.isArray((schema as { fields?: unknown } | null | undefined)?.fields) &&
    Array.isArray(batches) &&
    typeof numRows === 'number' &&
    typeof getChildAt === 'function'
  );
}
