import { type Command, Option } from 'commander';
import type { McpOptions } from '../actions/mcp.js';
import { addConnectionOptions, readConnection } from '../options/connection.js';
import { wholeNumberParser } from '../options/option-values.js';
import { repeated } from '../options/series.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
Assistants start the command themselves, and speak the Model Context Protocol over its standard input and output. With
--http it answers at /mcp until Ctrl-C. The tools search names, find series, get points, compute degree days and crop
weights, and draw charts; none changes data. It needs the package @modelcontextprotocol/sdk.

With --listen on an address of other machines, requests need the token in $CROPFRAME_MCP_TOKEN.

Examples:
  $ cropframe mcp --store farm.duckdb
  $ cropframe mcp --host https://data.example.org --http --port 8471`;

/** `cropframe mcp`: the data as tools for assistants. */
export function addMcpCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('mcp')
    .summary('serve a store or a service to assistants')
    .description('Serve a store or a service to assistants, by the Model Context Protocol.')
    .option('--http', 'serve over HTTP, not over standard input and output')
    .addOption(
      new Option('--port <n>', 'with --http: port to listen on; 0 picks a free port')
        .argParser(wholeNumberParser(0, 65_535))
        .default(8471),
    )
    .option('--listen <address>', 'with --http: address to listen on', '127.0.0.1')
    .addOption(
      repeated(
        new Option('--allowed-host <host>', 'with --http: another host name that requests may be for'),
      ),
    )
    .addHelpText('after', HELP);
  addConnectionOptions(command).action(async (options: McpOptions) => {
    const { serveMcp } = await import('../actions/mcp.js');
    await serveMcp(context, readConnection(command), options);
  });
}
