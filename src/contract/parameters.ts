import * as z from 'zod';
import type { Check } from '../model/arguments/checks.js';
import { type ArgumentError, badArgument, shownValue } from '../model/errors.js';
import { nearestWord } from '../model/names/edit-distance.js';
import { parseTime } from '../model/time.js';

const MAX_ID = 2_147_483_647;

/** Maximum number of ids in one parameter. */
const MAX_IDS_PER_PARAMETER = 10_000;

export const id = z.int().min(0).max(MAX_ID);
export const ids = z.array(id).min(1).max(MAX_IDS_PER_PARAMETER);
export const date = z
  .string()
  .refine(isTime, {
    error: ({ input }) => `${shownValue(input)} is not a date; write YYYY-MM-DD or an ISO 8601 timestamp`,
  })
  .meta({ examples: ['2012-05-01'], description: 'YYYY-MM-DD or an ISO 8601 timestamp; UTC' });

/** Returns the schema of a parameter, from the check by which the client has it. */
export function parameter<Value>({ shape, choices, meaning }: Check<Value>): z.ZodType<Value> {
  const schema = schemaOf({ shape, choices }, { date, text: z.string() });
  return (meaning === undefined ? schema : schema.meta({ description: meaning })) as z.ZodType<Value>;
}

/** Returns the schema of a value, from its check, with the schemas of dates and texts. */
export function schemaOf(
  { shape, choices }: Pick<Check, 'shape' | 'choices'>,
  forms: { readonly date: z.ZodType; readonly text: z.ZodType },
): z.ZodType {
  if (choices !== undefined) return z.enum(choices);
  if (typeof shape === 'object')
    return z
      .int()
      .min(shape.min ?? 0)
      .max(shape.max ?? Number.MAX_SAFE_INTEGER);
  if (shape === 'flag') return z.boolean();
  if (shape === 'number') return z.number();
  if (shape === 'share') return z.number().min(0).max(1);
  return shape === 'date' ? forms.date : forms.text;
}

/** Checks whether a string is a date of the wire. */
export function isTime(text: string): boolean {
  try {
    parseTime(text, 'date');
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads query or form parameters by an object schema. Repeated keys become a list, as does a single value in brackets;
 * numbers and booleans are parsed; values that are empty, "None" or "null" count as absent.
 * @throws ArgumentError that names the parameter
 */
export function readParameters<Schema extends z.ZodObject>(
  schema: Schema,
  parameters: URLSearchParams,
): z.output<Schema> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const texts = parameters.getAll(name).filter((text) => text !== '' && text !== 'None' && text !== 'null');
    if (texts.length > 0) values[name] = readField(name, unwrap(field as z.ZodType), texts);
  }
  return validateJson(schema, values);
}

/**
 * As `readParameters`, and refuses parameters that the schema does not know: one that is misspelt would restrict nothing.
 * @param schema undefined of an operation without parameters
 * @throws ArgumentError that names the parameter and the nearest known one
 */
export function readKnownParameters(
  schema: z.ZodObject | undefined,
  parameters: URLSearchParams,
): Record<string, unknown> {
  const known = Object.keys(schema?.shape ?? {});
  const unknown = [...parameters.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownParameter(unknown, known);
  return schema === undefined ? {} : readParameters(schema, parameters);
}

/** Longer names are cut in the message. */
const MAX_NAME_LENGTH = 40;

/** @param within the path to the object that has the parameter, such as `0.` */
function unknownParameter(text: string, known: readonly string[], within = ''): ArgumentError {
  const name = text.slice(0, MAX_NAME_LENGTH);
  const nearest = nearestWord(name, known);
  const all = known.length === 0 ? 'there are none' : `the parameters are ${known.join(', ')}`;
  const remedy = nearest === undefined ? all : `did you mean ${nearest}?`;
  return badArgument(`${within}${name}`, 'there is no such parameter', { remedy });
}

/**
 * Validates a JSON value, or the item of a list whose position is given.
 * @throws ArgumentError that names the parameter
 */
export function validateJson<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  item?: number,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const path = item === undefined ? issue.path : [item, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const within = path.map((key) => `${String(key)}.`).join('');
    throw unknownParameter(issue.keys[0]!, keysAt(schema, issue.path), within);
  }
  const name = path.map(String).join('.') || 'body';
  const missing = valueAt(value, issue.path) === undefined;
  throw missing ? badArgument(name, 'is missing', { remedy: 'add it' }) : badArgument(name, faultOf(issue));
}

