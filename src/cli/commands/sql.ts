import type { Command } from 'commander';
import { storeOption } from '../options/connection.js';
import { addFrameOutputOptions, type FrameOutputOptions } from '../options/frame-output.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
Views: data, history, series, regions, units, sources. Macros: as_of(date), convert(value, unit, unit).
The query is in the SQL of DuckDB: it reads the file alone, and reaches no other file and no network.
A store on ClickHouse servers takes their SQL, with the rights of their user. A query writes nothing.
Without a query, a terminal shows a prompt, which completes names with the Tab key; a query ends with a semicolon, and
.exit leaves. Without a terminal, the query is read from standard input.

Examples:
  $ cropframe sql "SELECT item, count(*) AS points FROM data GROUP BY ALL" --store farm.duckdb
  $ cropframe sql "FROM as_of('2020-06-30') WHERE item = 'Corn'" --store farm.duckdb --out corn.parquet
  $ cropframe sql --store farm.duckdb`;

/** `cropframe sql`: questions to a store. */
export function addSqlCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('sql')
    .summary('ask a store in SQL')
    .description('Ask a store in SQL, which names its series, regions and units.')
    .argument('[query]', 'a query (default: a prompt, or standard input)')
    .addOption(storeOption());
  addFrameOutputOptions(command)
    .addHelpText('after', HELP)
    .action(async (query: string | undefined, options: FrameOutputOptions & { store: string }) => {
      const { askStore } = await import('../actions/sql.js');
      await askStore(context, { query, ...options });
    });
}
