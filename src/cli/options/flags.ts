import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type * as v from 'valibot';
import { ArgumentError } from '../../model/errors.js';
import { isRequired, parse, unwrapSchema } from '../../model/schema/check.js';
import { fromText } from '../../model/schema/from-text.js';
import { choicesOf, meaningOf, type Schema } from '../../model/schema/schemas.js';
import { DAY_MS, parseTime } from '../../model/time.js';
import type { CommandContext } from '../terminal/io.js';

const DAYS_OF_UNIT: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, y: 365 };

/** Parses a time span (`12h`, `30d`, `8w`, `1y`) into milliseconds. Returns null for any other string. */
function readSpan(text: string): number | null {
  const [, number, unit] = /^(\d+)([hdwy])$/.exec(text) ?? [];
  return unit === undefined ? null : Number(number) * DAYS_OF_UNIT[unit]! * DAY_MS;
}

/** Parses a time span longer than 0 into milliseconds. */
export function parseSpan(text: string): number {
  const span = readSpan(text);
  if (span !== null && span > 0) return span;
  throw new InvalidArgumentError('Give a time span, such as 12h, 30d, 8w or 1y.');
}

/** Parses a future time, given as a time span from now (`12h`, `30d`, `8w`, `1y`) or a date, into UTC milliseconds. */
export function parseExpiry(text: string, now = Date.now()): number {
  const span = readSpan(text);
  const time = span === null ? readTime(text, 'a time span (12h, 30d, 8w, 1y), a date') : now + span;
  if (time > now) return time;
  throw new InvalidArgumentError('Give a time in the future.');
}

function readTime(text: string, forms = 'a date'): number {
  try {
    return parseTime(text, 'date');
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw new InvalidArgumentError(`Give ${forms} (YYYY-MM-DD) or an ISO 8601 timestamp.`);
  }
}

/** A flag of a command, such as `--limit <n>`. The action receives a `Value`. */
export type Flag<Value> = Option & { readonly gives?: Value };

/** A positional argument of a command, such as `[files...]`. */
type Word<Value> = Argument & { readonly gives?: Value };

type FlagValue<Text extends string> = Text extends `--no-${string}`
  ? boolean
  : Text extends `${string}<${string}`
    ? string | undefined
    : Text extends `${string}[${string}`
      ? string | true | undefined
      : boolean | undefined;

/** Creates a flag from the schema of its parameter, whose description becomes the help, or from the help alone. */
export function flag<const Text extends string>(text: Text, help: string): Flag<FlagValue<Text>>;
export function flag<Value>(text: string, schema: v.NonOptionalSchema<Schema<Value>, undefined>): Flag<Value>;
export function flag<Value>(text: string, schema: Schema<Value>): Flag<Value | undefined>;
export function flag(text: string, schema: v.GenericSchema | string): Option {
  if (typeof schema === 'string') return new Option(text, schema);
  const needed = isRequired(schema);
  const meaning = meaningOf(schema);
  const option = new Option(text, needed ? `${meaning} (required)` : meaning).makeOptionMandatory(needed);
  const choices = choicesOf(schema);
  if (choices !== undefined) return option.choices(choices);
  return unwrapSchema(schema).type === 'boolean' ? option : option.argParser(parserOf(schema));
}

/** Returns a function that parses the text of a flag by a schema. */
function parserOf(schema: v.GenericSchema): (text: string) => unknown {
  return (text) => parse(schema, fromText(schema, text), '', toParserError);
}

/** Converts an error to that of the command-line parser, which adds the name of the flag. */
function toParserError({ problem, remedy }: ArgumentError): InvalidArgumentError {
  return new InvalidArgumentError([problem, remedy ?? []].flat().join('; '));
}

export function withDefault<Value>(option: Flag<Value>, value: NonNullable<Value>): Flag<NonNullable<Value>> {
  return option.default(value) as Flag<NonNullable<Value>>;
}

/** Sets the parser of a flag or of a positional argument. */
export function withParser<Value>(
  option: Flag<string | undefined>,
  parse: (text: string) => Value,
): Flag<Value | undefined>;
export function withParser<Value>(option: Word<string>, parse: (text: string) => Value): Word<Value>;
export function withParser(option: Option | Argument, parse: (text: string) => unknown): Option | Argument {
  return option.argParser((text: string) => parse(text));
}

