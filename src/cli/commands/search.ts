import { Argument, type Command, Option } from 'commander';
import { SEARCHABLE_TYPES, type SearchableType } from '../../model/entity.js';
import type { SearchOptions } from '../actions/search.js';
import { addConnectionOptions, readConnection } from '../options/connection.js';
import { wholeNumberParser } from '../options/option-values.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
Examples:
  $ cropframe search items corn
  $ cropframe search regions new york --limit 3 --store farm.duckdb
  $ cropframe search metrics yield --json | jq '.[0].id'`;

/** `cropframe search`: entities by words, best first. */
export function addSearchCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('search')
    .summary('search for metrics, items, regions or sources')
    .description('Search for metrics, items, regions or sources by words, best hit first.')
    .addArgument(new Argument('<type>', 'type of entity').choices(SEARCHABLE_TYPES))
    .argument('<words...>', 'words of a name, in any order')
    .addOption(
      new Option('--limit <n>', 'maximum number of results')
        .argParser(wholeNumberParser(1, 1000))
        .default(10),
    )
    .option('--json', 'print the entities as JSON')
    .addHelpText('after', HELP);
  addConnectionOptions(command).action(
    async (type: SearchableType, words: string[], options: SearchOptions) => {
      const { searchEntities } = await import('../actions/search.js');
      await searchEntities(context, readConnection(command), { ...options, type, terms: words.join(' ') });
    },
  );
}
