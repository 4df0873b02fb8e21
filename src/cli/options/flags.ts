import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type * as v from 'valibot';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { isRequired, parse } from '../../model/schema/check.js';
import { choicesOf, fromText, meaningOf, type Schema, unwrapSchema } from '../../model/schema/schemas.js';
import { DAY_MS, parseTime } from '../../model/time.js';
import type { CommandContext } from '../terminal/io.js';

const DAYS_OF_UNIT: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, y: 365 };

/** Parses a time span (`12h`, `30d`, `8w`, `1y`) into milliseconds. Returns null for any other string. */
function readSpan(text: string): number | null {
  const [, number, unit] = /^(\d+)([hdwy])$/.exec(text) ?? [];
  return unit === undefined ? null : Number(number) * DAYS_OF_UNIT[unit]! * DAY_MS;
}

/** Parses a time span into milliseconds. @throws InvalidArgumentError if it is 0 or not a time span */
export function parseSpan(text: string): number {
  const span = readSpan(text);
  if (span !== null && span > 0) return span;
  throw new InvalidArgumentError('Specify a time span, such as 12h, 30d, 8w or 1y.');
}

/** Parses a date in the future, or a time span from now (`12h`, `30d`, `8w`, `1y`), into UTC milliseconds. */
export function parseExpiry(text: string): number {
  const now = Date.now();
  const span = readSpan(text);
  const time = span === null ? readTime(text) : now + span;
  if (time > now) return time;
  throw new InvalidArgumentError('Specify a time in the future.');
}

function readTime(text: string): number {
  try {
    return parseTime(text, 'date');
  } catch {
    const forms = 'a time span (12h, 30d, 8w, 1y), a date (YYYY-MM-DD) or an ISO 8601 timestamp';
    throw new InvalidArgumentError(`Specify ${forms}.`);
  }
}

/** A command's flag, such as `--limit <n>`. The action receives a `Value`. */
export type Flag<Value> = Option & { readonly gives?: Value };

/** A command's positional argument, such as `[files...]`. */
type Word<Value> = Argument & { readonly gives?: Value };

type FlagValue<Text extends string> = Text extends `--no-${string}`
  ? boolean
  : Text extends `${string}<${string}`
    ? string | undefined
    : Text extends `${string}[${string}`
      ? string | true | undefined
      : boolean | undefined;

type Parser<Value> = (text: string) => Value;
type Given = v.GenericSchema | Parser<unknown> | string;

/** Creates a flag. Its value is parsed by a function or a schema. A schema's description is the default help text. */
export function flag<const Text extends string>(text: Text, help: string): Flag<FlagValue<Text>>;
export function flag<Value>(text: string, parser: Parser<Value>, help: string): Flag<Value | undefined>;
export function flag<Value>(
  text: string,
  schema: v.NonOptionalSchema<Schema<Value>, undefined>,
  help?: string,
): Flag<Value>;
export function flag<Value>(text: string, schema: Schema<Value>, help?: string): Flag<Value | undefined>;
export function flag(text: string, schema: Given, help?: string): Option {
  if (typeof schema === 'string') return new Option(text, schema);
  if (typeof schema === 'function') return new Option(text, help).argParser((given: string) => schema(given));
  const needed = isRequired(schema);
  const meaning = help ?? meaningOf(schema);
  const option = new Option(text, needed ? `${meaning} (required)` : meaning).makeOptionMandatory(needed);
  const choices = choicesOf(schema);
  if (choices !== undefined) return option.choices(choices);
  if (unwrapSchema(schema).type === 'boolean') return option;
  return option.argParser((given: string) => parse(schema, fromText(schema, given), '', toParserError));
}

/** Converts an error to the command-line parser's error type. The parser adds the flag's name. */
function toParserError({ problem, remedy }: ArgumentError): InvalidArgumentError {
  return new InvalidArgumentError([problem, remedy ?? []].flat().join('; '));
}

export function withDefault<Value>(option: Flag<Value>, value: NonNullable<Value>): Flag<NonNullable<Value>> {
  return option.default(value) as Flag<NonNullable<Value>>;
}

/** Makes a flag repeatable. The action then receives a list with the value of each occurrence. */
export function makeRepeatable<Value>(
  option: Flag<Value>,
): Flag<undefined extends Value ? readonly NonNullable<Value>[] | undefined : readonly Value[]> {
  const { mandatory, parseArg = (text: string) => text } = option;
  const meaning = option.description.replace(/ \(required\)$/, '');
  const parseOne = parseArg as (text: string, before: undefined) => Value;
  return Object.assign(new Option(option.flags), option, {
    description: `${meaning} ${mandatory ? '(required, repeatable)' : '(repeatable)'}`,
    parseArg: (text: string, before: readonly Value[] = []) => [...before, parseOne(text, undefined)],
  }) as Flag<never>;
}

