import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

/** Converts a schema to JSON Schema for its input or output. Rules that JSON Schema cannot express are left out. */
export function jsonSchema(schema: v.GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode,
    target: 'draft-2020-12',
    errorMode: 'ignore',
    ignoreActions: ['metadata'],
    // JSON Schema lists required fields beside them, so that `required` adds nothing to the schema that it wraps.
    overrideSchema: ({ valibotSchema }) =>
      'wrapped' in valibotSchema && valibotSchema.type === 'non_optional'
        ? jsonSchema(valibotSchema.wrapped as v.GenericSchema, typeMode)
        : undefined,
  });
  return rest;
}
