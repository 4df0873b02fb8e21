import { toRows } from '../../../frame/formats/rows.js';
import type { FrameRow } from '../../../frame/table/row-reader.js';
import { selectionOf } from '../../choice/names.js';
import { noSeriesError } from '../../choice/series-choice.js';
import type { LIST } from '../../commands/discovery.js';
import { withClient } from '../../connection/with-client.js';
import { csvOptionsOf } from '../../options/flag-groups.js';
import type { Given } from '../../options/flags.js';
import type { CommandContext } from '../../terminal/io.js';
import { clearProgress, progressOptions } from '../../terminal/io.js';
import { type TextColumn, writeTable } from '../../terminal/text-table.js';
import { type Frame, outputFormat, writeFrame } from '../../terminal/write-frame.js';

/** @throws NothingFoundError when there are no such series */
export function listCatalogue(context: CommandContext, options: Given<typeof LIST.takes>): Promise<void> {
  const format = outputFormat(context, options);
  return withClient(context, options, async (client) => {
    const selection = await selectionOf(context, client, options);
    const table = await client
      .catalogue(selection, progressOptions(context))
      .finally(() => clearProgress(context));
    if (table.numRows === 0) throw noSeriesError();
    if (format === 'display') return writeTable(context, COLUMNS, textRows(table));
    await writeFrame(context, table, { format, out: options.out, ...csvOptionsOf(options) });
  });
}

const COLUMNS: readonly TextColumn[] = [
  { title: 'source' },
  { title: 'metric' },
  { title: 'item' },
  { title: 'frequency' },
  { title: 'level' },
  { title: 'regions', align: 'right' },
  { title: 'series', align: 'right' },
  { title: 'from', whole: true },
  { title: 'to', whole: true },
];

function textRows(table: Frame): string[][] {
  return toRows(table).map((row) => [
    ...['source_name', 'metric_name', 'item_name', 'frequency_name'].map((name) => text(row, name)),
    text(row, 'region_level_name') || text(row, 'region_level'),
    ...[text(row, 'regions'), text(row, 'series')],
    ...['start_date', 'end_date'].map((name) => text(row, name).slice(0, 10)),
  ]);
}

function text(row: FrameRow, name: string): string {
  return String(row[name] ?? '');
}
