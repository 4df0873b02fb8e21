import type { Command } from 'commander';
import { storeOption } from '../options/connection.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
The check reads every point. It lists the sources of the store with what was imported, and looks for

  faults     ids without an entity, points without a series, counts that are not true
  mixtures   series that an older cropframe filled with figures of several names, such as canola and rapeseed

A source with mixtures is to be imported again into a new store: importing it again into this one adds the right figures, and
does not remove the wrong ones. The command exits with 1 when it finds anything.

Examples:
  $ cropframe store check --store farm.duckdb
  $ cropframe store check --store farm.duckdb --json`;

/** `cropframe store check`: what is in a store, and what is wrong with it. */
export function addStoreCommand(program: Command, context: CommandContext): void {
  const store = program.command('store').summary('check a store').description('Look after a store.');
  store
    .command('check')
    .summary('list the sources of a store, and what is wrong')
    .description('List the sources of a store, and find what is wrong with them.')
    .addOption(storeOption())
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', HELP)
    .action(async (options: { store: string; json?: boolean | undefined }) => {
      const { checkStoreFile } = await import('../actions/store.js');
      await checkStoreFile(context, options.store, options);
    });
}
