import * as v from 'valibot';
import { type ArgumentError, badArgument, shownValue } from '../errors.js';
import { nearestWord } from '../names/edit-distance.js';
import { type Advice, choicesOf, isNot, type Schema, unwrapSchema } from './schemas.js';

type KeysOf<Options> = Options extends unknown ? keyof Options & string : never;

type ValueOf<Options, Key extends string> = Options extends { readonly [Name in Key]?: infer Value }
  ? Value | null | undefined
  : never;

/** One schema for each key of `Options`. A missing key, an unknown key or a wrong schema type is a compile error. */
export type OptionKeys<Options> = {
  readonly [Key in KeysOf<Options>]: Schema<ValueOf<Options, Key>>;
};

/** Schemas by option name. An option may be omitted unless its schema is `required`. */
export type KnownKeys = Readonly<Record<string, v.GenericSchema>>;

/** The type of the options that the schemas describe. Editors show a schema's doc comment as the option's docstring. */
export type OptionsOf<Keys extends KnownKeys> = {
  [Key in keyof Keys as Keys[Key] extends v.NonOptionalSchema<v.GenericSchema, undefined>
    ? Key
    : never]: v.InferOutput<Keys[Key]>;
} & {
  [Key in keyof Keys as Keys[Key] extends v.NonOptionalSchema<v.GenericSchema, undefined> ? never : Key]?:
    | v.InferOutput<Keys[Key]>
    | undefined;
};

export function required<Value extends v.GenericSchema>(schema: Value) {
  return v.nonOptional(schema);
}

export function isRequired(schema: v.GenericSchema): boolean {
  return schema.type === 'non_optional';
}

/** Returns a schema for an option that is itself an object with options. Unknown keys are rejected. */
export function optionsOf<Value = never>(known: KnownKeys): Schema<Value> {
  const wanted = isNot(`an object with ${Object.keys(known).join(', ')}`);
  return v.strictObject(entriesOf(known), wanted) as unknown as Schema<Value>;
}

/** Returns a schema for an object with these fields. Other fields are allowed. */
export function fieldsOf<Value = never>(known: KnownKeys): Schema<Value> {
  return v.looseObject(entriesOf(known)) as unknown as Schema<Value>;
}

function entriesOf(known: KnownKeys): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(known).map(([key, schema]) => [key, isRequired(schema) ? schema : v.optional(schema)]),
  );
}

/**
 * Checks that `options` is undefined, or an object with known keys and valid values.
 * @param operation the name of the operation, for the error message
 * @throws ArgumentError that names the invalid key and, for an unknown key, the nearest known key
 */
export function checkOptions(options: unknown, known: KnownKeys, operation: string): void {
  if (options === undefined) return;
  if (!isPlainObject(options))
    throw badArgument('options', `${operation} takes an options object, not ${shownValue(options)}`);
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(known, key));
  if (unknown !== undefined) throw unknownKey(unknown, Object.keys(known), operation);
  for (const [key, schema] of Object.entries(known)) {
    const value = (options as Record<string, unknown>)[key];
    if (value !== undefined || isRequired(schema)) check(schema, value, key);
  }
}

/** Checks options as `checkOptions` does, but also throws if `options` is undefined. */
export function checkRequiredOptions(options: unknown, known: KnownKeys, operation: string): void {
  if (options === undefined) throw badArgument('options', `${operation} needs an options object`);
  checkOptions(options, known, operation);
}

/** Checks whether a value is an object that is not iterable. */
export function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(Symbol.iterator in value);
}

export function check(schema: v.GenericSchema, value: unknown, argument: string): void {
  parse(schema, value, argument);
}

/**
 * Parses a value with a schema.
 * @param argument the value's name; empty if the value's fields are the arguments
 * @param toError converts the `ArgumentError` before it is thrown
 * @throws ArgumentError that names the argument or its invalid field, if the value does not match the schema
 */
export function parse<Value extends v.GenericSchema>(
  schema: Value,
  value: unknown,
  argument: string,
  toError = (error: ArgumentError): Error => error,
): v.InferOutput<Value> {
  const result = v.safeParse(schema, value, PARSE_SETTINGS);
  if (result.success) return result.output;
  const issue = result.issues.find(isUnknownKey) ?? result.issues[0];
  throw toError(issueError(schema, issue, argument));
}

function keysOf(schema: v.GenericSchema): string[] {
  return Object.keys((unwrapSchema(schema) as Parts).entries ?? {});
}

function issueError(schema: v.GenericSchema, outer: v.BaseIssue<unknown>, argument: string): ArgumentError {
  const issue = findDeepestIssue(outer);
  const path = issue.path ?? [];
  const keys = path.map(({ key }) => key);
  const name = pathText(argument, keys) || WHOLE_VALUE;
  if (isUnknownKey(issue)) {
    const known = keysOf(schemaAt(schema, path.slice(0, -1), issue));
    // A request has no name. If a request is a list, its items have no names either.
    const isRequest = argument === '' || argument.startsWith('[');
    return unknownKey(name, known, isRequest ? '' : pathText(argument, keys.slice(0, -1)));
  }
  const failed = schemaAt(schema, path, issue);
  if (issue.input === undefined) return badArgument(name, 'is missing', { remedy: requirementOf(failed) });
  return badArgument(name, issue.message, { remedy: remedyOf(failed, issue.input) });
}

