import * as v from 'valibot';
import { badArgument } from '../model/errors.js';
import { parse, unknownKey } from '../model/schema/check.js';
import { fromText, ID, unwrapSchema } from '../model/schema/schemas.js';
import type { ObjectSchema } from './addresses.js';

const MAX_IDS_PER_PARAMETER = 10_000;

export const ids = v.pipe(v.array(ID), v.minLength(1), v.maxLength(MAX_IDS_PER_PARAMETER));

/** Returns an object that maps the camelCase name of each id in a series key to the given schema. */
export const everyId = <Id extends v.GenericSchema>(id: Id) => ({
  metricId: id,
  itemId: id,
  regionId: id,
  partnerRegionId: id,
  sourceId: id,
  frequencyId: id,
});

/** Returns a Valibot action that parses a string with `read`. If `read` returns a string, it is an error message. */
export const parsedBy = <Value extends object>(read: (text: string) => Value | string) =>
  v.rawTransform<string, Value>(({ dataset, addIssue, NEVER }) => {
    const value = read(dataset.value);
    if (typeof value !== 'string') return value;
    addIssue({ message: value });
    return NEVER;
  });

/**
 * Parses parameters with an object schema. A list is written as a repeated key or in brackets. Numbers and booleans are
 * parsed. Values that are empty, "None" or "null" count as absent.
 * @param schema undefined if the operation has no parameters
 * @throws ArgumentError that names the invalid parameter and, for an unknown one, the nearest known parameter
 */
export function readParameters(
  schema: ObjectSchema | undefined,
  parameters: URLSearchParams,
): Record<string, unknown> {
  const entries = Object.entries(schema?.entries ?? {});
  const known = entries.map(([name]) => name);
  // A misspelt parameter would otherwise be ignored.
  const unknown = [...parameters.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownKey(unknown, known);
  const values: Record<string, unknown> = {};
  for (const [name, field] of entries) {
    const texts = parameters.getAll(name).filter((text) => text !== '' && text !== 'None' && text !== 'null');
    if (texts.length > 0) values[name] = readField(name, unwrapSchema(field as v.GenericSchema), texts);
  }
  return schema === undefined ? values : (parse(schema, values, '') as Record<string, unknown>);
}

interface ListSchemas {
  readonly list: v.GenericSchema<unknown[]>;
  readonly item: v.GenericSchema;
}

/** Splits a list schema into a schema for the list's length and one for its items. Returns null for other schemas. */
export function listSchemas(schema: v.GenericSchema): ListSchemas | null {
  if (schema.type !== 'array') return null;
  const { item, pipe = [] } = schema as unknown as Pick<ListSchemas, 'item'> & {
    readonly pipe?: readonly v.GenericValidation<unknown[]>[];
  };
  return { list: v.pipe(v.array(v.unknown()), ...pipe.slice(1)), item };
}

function readField(name: string, field: v.GenericSchema, texts: readonly string[]): unknown {
  if (field.type === 'array') {
    const { item } = field as unknown as ListSchemas;
    return readList(texts).map((text) => fromText(item, text));
  }
  if (texts.length > 1) throw badArgument(name, `is specified ${texts.length} times; specify it only once`);
  return fromText(field, texts[0]!);
}

function readList(texts: readonly string[]): readonly string[] {
  const only = texts.length === 1 ? /^\s*\[(.*)\]\s*$/s.exec(texts[0]!) : null;
  if (only === null) return texts;
  return only[1]!
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
