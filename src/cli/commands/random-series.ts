import { type Command, Option } from 'commander';
import type { RandomSeriesOptions } from '../actions/random-series.js';
import { MAX_SEED } from '../choice/seeded-random.js';
import { addConnectionOptions, connectionOf } from '../options/connection.js';
import { wholeNumber } from '../options/option-values.js';
import type { CommandContext } from '../terminal/io.js';
import { unknownCommand } from './unknown-command.js';

const GROUP = 'Without a command, write a random series as CSV:';

/** The specification's tool, on the command itself: a random series of a selection as a CSV file. */
export function addRandomSeriesTool(program: Command, context: CommandContext): void {
  const options = [
    new Option('--item <name>', 'item; the best search hit is used'),
    new Option('--metric <name>', 'metric; the best search hit is used'),
    new Option('--region <name>', 'region; the best search hit is used'),
    new Option('--partner_region <name>', 'partner region, as in trade'),
    new Option('--file <file>', 'CSV file; - is standard output').default('cropframe-output.csv'),
    new Option('--seed <n>', 'seed that repeats a choice').argParser(wholeNumber(0, MAX_SEED)),
    new Option('--json', 'print the chosen series and the seed as JSON'),
    new Option('--user_email <email>', 'user to sign in as, if there is no token'),
    new Option('--user_password <password>', 'password of the user (default: prompt without echo)'),
    new Option('--print_token', 'print the access token and exit'),
  ];
  for (const option of options) program.addOption(option.helpGroup(GROUP));
  addConnectionOptions(program);
  program.action(async (chosen: RandomSeriesOptions, command: Command) => {
    if (command.args.length > 0) throw unknownCommand(command);
    const { writeRandomSeries } = await import('../actions/random-series.js');
    await writeRandomSeries(context, connectionOf(command), chosen);
  });
}
