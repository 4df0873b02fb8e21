import type { Command } from 'commander';
import type { ListOptions } from '../../actions/discovery/list.js';
import { addConnectionOptions, readConnection } from '../../options/connection.js';
import { addFrameOutputOptions } from '../../options/frame-output.js';
import { addSelectionOptions } from '../../options/series.js';
import type { CommandContext } from '../../terminal/io.js';

const HELP = `
One line for each source, metric, item, frequency and level of region that has series, with their number and their first
and last date. In a file or a pipe there are ids and numbers of points too. "cropframe find" lists single series.

Examples:
  $ cropframe list --store farm.duckdb
  $ cropframe list --item corn --json
  $ cropframe list --source "USDA NASS" --out catalogue.parquet`;

/** `cropframe list`: what there is. */
export function addListCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('list')
    .summary('list what there is, by source, metric, item, frequency and level of region')
    .description('List what there is, by source, metric, item, frequency and level of region.');
  addSelectionOptions(command, { repeatable: true });
  addFrameOutputOptions(command).addHelpText('after', HELP);
  addConnectionOptions(command).action(async (options: ListOptions) => {
    const { listCatalogue } = await import('../../actions/discovery/list.js');
    await listCatalogue(context, readConnection(command), options);
  });
}