/** Checks whether an issue is an unknown key. Such issues are reported first: a misspelt key explains a missing one. */
export function isUnknownKey({ path, expected }: v.BaseIssue<unknown>): boolean {
  return path?.at(-1)?.origin === 'key' && expected === 'never';
}

/** The name used in messages for a value without a name, such as a request body. */
export const WHOLE_VALUE = 'body';

/** Formats the path to a value, such as `regions[2].id`. */
export function pathText(argument: string, path: readonly unknown[]): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${key}`,
    argument,
  );
}

function requirementOf(schema: v.GenericSchema): string {
  return messageFor(unwrapSchema(schema), undefined) ?? 'add it';
}

function messageFor(schema: v.GenericSchema, value: unknown): string | undefined {
  return v.safeParse(schema, value, PARSE_SETTINGS).issues?.[0].message;
}

function remedyOf(schema: v.GenericSchema, input: unknown): string | undefined {
  const words = choicesOf(schema);
  if (words === undefined) return (v.getMetadata(schema) as Partial<Advice>).remedy;
  const nearest = typeof input === 'string' ? nearestOf(input, words) : undefined;
  return `${nearest === undefined ? '' : `did you mean ${nearest}? `}choose one of ${words.join(', ')}`;
}

/** Returns the first word that begins with the typed letters or, if there is none, the most similar word. */
function nearestOf(typed: string, words: readonly string[]): string | undefined {
  const letters = typed.toLowerCase().replace(/[^a-z]/g, '');
  return (letters !== '' && words.find((word) => word.startsWith(letters))) || nearestWord(typed, words);
}

interface Parts {
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly options?: readonly v.GenericSchema[];
}

/** Returns the schema for the part of a value at `path`. For a union, returns the member that raised the issue. */
function schemaAt(
  schema: v.GenericSchema,
  path: readonly { readonly key: unknown }[],
  issue: v.BaseIssue<unknown>,
): v.GenericSchema {
  const outer = unwrapSchema(schema);
  const { entries, item, value, options = [] } = outer as Parts;
  if (outer.type === 'union') {
    const forms = options.map((option) => schemaAt(option, path, issue));
    return forms.find((form) => messageFor(form, issue.input) === issue.message) ?? outer;
  }
  const [step, ...rest] = path;
  if (step === undefined) return outer;
  return schemaAt(entries?.[String(step.key)] ?? item ?? value ?? v.any(), rest, issue);
}

/** Finds the issue with the longest path. In a union, prefers the member that the value most resembles. */
function findDeepestIssue(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown> {
  const depth = ({ path }: v.BaseIssue<unknown>): number => path?.length ?? 0;
  const isMissing = ({ input }: v.BaseIssue<unknown>): number => Number(input === undefined);
  const inner = (issue.issues ?? []).map(findDeepestIssue);
  const deeper = inner
    .filter((one) => depth(one) > 0)
    .sort((a, b) => depth(b) - depth(a) || isMissing(a) - isMissing(b))[0];
  return deeper === undefined
    ? issue
    : ({ ...deeper, path: [...(issue.path ?? []), ...deeper.path!] } as v.BaseIssue<unknown>);
}

const MAX_KEY = 40;

/** Returns the error for an unknown key in the operation or argument `owner`, or in a request if `owner` is empty. */
export function unknownKey(key: string, known: readonly string[], owner = ''): ArgumentError {
  const name = key.slice(0, MAX_KEY);
  const nearest = nearestWord(name.slice(name.lastIndexOf('.') + 1), known);
  const isParameter = owner === '';
  const problem = isParameter ? 'there is no such parameter' : `${owner} has no such option`;
  const listed = isParameter ? `the parameters are ${known.join(', ')}` : `it takes ${known.join(', ')}`;
  const all = known.length > 0 ? listed : 'remove it';
  return badArgument(name, problem, { remedy: nearest === undefined ? all : `did you mean ${nearest}?` });
}

/** Descriptions of valid values for use in error messages, keyed by schema type. */
const KINDS: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  string: 'a string',
  number: 'a number',
  array: 'a list',
  function: 'a function',
  object: 'an object',
  loose_object: 'an object',
  strict_object: 'an object',
  record: 'an object',
};

/** The settings for every parse. They supply error messages for schemas that define none. */
const PARSE_SETTINGS: v.Config<v.BaseIssue<unknown>> = { message: messageOf };

function messageOf(issue: v.BaseIssue<unknown>): string {
  const { type, requirement, input, expected } = issue as v.BaseIssue<unknown> & { requirement?: unknown };
  const count =
    typeof input === 'string'
      ? 'the number of characters '
      : Array.isArray(input)
        ? 'the number of items '
        : '';
  if (type === 'min_length' || type === 'min_value') return `${count}must be at least ${requirement}`;
  if (type === 'max_length' || type === 'max_value') return `${count}must be at most ${requirement}`;
  if (type === 'union' && issue.issues !== undefined) return issue.issues[0].message;
  if (type === 'instance') return isNot(`a ${expected}`)(issue);
  return isNot(KINDS[type] ?? `${expected}`)(issue);
}
