import { type Command, Option } from 'commander';
import { FIELDS } from '../../model/arguments/fields.js';
import type { GetDfOptions } from '../../saved/get-df.js';
import { fieldOption } from './series.js';

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
  readonly unit?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly allowPartial?: boolean | undefined;
}

export function addRetrievalOptions(command: Command): Command {
  const unit = new Option('--unit <unit>', 'unit to convert all values to; an abbreviation, a name or an id');
  for (const option of [unit, ...retrievalFlags().values()])
    command.addOption(option.helpGroup('Retrieval:'));
  return command;
}

/** The options of `getDf` that the flags of a command set. */
export function retrievalOf(options: RetrievalOptions): Retrieval {
  const values = [...retrievalFlags()].map(([name, option]) => [
    name,
    options[option.attributeName() as keyof RetrievalFlags],
  ]);
  return Object.fromEntries(values) as Retrieval;
}

function retrievalFlags(): Map<string, Option> {
  const flags = Object.entries(RETRIEVAL_FLAGS) as [keyof Retrieval, string][];
  return new Map(flags.map(([name, flag]) => [name, fieldOption(flag, FIELDS[name])]));
}