/**
 * Returns the fault that an issue of the schema library tells, in words of a reader of the service; those of a schema
 * stay.
 */
function faultOf(issue: z.core.$ZodIssue): string {
  if (!/^(Too |Invalid )/.test(issue.message)) return issue.message;
  const count = (origin: string) =>
    ({ array: 'the number of items ', string: 'the number of characters ' })[origin] ?? '';
  switch (issue.code) {
    case 'invalid_value':
      return `choose one of ${issue.values.join(', ')}`;
    case 'too_big':
      return `${count(issue.origin)}must be at most ${issue.maximum}`;
    case 'too_small':
      return `${count(issue.origin)}must be at least ${issue.minimum}`;
    case 'invalid_type':
      return `must be of the type ${issue.expected === 'int' ? 'integer' : issue.expected}`;
    case 'invalid_union':
      return 'has another form than /docs describes';
    default:
      return issue.message;
  }
}

interface ListSchemas {
  readonly list: z.ZodType<unknown[]>;
  readonly item: z.ZodType;
}

/** Making a schema takes far longer than validating by it. */
const knownLists = new WeakMap<z.ZodType, ListSchemas>();

/**
 * Splits a list's schema into those of its length and of its items, to validate it item by item. Returns null for any
 * other schema.
 */
export function listSchemas(schema: z.ZodType): ListSchemas | null {
  if (!(schema instanceof z.ZodArray)) return null;
  const known = knownLists.get(schema);
  if (known !== undefined) return known;
  const list = (schema as z.ZodArray).clone({ ...schema.def, element: z.unknown() });
  const made = { list: list as z.ZodType<unknown[]>, item: schema.element as z.ZodType };
  knownLists.set(schema, made);
  return made;
}

/** Returns the known keys of the object at a path within the values of a schema. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const type = unwrap(schema);
  if (type instanceof z.ZodArray) return keysAt(type.element as z.ZodType, path.slice(1));
  if (!(type instanceof z.ZodObject)) return [];
  const [key, ...rest] = path;
  return key === undefined ? Object.keys(type.shape) : keysAt(type.shape[String(key)] as z.ZodType, rest);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null)?.[key], value);
}

function readField(name: string, field: z.ZodType, texts: readonly string[]): unknown {
  if (field instanceof z.ZodArray)
    return readList(texts).map((text) => readScalar(name, field.element as z.ZodType, text));
  if (texts.length > 1) throw badArgument(name, `is given ${texts.length} times; give it once`);
  return readScalar(name, field, texts[0]!);
}

function readList(texts: readonly string[]): readonly string[] {
  const only = texts.length === 1 ? /^\s*\[(.*)\]\s*$/s.exec(texts[0]!) : null;
  if (only === null) return texts;
  return only[1]!
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function readScalar(name: string, field: z.ZodType, text: string): unknown {
  if (field instanceof z.ZodNumber) return readNumber(name, text);
  if (field instanceof z.ZodBoolean) return readBoolean(name, text);
  return text;
}

function readNumber(name: string, text: string): number {
  const value = /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw badArgument(name, `"${text.slice(0, 40)}" is not a number`);
  return value;
}

function readBoolean(name: string, text: string): boolean {
  const lower = text.trim().toLowerCase();
  if (lower === 'true' || lower === '1') return true;
  if (lower === 'false' || lower === '0') return false;
  throw badArgument(name, `"${text.slice(0, 40)}" is neither true nor false`);
}

function unwrap(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault)
    return unwrap(field.unwrap() as z.ZodType);
  return field;
}

/** Returns the allowed values of an enumerated parameter; null for any other parameter. */
export function parameterValues(schema: unknown): readonly string[] | null {
  return schema instanceof z.ZodEnum ? (schema.options as string[]) : null;
}
