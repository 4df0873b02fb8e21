import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

/** Writes a schema as JSON Schema, of what it reads or of what it returns; rules that have no form there are left out. */
export function jsonSchema(schema: v.GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode,
    target: 'draft-2020-12',
    errorMode: 'ignore',
    ignoreActions: ['metadata'],
  });
  return rest;
}
