import { type Command, Option } from 'commander';
import { parseDate } from './option-values.js';

/** The options of a retrieval, besides those that select its series. */
export interface RetrievalOptions {
  readonly unit?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly atTime?: string | undefined;
  readonly history?: boolean | undefined;
  readonly completeHistory?: boolean | undefined;
  readonly availableDate?: boolean | undefined;
  readonly names?: boolean | undefined;
  readonly allowPartial?: boolean | undefined;
}

export function addRetrievalOptions(command: Command): Command {
  const options = [
    new Option('--unit <unit>', 'unit to convert all values to; an abbreviation, a name or an id'),
    atTimeOption(),
    new Option('--history', 'every reporting date of each period, not only the latest'),
    new Option('--complete-history', 'every vintage of every value'),
    new Option('--available-date', 'add the date on which each value became available'),
    new Option('--names', 'add the names of metric, item, region, source and unit to each row'),
  ];
  for (const option of options) command.addOption(option.helpGroup('Retrieval:'));
  return command;
}

export function atTimeOption(): Option {
  return new Option('--at-time <date>', 'only data that was available at this time').argParser(parseDate);
}
