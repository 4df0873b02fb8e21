import { Argument, type Command, Option } from 'commander';
import { SEARCHABLE_TYPES, type SearchableType } from '../../../model/entity.js';
import type { SearchOptions } from '../../actions/discovery/search.js';
import { addConnectionOptions, readConnection } from '../../options/connection.js';
import { wholeNumberParser } from '../../options/option-values.js';
import type { CommandContext } from '../../terminal/io.js';

const HELP = `
With "all", at most 100 entities of all types are listed, those that have series first.

Examples:
  $ cropframe search all corn
  $ cropframe search items corn
  $ cropframe search regions new york --limit 3 --store farm.duckdb
  $ cropframe search metrics yield --json | jq '.[0].id'`;

/** `cropframe search`: entities by words, best first. */
export function addSearchCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('search')
    .summary('search for metrics, items, regions or sources')
    .description(
      'Search for metrics, items, regions or sources by words, best hit first, with the number of their series.',
    )
    .addArgument(new Argument('<type>', 'type of entity').choices([...SEARCHABLE_TYPES, 'all']))
    .argument('<words...>', 'words of a name, in any order')
    .addOption(
      new Option('--limit <n>', 'maximum number of results')
        .argParser(wholeNumberParser(1, 1000))
        .default(10),
    )
    .option('--json', 'print the entities as JSON')
    .addHelpText('after', HELP);
  addConnectionOptions(command).action(
    async (type: SearchableType | 'all', words: string[], options: SearchOptions) => {
      const terms = words.join(' ');
      if (type === 'all') {
        const { searchAll } = await import('../../actions/discovery/search-all.js');
        return searchAll(context, readConnection(command), { ...options, terms });
      }
      const { searchEntities } = await import('../../actions/discovery/search.js');
      await searchEntities(context, readConnection(command), { ...options, type, terms });
    },
  );
}
