import type { Command } from 'commander';
import type { Client } from '../../create-client.js';
import { unitsOf } from '../choice/unit-choice.js';
import { addConnectionOptions, connectionOf, withClient } from '../options/connection.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, writeJson } from '../terminal/io.js';
import { type TextColumn, writeTable } from '../terminal/text-table.js';

interface UnitsOptions {
  readonly metric: string;
  readonly item?: string | undefined;
  readonly json?: boolean | undefined;
}

const HELP = `
A value in the unit converts to the base unit of its kind by  base = value × factor + offset.

Example:
  $ cropframe units --metric yield --item corn`;

const COLUMNS: readonly TextColumn[] = [
  { title: 'id', align: 'right' },
  { title: 'abbreviation' },
  { title: 'name' },
  { title: 'factor', align: 'right' },
  { title: 'offset', align: 'right' },
];

/** `cropframe units`: what a metric can be had in. */
export function addUnitsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('units')
    .summary('list the units that a metric can be had in')
    .description('List the units that a metric, of an item, can be had in.')
    .requiredOption('--metric <name>', 'a name or an id')
    .option('--item <name>', 'a name or an id')
    .option('--json', 'print the units as JSON')
    .addHelpText('after', HELP);
  addConnectionOptions(command).action(({ metric, item, json }: UnitsOptions) =>
    withClient(context, connectionOf(command), async (client) => {
      const { signal } = context;
      const metric_id = await idOf(client, 'metrics', { word: metric, signal });
      const of = item === undefined ? {} : { item_id: await idOf(client, 'items', { word: item, signal }) };
      const units = await unitsOf(client, [{ metric_id, ...of }], signal);
      if (units.length === 0) throw new NothingFoundError('there is no data of it, and so no unit');
      if (json === true) return writeJson(context.stdout, units);
      const rows = units.map(({ id, abbreviation, name, baseConvFactor: { factor, offset } }) => [
        String(id),
        abbreviation,
        name,
        factor === undefined || factor === 0 ? 'not convertible' : String(factor),
        String(offset ?? 0),
      ]);
      await writeTable(context, COLUMNS, rows);
    }),
  );
}

async function idOf(
  client: Client,
  type: 'metrics' | 'items',
  { word, signal }: { word: string; signal: AbortSignal },
): Promise<number> {
  if (/^\d+$/.test(word)) return Number(word);
  const id = await client.searchForEntity(type, word, { signal });
  if (id === undefined) throw new NothingFoundError(`nothing among the ${type} is called "${word}"`);
  return id;
}
