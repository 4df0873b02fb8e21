import { type Command, Option } from 'commander';
import { seriesKeyText } from '../../model/series.js';
import {
  addNarrowingOptions,
  type FoundSeries,
  findSeries,
  nothingFound,
  type SeriesWords,
} from '../choice/series-choice.js';
import { frequencyName } from '../choice/series-text.js';
import { addConnectionOptions, connectionOf, withClient } from '../options/connection.js';
import { wholeNumber } from '../options/option-values.js';
import { type CommandContext, remark, writeJson } from '../terminal/io.js';
import { type TextColumn, writeTable } from '../terminal/text-table.js';

interface FindOptions extends SeriesWords {
  limit: number;
  json?: boolean | undefined;
}

const HELP = `
Series come in the order of the names' hits; those of one combination by how much of the period from --start to --end
they cover (without these, of the longest of them), then by their number of points, then the more recent. The key in
the first column is what "cropframe points --series KEY" and "cropframe df --series KEY" take.

Examples:
  $ cropframe find --item "Temperature max" --region Seattle
  $ cropframe find --metric yield --item corn --start 2005-01-01 --json > series.json`;

/** `cropframe find`: series by names, with the figures that ordered them. */
export function addFindCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('find')
    .summary('find data series, best covered first')
    .description('Find data series by what they are about, best covered first.')
    .option('--metric <name>', 'how it is measured; a name or an id')
    .option('--item <name>', 'what is measured; a name or an id')
    .option('--region <name>', 'where; a name or an id');
  addNarrowingOptions(command)
    .addOption(new Option('--limit <n>', 'most series').argParser(wholeNumber(1)).default(20))
    .option('--json', 'print the series as JSON, with their coverage')
    .addHelpText('after', HELP);
  addConnectionOptions(command).action((options: FindOptions) =>
    withClient(context, connectionOf(command), async (client) => {
      const found: FoundSeries[] = [];
      let more = false;
      for await (const series of findSeries(client, options, context.signal)) {
        more = found.length === options.limit;
        if (more) break;
        found.push(series);
      }
      if (found.length === 0) throw await nothingFound(client, options, context.signal);
      if (options.json === true) return writeJson(context.stdout, found);
      await writeSeries(context, found);
      if (more) await remark(context, '… there are more; --limit shows them');
    }),
  );
}

const COLUMNS: readonly TextColumn[] = [
  { title: 'series', whole: true },
  { title: 'metric' },
  { title: 'item' },
  { title: 'region' },
  { title: 'source' },
  { title: 'frequency' },
  { title: 'from', whole: true },
  { title: 'to', whole: true },
  { title: 'points', align: 'right' },
  { title: 'covered', align: 'right' },
];

function writeSeries(context: CommandContext, found: readonly FoundSeries[]): Promise<void> {
  const withPartner = found.some(({ partner_region_id }) => partner_region_id !== 0);
  const columns = withPartner ? [...COLUMNS.slice(0, 4), { title: 'partner' }, ...COLUMNS.slice(4)] : COLUMNS;
  const rows = found.map((series) => {
    const { coverage } = series;
    const partner = series.partner_region_name ?? String(series.partner_region_id);
    return [
      seriesKeyText(series),
      series.metric_name ?? String(series.metric_id),
      series.item_name ?? String(series.item_id),
      series.region_name ?? String(series.region_id),
      ...(withPartner ? [partner] : []),
      series.source_name ?? String(series.source_id),
      frequencyName(series),
      series.start_date.slice(0, 10),
      series.end_date.slice(0, 10),
      String(coverage.points),
      `${(coverage.share * 100).toFixed(1)} %`,
    ];
  });
  return writeTable(context, columns, rows);
}
