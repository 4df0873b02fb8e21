import { type Command, Option } from 'commander';
import { FREQUENCIES } from '../../model/frequency.js';
import { parseDate } from './option-values.js';

/** The words that select series. Each is a name to search for, or an id. */
export interface SeriesWords {
  readonly metric?: string | undefined;
  readonly item?: string | undefined;
  readonly region?: string | undefined;
  readonly partner_region?: string | undefined;
  readonly source?: string | undefined;
  readonly frequency?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/** The names of those options. */
export const SERIES_WORDS: (keyof SeriesWords)[] = [
  'metric',
  'item',
  'region',
  'partner_region',
  'source',
  'frequency',
  'start',
  'end',
];

/** Adds the options that select series by words and a period. With `repeatable`, the metric, item and region may be repeated. */
export function addSeriesOptions(command: Command, { repeatable = false } = {}): Command {
  return addSelectionOptions(command, { repeatable })
    .addOption(new Option('--start <date>', 'start of the period').argParser(parseDate))
    .addOption(new Option('--end <date>', 'end of the period').argParser(parseDate));
}

/** Adds the options that select series by words alone. */
export function addSelectionOptions(command: Command, { repeatable = false } = {}): Command {
  const names = [
    new Option('--metric <name>', 'metric, such as Yield; a name or an id'),
    new Option('--item <name>', 'item, such as Corn; a name or an id'),
    new Option('--region <name>', 'region; a name or an id'),
  ];
  for (const option of names) command.addOption(repeatable ? repeated(option) : option);
  return command
    .option('--partner_region <name>', 'partner region, as in trade; a name or an id')
    .option('--source <name>', 'source; part of its name, or its id')
    .addOption(new Option('--frequency <name>', 'frequency').choices(FREQUENCIES.map(({ name }) => name)));
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
