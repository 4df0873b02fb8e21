import { type Command, Option } from 'commander';
import type { Check } from '../../model/arguments/checks.js';
import { FIELDS, POINT_FLAGS } from '../../model/arguments/fields.js';
import { parseDate } from './option-values.js';

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
export const SERIES_WORDS = [...Object.keys(SELECTION_FLAGS), 'start', 'end'] as (keyof SeriesWords)[];

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
export function fieldOption(flags: string, { meaning, shape, choices }: Check): Option {
  const option = new Option(flags, meaning);
  if (choices !== undefined) return option.choices(choices);
  return shape === 'date' ? option.argParser(parseDate) : option;
}

/** The option as one that collects the values of every use. */
export function repeated(option: Option): Option {
  option.description += option.mandatory ? ' (required, repeatable)' : ' (repeatable)';
  const { parseArg = (text: string) => text } = option;
  const parse = parseArg as (text: string, before: undefined) => string;
  return option.argParser((text: string, before: readonly string[] = []) => [
    ...before,
    parse(text, undefined),
  ]);
}
