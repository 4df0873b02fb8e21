import { Argument, type Command, Option } from 'commander';
import type { Client } from '../../create-client.js';
import { type EntityOf, REGION_LEVELS, SEARCHABLE_TYPES, type SearchableType } from '../../model/entity.js';
import { addConnectionOptions, connectionOf, withClient } from '../options/connection.js';
import { wholeNumber } from '../options/option-values.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, writeJson } from '../terminal/io.js';
import { type TextColumn, writeTable } from '../terminal/text-table.js';

interface SearchOptions {
  limit: number;
  json?: boolean | undefined;
}

type Found = EntityOf[SearchableType];

const HELP = `
Examples:
  $ cropframe search items corn
  $ cropframe search regions new york --limit 3 --store farm.duckdb
  $ cropframe search metrics yield --json | jq '.[0].id'`;

/** `cropframe search`: entities by words, best first. */
export function addSearchCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('search')
    .summary('find metrics, items, regions or sources by words')
    .description('Find metrics, items, regions or sources by words, best first.')
    .addArgument(new Argument('<type>', 'what is searched').choices(SEARCHABLE_TYPES))
    .argument('<words...>', 'words of a name, in any order')
    .addOption(new Option('--limit <n>', 'most results').argParser(wholeNumber(1, 1000)).default(10))
    .option('--json', 'print the entities as JSON')
    .addHelpText('after', HELP);
  addConnectionOptions(command).action((type: SearchableType, words: string[], options: SearchOptions) =>
    withClient(context, connectionOf(command), async (client) => {
      const terms = words.join(' ');
      const found: Found[] = [];
      const limits = { num_results: options.limit, signal: context.signal };
      for await (const entity of client.searchAndLookup(type, terms, limits)) found.push(entity);
      if (found.length === 0) throw new NothingFoundError(`nothing among the ${type} is called "${terms}"`);
      if (options.json === true) return writeJson(context.stdout, found);
      await writeTable(context, COLUMNS[type], await rowsOf(client, found, { type, signal: context.signal }));
    }),
  );
}

const ID: TextColumn = { title: 'id', align: 'right' };
const DESCRIBED: readonly TextColumn[] = [ID, { title: 'name' }, { title: 'definition' }];
const COLUMNS: Readonly<Record<SearchableType, readonly TextColumn[]>> = {
  metrics: DESCRIBED,
  items: DESCRIBED,
  regions: [ID, { title: 'name' }, { title: 'level' }, { title: 'in' }],
  sources: [ID, { title: 'name' }, { title: 'long name' }, { title: 'licence' }],
};

async function rowsOf(
  client: Client,
  found: readonly Found[],
  { type, signal }: { type: SearchableType; signal: AbortSignal },
): Promise<string[][]> {
  const wanted = type === 'regions' ? found.flatMap((one) => ('belongsTo' in one ? one.belongsTo : [])) : [];
  const parents = await client.lookup('regions', wanted, { signal });
  return found.map((one) => {
    const shown = [String(one.id), one.name];
    if ('longName' in one) return [...shown, one.longName, one.licence];
    if (!('level' in one)) return [...shown, withoutMarkup(one.definition)];
    const containers = one.belongsTo.map((id) => parents[id]?.name ?? String(id));
    return [...shown, levelName(one), containers.join(', ')];
  });
}

function levelName({ level, historical }: EntityOf['regions']): string {
  const name = Object.entries(REGION_LEVELS).find(([, known]) => known === level)?.[0] ?? String(level);
  return historical ? `${name}, historical` : name;
}

function withoutMarkup(definition: string): string {
  return definition.replace(/<[^>]*>/g, '');
}
