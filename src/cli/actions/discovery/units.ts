import type { Client } from '../../../create-client.js';
import type { Unit } from '../../../model/entity.js';
import { ArgumentError } from '../../../model/errors.js';
import { listAllowedUnits } from '../../../saved/unit-choice.js';
import { resolveWord, warnOfNames } from '../../choice/names.js';
import type { UNITS } from '../../commands/discovery.js';
import { withClient } from '../../connection/with-client.js';
import type { Given } from '../../options/flags.js';
import { NothingFoundError } from '../../terminal/exit-codes.js';
import { type CommandContext, writeJson } from '../../terminal/io.js';
import { type TextColumn, writeTable } from '../../terminal/text-table.js';

type UnitsOptions = Given<typeof UNITS.takes>;

const COLUMNS: readonly TextColumn[] = [
  { title: 'id', align: 'right' },
  { title: 'abbreviation' },
  { title: 'name' },
  { title: 'dimension' },
  { title: 'factor', align: 'right' },
  { title: 'offset', align: 'right' },
];

export function listUnits(context: CommandContext, options: UnitsOptions): Promise<void> {
  return withClient(context, options, async (client) => {
    const units = await unitsOf(context, client, options);
    if (options.json === true) return writeJson(context.stdout, units);
    const rows = units.map(({ id, abbreviation, name, dimension, baseConvFactor: { factor, offset } }) => [
      String(id),
      abbreviation,
      name,
      dimension ?? '',
      factor === undefined || factor === 0 ? 'not convertible' : String(factor),
      String(offset ?? 0),
    ]);
    await writeTable(context, COLUMNS, rows);
  });
}

/** Every unit, or those of a metric and an item. @throws NothingFoundError when these have no data */
async function unitsOf(
  context: CommandContext,
  client: Client,
  { metric, item }: UnitsOptions,
): Promise<Unit[]> {
  const { signal } = context;
  if (metric === undefined) {
    if (item === undefined) return client.listUnits({ signal });
    throw new ArgumentError('metric', 'metric: --item needs a metric too; give --metric');
  }
  const [ofMetric, ofItem] = await Promise.all([
    resolveWord(client, 'metrics', { requested: metric, signal }),
    item === undefined ? undefined : resolveWord(client, 'items', { requested: item, signal }),
  ]);
  await warnOfNames(context, [{ matched: { metric: ofMetric, item: ofItem } }]);
  const units = await listAllowedUnits(client, [{ metric_id: ofMetric.id, item_id: ofItem?.id }], signal);
  if (units.length > 0) return units;
  throw new NothingFoundError('there is no data for this metric and item, so there are no units');
}
