import type { Command } from 'commander';
import type { UnitsOptions } from '../../actions/discovery/units.js';
import { addConnectionOptions, readConnection } from '../../options/connection.js';
import type { CommandContext } from '../../terminal/io.js';

const HELP = `
A value converts to the base unit of its dimension by  base = value × factor + offset.
Only units of one dimension convert into each other.

Examples:
  $ cropframe units
  $ cropframe units --metric yield --item corn`;

/** `cropframe units`: every unit, or the units of a metric. */
export function addUnitsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('units')
    .summary('list units')
    .description(
      'List every unit, or those that values of a metric, or of a metric and an item, can be converted to.',
    )
    .option('--metric <name>', 'metric, such as Yield; a name or an id')
    .option('--item <name>', 'item, such as Corn; a name or an id; needs --metric')
    .option('--json', 'print the units as JSON')
    .addHelpText('after', HELP);
  addConnectionOptions(command).action(async (options: UnitsOptions) => {
    const { listUnits } = await import('../../actions/discovery/units.js');
    await listUnits(context, readConnection(command), options);
  });
}
