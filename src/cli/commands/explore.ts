import { type Command, Option } from 'commander';
import type { ExploreOptions } from '../actions/explore.js';
import { readConnection } from '../options/connection.js';
import { wholeNumberParser } from '../options/option-values.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
With --store, a service for this machine alone runs until Ctrl-C, without access tokens. With --host, the page of that
service opens; where it needs a login, the page asks for it.

Examples:
  $ cropframe explore --store farm.duckdb
  $ cropframe explore --host https://data.example.org`;

/** `cropframe explore`: the page of a store or of a service, in a browser. */
export function addExploreCommand(program: Command, context: CommandContext): void {
  program
    .command('explore')
    .summary('look at a store or a service in a browser')
    .description('Find, draw and download series in a browser.')
    .option('--store <file>', 'store file to look at')
    .option('--host <url>', 'URL of the service to look at (default: $CROPFRAME_HOST, else this machine)')
    .addOption(
      new Option('--port <n>', 'with --store: port to listen on (default: any free port)').argParser(
        wholeNumberParser(0, 65_535),
      ),
    )
    .option('--no-open', 'print the URL only')
    .addHelpText('after', HELP)
    .action(async (options: ExploreOptions, command: Command) => {
      const { explore } = await import('../actions/explore.js');
      await explore(context, { ...options, ...readConnection(command) });
    });
}
