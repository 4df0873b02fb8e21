import type { Command } from 'commander';
import type { UnitsOptions } from '../actions/units.js';
import { addConnectionOptions, readConnection } from '../options/connection.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
A value converts to the base unit of its dimension by  base = value × factor + offset.

Example:
  $ cropframe units --metric yield --item corn`;

/** `cropframe units`: the units of a metric. */
export function addUnitsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('units')
    .summary('list the units of a metric')
    .description('List the units that values of a metric, or of a metric and an item, can be converted to.')
    .requiredOption('--metric <name>', 'metric, such as Yield; a name or an id (required)')
    .option('--item <name>', 'item, such as Corn; a name or an id')
    .option('--json', 'print the units as JSON')
    .addHelpText('after', HELP);
  addConnectionOptions(command).action(async (options: UnitsOptions) => {
    const { listUnits } = await import('../actions/units.js');
    await listUnits(context, readConnection(command), options);
  });
}
