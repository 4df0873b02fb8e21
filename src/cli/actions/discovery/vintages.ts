import type { VintageDate } from '../../../client/facets.js';
import { selectionOf } from '../../choice/names.js';
import { noSeriesError } from '../../choice/series-choice.js';
import type { VINTAGES } from '../../commands/discovery.js';
import { withClient } from '../../connection/with-client.js';
import type { Given } from '../../options/flags.js';
import { type CommandContext, note, writeJson } from '../../terminal/io.js';
import { type TextColumn, writeTable } from '../../terminal/text-table.js';

const COLUMNS: readonly TextColumn[] = [
  { title: 'date', whole: true },
  { title: 'became available', align: 'right' },
  { title: 'reported', align: 'right' },
];

export function listVintages(context: CommandContext, options: Given<typeof VINTAGES.takes>): Promise<void> {
  const { limit, json } = options;
  return withClient(context, options, async (client) => {
    const selection = await selectionOf(context, client, options);
    const found = await client.vintages(selection, { limit, signal: context.signal });
    if (found.series === 0) throw noSeriesError();
    if (json === true) return writeJson(context.stdout, found);
    await writeTable(context, COLUMNS, rowsOf(found.available_dates, found.reporting_dates));
    const { available_dates, reporting_dates } = found.more;
    if (available_dates + reporting_dates > 0) {
      const earlier = `${available_dates} earlier available and ${reporting_dates} earlier reporting dates`;
      await note(context, `there are ${earlier}; use --limit to see them`);
    }
  });
}

/** A row for each date, with the points of each kind. */
function rowsOf(available: readonly VintageDate[], reporting: readonly VintageDate[]): string[][] {
  const rows = new Map<string, [available: number, reported: number]>();
  for (const { date, points } of available) rows.set(date, [points, 0]);
  for (const { date, points } of reporting) rows.set(date, [rows.get(date)?.[0] ?? 0, points]);
  const shown = (points: number) => (points === 0 ? '' : String(points));
  return [...rows].sort().map(([date, [first, second]]) => [dateText(date), shown(first), shown(second)]);
}

function dateText(date: string): string {
  return date.endsWith('T00:00:00.000Z') ? date.slice(0, 10) : date;
}
