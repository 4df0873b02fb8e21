import { type Schema as ArrowSchema, DataType, type Table } from 'apache-arrow';
import * as v from 'valibot';
import { badArgument } from '../../model/errors.js';
import { check } from '../../model/schema/check.js';
import { isNot, type Schema } from '../../model/schema/schemas.js';

export const ARROW_SCHEMA: Schema<ArrowSchema> = v.custom<ArrowSchema>(isSchema, isNot('an Arrow schema'));

/** Validates an Arrow table, which may come from another copy of the apache-arrow package. */
const TABLE = v.custom(isTable, isNot('an Arrow table, such as one returned by getDf or fromArrow'));

export function checkTable(value: unknown, argument: string): void {
  check(TABLE, value, argument);
  refuseUnsupported((value as Table).schema, argument);
}

/** Rejects unions, which Parquet cannot represent, and intervals, whose months the Parquet decoder reads as zero. */
export function refuseUnsupported({ fields }: ArrowSchema, argument: string): void {
  const isUnsupported = (type: DataType): boolean =>
    DataType.isUnion(type) ||
    DataType.isInterval(type) ||
    (type.children ?? []).some((part) => isUnsupported(part.type));
  const column = fields.find(({ type }) => isUnsupported(type));
  if (column === undefined) return;
  throw badArgument(
    argument,
    `column "${column.name}" is ${column.type}, but frames do not support unions or intervals; write a union as a column for each type, and an interval as a duration or a string`,
  );
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
