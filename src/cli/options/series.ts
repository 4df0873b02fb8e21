import { type Command, Option } from 'commander';
import type { Check } from '../../model/arguments/checks.js';
import { FIELDS, POINT_FLAGS } from '../../model/arguments/fields.js';
import type { GetDfOptions } from '../../saved/get-df.js';
import { parseDate, parseNumber, parseShare, wholeNumberParser } from './option-values.js';

/** The flag of each word that selects series. */
const SELECTION_FLAGS = {
  metric: '--metric <name>',
  item: '--item <name>',
  region: '--region <name>',
  partner_region: '--partner_region <name>',
  source: '--source <name>',
  frequency: '--frequency <name>',
} as const;

type SelectionWord = keyof typeof SELECTION_FLAGS;

/** The words that select series, and a period. Each is a name to search for, or an id. */
export type SeriesWords = { readonly [Word in SelectionWord | 'start' | 'end']?: string | undefined };

/** The names of those options. */
export const SERIES_OPTIONS = [...Object.keys(SELECTION_FLAGS), 'start', 'end'] as (keyof SeriesWords)[];

/**
 * Adds the options that select series by words and a period, which means what `period` says. With `repeatable`, the metric,
 * item and region may be repeated.
 */
export function addSeriesOptions(
  command: Command,
  {
    repeatable = false,
    period = POINT_FLAGS,
  }: { repeatable?: boolean; period?: Pick<typeof POINT_FLAGS, 'start_date' | 'end_date'> } = {},
): Command {
  return addSelectionOptions(command, { repeatable })
    .addOption(fieldOption('--start <date>', period.start_date))
    .addOption(fieldOption('--end <date>', period.end_date));
}

const REPEATABLE: ReadonlySet<string> = new Set(['metric', 'item', 'region']);

/** Adds the options that select series by words alone. */
export function addSelectionOptions(command: Command, { repeatable = false } = {}): Command {
  for (const [word, flags] of Object.entries(SELECTION_FLAGS)) {
    const option = fieldOption(flags, FIELDS[word as SelectionWord]);
    command.addOption(repeatable && REPEATABLE.has(word) ? repeated(option) : option);
  }
  return command;
}

/** The option of a command for a parameter of an operation, whose meaning is its help. */
export function fieldOption(flags: string, { meaning, shape, choices, needed }: Check): Option {
  const option = new Option(flags, needed === true ? `${meaning} (required)` : meaning);
  option.makeOptionMandatory(needed === true);
  if (choices !== undefined) return option.choices(choices);
  const parse = parserOf(shape);
  return parse === undefined ? option : option.argParser(parse);
}

function parserOf(shape: Check['shape']): ((text: string) => unknown) | undefined {
  if (typeof shape === 'object') return wholeNumberParser(shape.min ?? 0, shape.max);
  if (shape === 'date') return parseDate;
  if (shape === 'number') return parseNumber;
  return shape === 'share' ? parseShare : undefined;
}

/** The parameters that the flags of a command set. */
export function parametersOf(
  flags: Readonly<Record<string, string>>,
  options: object,
): Readonly<Record<string, unknown>> {
  const values = options as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, values[new Option(flag).attributeName()]]),
  );
}

/** The option as one that collects the values of every use. */
export function repeated(option: Option): Option {
  const description = option.description.replace(/ \(required\)$/, '');
  option.description = `${description} ${option.mandatory ? '(required, repeatable)' : '(repeatable)'}`;
  const { parseArg = (text: string) => text } = option;
  const parse = parseArg as (text: string, before: undefined) => string;
  return option.argParser((text: string, before: readonly string[] = []) => [
    ...before,
    parse(text, undefined),
  ]);
}

/** The flag that sets each option of `getDf`. */
const RETRIEVAL_FLAGS = {
  at_time: '--at-time <date>',
  reporting_history: '--history',
  complete_history: '--complete-history',
  show_available_date: '--available-date',
  include_names: '--names',
} as const satisfies { readonly [Name in keyof GetDfOptions]?: string };

type Retrieval = Pick<GetDfOptions, keyof typeof RETRIEVAL_FLAGS>;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The property in which the parser puts the value of a flag. */
type PropertyOf<Flag extends string> = Flag extends `--${infer Name} <${string}>`
  ? CamelCase<Name>
  : Flag extends `--${infer Name}`
    ? CamelCase<Name>
    : never;

type RetrievalFlags = {
  readonly [Name in keyof Retrieval as PropertyOf<(typeof RETRIEVAL_FLAGS)[Name]>]?: Retrieval[Name];
};

/** The options of a retrieval, besides those that select its series. */
export interface RetrievalOptions extends RetrievalFlags {
  readonly unit?: readonly string[] | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly allowPartial?: boolean | undefined;
}

export function addRetrievalOptions(command: Command): Command {
  const names = Object.keys(RETRIEVAL_FLAGS) as (keyof Retrieval)[];
  const flags = names.map((name) => fieldOption(RETRIEVAL_FLAGS[name], FIELDS[name]));
  for (const option of [repeated(fieldOption('--unit <unit>', FIELDS.unit)), ...flags])
    command.addOption(option.helpGroup('Retrieval:'));
  return command;
}

/** The options of `getDf` that the flags of a command set. */
export function retrievalOf(options: RetrievalOptions): Retrieval {
  return parametersOf(RETRIEVAL_FLAGS, options);
}