export function groupFlags<Flags extends Readonly<Record<string, Option>>>(
  heading: string,
  flags: Flags,
): Flags {
  for (const option of Object.values(flags)) option.helpGroup(heading);
  return flags;
}

type WordValue<Text extends string, Value> = Text extends `${string}...${string}`
  ? readonly Value[]
  : Text extends `[${string}`
    ? Value | undefined
    : Value;

export function word<const Text extends string>(text: Text, help: string): Word<WordValue<Text, string>>;
export function word<const Text extends string, Value>(
  text: Text,
  schema: Schema<Value> | Parser<Value>,
  help: string,
): Word<WordValue<Text, Value>>;
export function word(text: string, schema: Given, help?: string): Argument {
  if (typeof schema === 'string') return new Argument(text, schema);
  const argument = new Argument(text, help);
  if (typeof schema === 'function') return argument.argParser((given: string) => schema(given));
  const choices = choicesOf(schema);
  if (choices === undefined) return argument;
  // The schema checks the value, because its messages are clearer than the command-line parser's.
  return argument.choices(choices).argParser((given: string) => parse(schema, given, argument.name()));
}

/** A command's flags and positional arguments, keyed by the names under which its action receives them. */
export type Inputs = Readonly<Record<string, Option | Argument>>;

type ValueOf<One> = One extends { readonly gives?: infer Value } ? Value : never;

export type InputValues<Takes extends Inputs> = {
  readonly [Name in keyof Takes]?: ValueOf<Takes[Name]>;
} & {
  readonly [Name in RequiredNames<Takes>]: ValueOf<Takes[Name]>;
};

type RequiredNames<Takes extends Inputs> = {
  [Name in keyof Takes]: undefined extends ValueOf<Takes[Name]> ? never : Name;
}[keyof Takes];

export interface DeclaredCommand<Takes extends Inputs> {
  readonly name: string;
  readonly summary: string;
  /** The description in the help text; defaults to the summary. */
  readonly description?: string;
  readonly usage?: string;
  readonly isDefault?: boolean;
  readonly help?: string;
  readonly takes: Takes;
}

export type Action<Command extends { readonly takes: Inputs }> = (
  context: CommandContext,
  values: InputValues<Command['takes']>,
) => Promise<void>;

/** Returns a function that adds commands to a program or to one of its commands. */
export function commandAdder(parent: Command, context: CommandContext) {
  return <Takes extends Inputs>(
    { name, isDefault = false, summary, description, usage, help, takes }: DeclaredCommand<Takes>,
    load: () => Promise<Action<DeclaredCommand<Takes>>>,
  ): Command => {
    const command = parent.command(name, { isDefault }).summary(summary);
    command.description(description ?? `${summary[0]!.toUpperCase()}${summary.slice(1)}.`);
    if (usage !== undefined) command.usage(usage);
    if (help !== undefined) command.addHelpText('after', help);
    const flags = new Map<string, string>();
    for (const [parameter, one] of Object.entries(takes)) {
      if (one instanceof Option) {
        command.addOption(one);
        flags.set(parameter, one.long!);
      } else command.addArgument(one);
    }
    return command.action(async () => {
      context.flags = flags;
      const values = valuesOf(command, takes);
      refuseOverwriting(takes, values);
      await (await load())(context, values);
    });
  };
}

/** The flags that specify a file to write. */
const OUTPUTS = ['out', 'rejects', 'file'];

/** The flags and positional arguments that specify files to read or change. */
const INPUTS = ['store', 'dataset', 'files', 'file'];

/** Checks a command's output files. @throws ArgumentError if one would overwrite the store or a file that is read */
function refuseOverwriting(takes: Inputs, values: Readonly<Record<string, unknown>>): void {
  const outputs = OUTPUTS.filter((name) => takes[name] instanceof Option);
  const inputs = INPUTS.flatMap((name) => (outputs.includes(name) ? [] : values[name]));
  for (const name of outputs) {
    const path = values[name];
    if (typeof path === 'string') checkOutput(name, path, inputs);
  }
}

/** Checks an output file. @throws ArgumentError if it is the same file as an input, even if their paths differ */
export function checkOutput(argument: string, path: string, inputs: readonly unknown[]): void {
  const input = inputs.find((one) => typeof one === 'string' && isSameFile(one, path));
  if (input === undefined) return;
  throw badArgument(argument, `${path} would overwrite ${input}; specify a different file`);
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (a === undefined || b === undefined) return resolve(one) === resolve(other);
  return a.isFile() && a.dev === b.dev && a.ino === b.ino;
}

function valuesOf<Takes extends Inputs>(command: Command, takes: Takes): InputValues<Takes> {
  const words = command.registeredArguments;
  const values = Object.entries(takes).map(([name, one]) => [
    name,
    one instanceof Option
      ? command.getOptionValue(one.attributeName())
      : command.processedArgs[words.indexOf(one)],
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as InputValues<Takes>;
}
