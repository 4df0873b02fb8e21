import * as v from 'valibot';
import { nearestWord } from '../../model/names/edit-distance.js';
import { isUnknownKey, pathText } from '../../model/schema/check.js';
import { MAX_NAME } from '../batch/batch-builder.js';

export const checked = <Value extends v.GenericSchema>(
  schema: Value,
  isValid: (given: v.InferOutput<Value>) => boolean,
  message: string,
) => v.pipe(schema, v.check(isValid, message));

export const mapped = <Value extends v.GenericSchema, Result>(
  schema: Value,
  toResult: (given: v.InferOutput<Value>) => Result,
) => v.pipe(schema, v.transform(toResult));

/** The placeholder for a value that the user must fill in, used in suggested data set documents. */
export const FILL_IN = '?';
const IS_GAP = `is still "${FILL_IN}"; fill it in`;

/** A string that occurs in a table. Unlike other strings in a document, it may be "?". */
export const tableText = v.string('must be a string');
export const text = checked(tableText, (given) => given !== FILL_IN, IS_GAP);
export const name = v.pipe(text, v.maxLength(MAX_NAME, `has more than ${MAX_NAME} characters`));
export const texts = mapped(
  v.union([tableText, v.array(tableText)], 'must be a string or a list of strings'),
  (given) => [given].flat(),
);
/** Trims strings, because they are compared with trimmed cells or names. */
export const cellTexts = mapped(texts, (all) => all.map((one) => one.trim()));
export const yesOrNo = v.boolean('must be true or false');
export const number = v.number('must be a number');
export const positive = checked(number, (given) => given > 0, 'must be greater than 0');

export function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be one of ${words.map((word) => JSON.stringify(word)).join(', ')}`);

export const list = <Item extends v.GenericSchema>(item: Item) => v.array(item, 'must be a list');

export const object = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject(entries, ({ expected, input }) =>
    expected === 'never'
      ? adviceOnName(String(input), Object.keys(entries), 'the keys')
      : 'must be an object',
  );

export const byName = <Value extends v.GenericSchema>(value: Value) =>
  v.record(
    v.pipe(
      v.string(),
      v.check((given) => given.trim() !== '', 'has an entry without a name'),
      v.maxLength(MAX_NAME, `has more than ${MAX_NAME} characters`),
    ),
    value,
    'must be an object',
  );

/** Creates a schema that parses an object with any keys into a `Map`. */
export const mapOf = <Value extends v.GenericSchema>(value: Value) =>
  mapped(
    byName(value),
    (given): ReadonlyMap<string, v.InferOutput<Value>> =>
      new Map(Object.entries(given).map(([text, one]) => [text.trim(), one])),
  );

/** Makes a key optional and adds its description, which JSON Schema would omit after a transformation in `schema`. */
export const key = <Value extends v.GenericSchema>(meaning: string, schema: Value) =>
  v.pipe(v.optional(schema), v.description(meaning));

export const keyOr = <Value extends v.GenericSchema, const Default extends v.InferInput<Value>>(
  fallback: Default,
  meaning: string,
  schema: Value,
) => v.pipe(v.optional(schema, fallback), v.description(meaning));

export const required = <Value extends v.GenericSchema>(meaning: string, schema: Value) =>
  v.pipe(v.nonOptional(schema), v.description(meaning));

interface Form {
  readonly type: string;
  readonly entries?: v.ObjectEntries;
}

/** Creates a schema of alternatives. If an object fits none, the message is about the closest alternative. */
export function oneForm<const Forms extends readonly v.GenericSchema[]>(wanted: string, forms: Forms) {
  const any = v.union(forms, `must be ${wanted}`);
  const formOf = (input: unknown): v.GenericSchema => {
    if (Array.isArray(input)) return forms.find(({ type }) => type === 'array') ?? any;
    if (typeof input !== 'object' || input === null) return any;
    const misfits = ({ entries = {} }: Form): number => {
      const unknown = Object.keys(input).filter((one) => !Object.hasOwn(entries, one));
      const missing = Object.entries(entries).filter(
        ([one, { type }]) => type !== 'optional' && !Object.hasOwn(input, one),
      );
      return unknown.length + missing.length;
    };
    const objects = forms.filter(({ type }) => type === 'strict_object' || type === 'record');
    return objects.sort((a, b) => misfits(a) - misfits(b))[0] ?? any;
  };
  return v.lazy(formOf) as unknown as typeof any;
}

/** Suggests the known name closest to an unknown name, or lists all known names if none is close. */
export function adviceOnName(given: string, known: readonly string[], what = 'its fields'): string {
  const nearest = nearestWord(given, known);
  return nearest === undefined ? `${what} are ${known.join(', ')}` : `did you mean "${nearest}"?`;
}

function isPattern(given: string): boolean {
  try {
    new RegExp(given, 'm');
    return true;
  } catch {
    return false;
  }
}

export const pattern = v.pipe(
  text,
  v.check(isPattern, ({ input }) => `${JSON.stringify(input)} is not a regular expression`),
  v.transform((given) => new RegExp(given, 'm')),
);
export const patterns = mapped(
  v.union([pattern, v.array(pattern)], 'must be a regular expression or a list of regular expressions'),
  (given) => [given].flat(),
);

/** Describes the first fault in a document. Unknown keys are reported before other faults. */
export function describeFault(issues: readonly v.BaseIssue<unknown>[]): [key: string, what: string] {
  const issue = issues.find(isUnknownKey) ?? issues[0]!;
  const path = (issue.path ?? []).map((step) => step.key);
  const owner = pathText('', path.slice(0, -1));
  if (isUnknownKey(issue))
    return [`"${path.at(-1)}"`, `is not a key${owner === '' ? '' : ` of ${owner}`}; ${issue.message}`];
  const missing = issue.input === undefined ? 'is missing' : undefined;
  const gap = issue.input === FILL_IN ? IS_GAP : undefined;
  return [pathText('', path) || 'the root', missing ?? gap ?? issue.message];
}
