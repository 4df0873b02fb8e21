import { FACETS, type FacetName } from '../../../model/selection.js';
import { selectionOf } from '../../choice/names.js';
import { noSeriesError } from '../../choice/series-choice.js';
import type { FACETS as COMMAND } from '../../commands/discovery.js';
import { withClient } from '../../connection/with-client.js';
import type { Given } from '../../options/flags.js';
import { NothingFoundError } from '../../terminal/exit-codes.js';
import { type CommandContext, note, writeJson } from '../../terminal/io.js';
import { type TextColumn, writeTable } from '../../terminal/text-table.js';

const COLUMNS: readonly TextColumn[] = [
  { title: 'facet' },
  { title: 'id', align: 'right' },
  { title: 'name' },
  { title: 'series', align: 'right' },
  { title: 'found as' },
];

export function listFacets(context: CommandContext, options: Given<typeof COMMAND.takes>): Promise<void> {
  const { text, in: names, limit, json } = options;
  return withClient(context, options, async (client) => {
    const selection = await selectionOf(context, client, options);
    const counted = await client.facets(selection, { text, in: names, limit, signal: context.signal });
    if (json === true) return writeJson(context.stdout, counted);
    const listed = FACETS.filter((name) => counted[name] !== undefined);
    const rows = listed.flatMap((name) =>
      counted[name].map(({ id, name: called, series, matched = '' }) => [
        ...[name.replace('_', ' '), String(id), called],
        ...[String(series), matched],
      ]),
    );
    if (rows.length === 0)
      throw text === undefined
        ? noSeriesError()
        : new NothingFoundError(`nothing with data found for "${text}"`);
    const isFound = rows.some(([, , , , matched]) => matched !== '');
    await writeTable(context, isFound ? COLUMNS : COLUMNS.slice(0, -1), rows);
    await noteOfMore(context, counted.more);
  });
}

function noteOfMore(
  context: CommandContext,
  more: Partial<Record<FacetName, number>>,
): Promise<void> | undefined {
  const others = FACETS.flatMap((name) =>
    more[name] ? [`${more[name].toLocaleString('en-US')} more ${name.replace('_', ' ')}`] : [],
  );
  if (others.length > 0)
    return note(context, `there are ${others.join(', ')}; use --limit or --text to see them`);
}
