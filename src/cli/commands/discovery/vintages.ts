import { type Command, Option } from 'commander';
import type { VintagesOptions } from '../../actions/discovery/vintages.js';
import { addConnectionOptions, readConnection } from '../../options/connection.js';
import { wholeNumberParser } from '../../options/option-values.js';
import { addSelectionOptions } from '../../options/series.js';
import type { CommandContext } from '../../terminal/io.js';

const HELP = `
What is known changes on the dates on which points became available: give one of them as --at-time to "cropframe points".
Without --partner_region, series of partner regions are left out, as by "cropframe points".

Examples:
  $ cropframe vintages --item corn --metric yield --region iowa
  $ cropframe vintages --source wasde --json --store farm.duckdb`;

/** `cropframe vintages`: the dates on which points became available, and were reported. */
export function addVintagesCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('vintages')
    .summary('list the dates on which points became available')
    .description('List the dates on which points of a selection became available, and were reported.');
  addSelectionOptions(command, { repeatable: true })
    .addOption(
      new Option('--limit <n>', 'maximum number of dates of each kind; the latest are listed')
        .argParser(wholeNumberParser(1, 10_000))
        .default(1_000),
    )
    .option('--json', 'print the dates as JSON')
    .addHelpText('after', HELP);
  addConnectionOptions(command).action(async (options: VintagesOptions) => {
    const { listVintages } = await import('../../actions/discovery/vintages.js');
    await listVintages(context, readConnection(command), options);
  });
}
