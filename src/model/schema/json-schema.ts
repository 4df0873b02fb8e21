import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

/** Converts a schema's input or output type to JSON Schema. Rules that JSON Schema cannot express are omitted. */
export function jsonSchema(schema: v.GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode,
    target: 'draft-2020-12',
    errorMode: 'ignore',
    ignoreActions: ['metadata'],
    // In JSON Schema, the enclosing object lists its required fields, so a required field's own schema is unchanged.
    overrideSchema: ({ valibotSchema }) =>
      'wrapped' in valibotSchema && valibotSchema.type === 'non_optional'
        ? jsonSchema(valibotSchema.wrapped as v.GenericSchema, typeMode)
        : undefined,
  });
  return rest;
}
