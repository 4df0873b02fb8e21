import { type Command, Option } from 'commander';
import { ArgumentError } from '../../model/errors.js';
import { nearestWord } from '../../model/names/edit-distance.js';
import { MAX_SEED } from '../../model/seeded-random.js';
import type { RandomSeriesOptions } from '../actions/random-series.js';
import { addConnectionOptions, readConnection } from '../options/connection.js';
import { wholeNumberParser } from '../options/option-values.js';
import type { CommandContext } from '../terminal/io.js';

const GROUP = 'Without a command, write a random series as CSV:';

/** The specification's tool, on the command itself: a random series of a selection as a CSV file. */
export function addRandomSeriesTool(program: Command, context: CommandContext): void {
  const options = [
    new Option('--item <name>', 'item; the best search hit is used'),
    new Option('--metric <name>', 'metric; the best search hit is used'),
    new Option('--region <name>', 'region; the best search hit is used'),
    new Option('--partner_region <name>', 'partner region, as in trade'),
    new Option('--file <file>', 'CSV file; - is standard output').default('cropframe-output.csv'),
    new Option('--seed <n>', 'seed that repeats a choice').argParser(wholeNumberParser(0, MAX_SEED)),
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
    await writeRandomSeries(context, readConnection(command), chosen);
  });
}

/** The error for an unknown command word, which the parser passes to the program as its first argument. */
function unknownCommand(program: Command): ArgumentError {
  const word = program.args[0]!;
  const known = program.commands.map((one) => one.name());
  const nearest = nearestWord(word, known);
  const remedy =
    nearest === undefined ? `the commands are ${known.join(', ')}` : `did you mean "${nearest}"?`;
  return new ArgumentError('command', `there is no command "${word}"; ${remedy}`);
}
