import { type Command, Option } from 'commander';
import type { UpdateCommandOptions } from '../actions/update.js';
import { storeOption } from '../options/connection.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
The store remembers what "cropframe import" fetched into it: data set, request, addresses and options. An update asks for
each file with its ETag, fetches those that are newer, and imports them into a copy of the store, which takes its place
at the end: if one data set cannot be fetched or imported, the store stays as it was. A service goes on serving what it
opened; start it again to serve the update. A store in ClickHouse is not copied: each data set is imported whole or not at
all, and services see it at once.

For cron: the exit code is 0 when the store is up to date, 1 when it could not be updated, 3 when it remembers nothing.

Examples:
  $ cropframe update --store farm.duckdb
  $ cropframe update --store farm.duckdb --list
  $ cropframe update --store farm.duckdb --forget "wasde 2012-05..2013-01"
  0 6 * * *  cropframe update --store /data/farm.duckdb --quiet`;

/** `cropframe update`: what is newer of all that was fetched into a store. */
export function addUpdateCommand(program: Command, context: CommandContext): void {
  program
    .command('update')
    .summary('fetch what is newer into a store')
    .description('Fetch what is newer of all that was fetched into a store before, all or nothing.')
    .addOption(storeOption())
    .addOption(new Option('--list', 'list what the store remembers, and fetch nothing'))
    .addOption(new Option('--forget <fetch>', 'forget what --list shows as this; its points stay'))
    .addOption(new Option('--quiet', 'print nothing unless something changed'))
    .addOption(
      new Option('--mirror <url>', 'fetch from a mirror of the agencies’ files (env: CROPFRAME_MIRROR)'),
    )
    .addOption(
      new Option(
        '--rejects <file>',
        'file for rejected rows (default: <store>.rejects.csv; updates.rejects.csv for ClickHouse)',
      ),
    )
    .addOption(new Option('--json', 'print the result as JSON'))
    .addHelpText('after', HELP)
    .action(async (options: UpdateCommandOptions) => {
      const { forgetFetch, listFetches, updateStore } = await import('../actions/update.js');
      if (options.forget !== undefined) return forgetFetch(context, options, options.forget);
      await (options.list === true ? listFetches : updateStore)(context, options);
    });
}