/** Makes a flag repeatable. It collects the values of every use. */
export function makeRepeatable<Value>(
  option: Flag<Value>,
): Flag<undefined extends Value ? readonly NonNullable<Value>[] | undefined : readonly Value[]> {
  const description = option.description.replace(/ \(required\)$/, '');
  option.description = `${description} ${option.mandatory ? '(required, repeatable)' : '(repeatable)'}`;
  const { parseArg = (text: string) => text } = option;
  const parse = parseArg as (text: string, before: undefined) => Value;
  option.argParser((text: string, before: readonly Value[] = []) => [...before, parse(text, undefined)]);
  return option as Flag<never>;
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

/** Creates a positional argument from its help or its schema. */
export function word<const Text extends string>(text: Text, help: string): Word<WordValue<Text, string>>;
export function word<const Text extends string, Value>(
  text: Text,
  schema: Schema<Value>,
): Word<WordValue<Text, Value>>;
export function word(text: string, schema: v.GenericSchema | string): Argument {
  if (typeof schema === 'string') return new Argument(text, schema);
  const argument = new Argument(text, meaningOf(schema));
  const choices = choicesOf(schema);
  if (choices === undefined) return argument;
  // The schema checks the value, because its messages are clearer than the command-line parser's.
  return argument.choices(choices).argParser((given: string) => parse(schema, given, argument.name()));
}

/** The flags and positional arguments of a command, by the names under which its action receives them. */
export type Inputs = Readonly<Record<string, Option | Argument>>;

type ValueOf<One> = One extends { readonly gives?: infer Value } ? Value : never;

/** The values of the flags and positional arguments that an action receives. */
export type InputValues<Takes extends Inputs> = {
  readonly [Name in keyof Takes as undefined extends ValueOf<Takes[Name]> ? never : Name]: ValueOf<
    Takes[Name]
  >;
} & {
  readonly [Name in keyof Takes as undefined extends ValueOf<Takes[Name]> ? Name : never]?: ValueOf<
    Takes[Name]
  >;
};

export interface DeclaredCommand<Takes extends Inputs> {
  readonly name: string;
  readonly summary: string;
  /** The description in the help; by default the summary. */
  readonly description?: string;
  readonly usage?: string;
  readonly isDefault?: boolean;
  readonly help?: string;
  readonly takes: Takes;
}

export type Load<Takes extends Inputs> = (
  values: InputValues<Takes>,
) => Promise<(context: CommandContext, values: InputValues<Takes>) => Promise<void>>;

interface Running<Takes extends Inputs> {
  readonly context: CommandContext;
  readonly load: Load<Takes>;
}

export function addCommand<Takes extends Inputs>(
  parent: Command,
  { name, isDefault = false, summary, description, usage, help, takes }: DeclaredCommand<Takes>,
  running: Running<Takes>,
): Command {
  const command = parent.command(name, { isDefault }).summary(summary);
  command.description(description ?? `${summary[0]!.toUpperCase()}${summary.slice(1)}.`);
  if (usage !== undefined) command.usage(usage);
  if (help !== undefined) command.addHelpText('after', help);
  addInputs(command, takes, running);
  return command;
}

/** The flags of each command, keyed by the parameters that they set. */
const flagsByCommand = new WeakMap<Command, ReadonlyMap<string, string>>();

export function flagsOf(command: Command): ReadonlyMap<string, string> {
  return flagsByCommand.get(command) ?? new Map();
}

function addInputs<Takes extends Inputs>(
  command: Command,
  takes: Takes,
  { context, load }: Running<Takes>,
): void {
  for (const one of Object.values(takes)) {
    if (one instanceof Option) command.addOption(one);
    else command.addArgument(one);
  }
  const flags = Object.entries(takes).flatMap(([name, one]) =>
    one instanceof Option ? [[name, one.long!] as const] : [],
  );
  flagsByCommand.set(command, new Map(flags));
  command.action(async () => {
    const values = valuesOf(command, takes);
    refuseOverwriting(takes, values);
    await (await load(values))(context, values);
  });
}

/** Flags that name a file to write. */
const OUTPUTS = ['out', 'rejects', 'file'];
/** Flags and positional arguments that name files to read or to change. */
const INPUTS = ['store', 'dataset', 'files', 'file'];

/** Checks that the command does not overwrite its store or a file that it reads. @throws ArgumentError if it would */
function refuseOverwriting(takes: Inputs, values: Readonly<Record<string, unknown>>): void {
  const inputs = INPUTS.flatMap((name) =>
    OUTPUTS.includes(name) && takes[name] instanceof Option ? [] : values[name],
  );
  for (const name of OUTPUTS) {
    const path = values[name];
    if (takes[name] instanceof Option && typeof path === 'string') checkOutput(name, path, inputs);
  }
}

/** Checks that an output is not one of the inputs, even under another path. @throws ArgumentError if it is */
export function checkOutput(argument: string, path: string, inputs: readonly unknown[]): void {
  const input = inputs.find((one) => typeof one === 'string' && isSameFile(one, path));
  if (input === undefined) return;
  throw new ArgumentError(argument, `--${argument} ${path} would overwrite ${input}; name another file`);
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
    one instanceof Option ? optionValue(command, one) : command.processedArgs[words.indexOf(one)],
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as InputValues<Takes>;
}

/** Returns the value of a flag. If the program has the same flag, the flag may precede the name of the command. */
function optionValue(command: Command, option: Option): unknown {
  const value = command.getOptionValue(option.attributeName());
  if (value !== undefined || command.parent === null) return value;
  return command.parent.options.includes(option) ? optionValue(command.parent, option) : undefined;
}
