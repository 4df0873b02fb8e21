import type { ExplainedSeries } from '../../../client/discovery/find-series.js';
import { seriesKeyText } from '../../../model/series.js';
import { takenByAll, warnOfNames } from '../../choice/names.js';
import { findSeries, nothingFoundError } from '../../choice/series-choice.js';
import { frequencyName } from '../../choice/series-text.js';
import { withClient } from '../../connection/with-client.js';
import type { ConnectionOptions } from '../../options/connection.js';
import type { SeriesWords } from '../../options/series.js';
import { type CommandContext, note, remark, writeJson } from '../../terminal/io.js';
import { type TextColumn, writeTable } from '../../terminal/text-table.js';

/** Series that are listed unless `--limit` says otherwise. */
const DEFAULT_LIMIT = 20;

export interface FindOptions extends SeriesWords {
  readonly limit?: number | undefined;
  readonly json?: boolean | undefined;
}

export function findSeriesByWords(
  context: CommandContext,
  connection: ConnectionOptions,
  options: FindOptions,
): Promise<void> {
  return withClient(context, connection, async (client) => {
    const limit = options.limit ?? DEFAULT_LIMIT;
    const found: ExplainedSeries[] = [];
    let more = false;
    for await (const series of findSeries(client, options, context.signal)) {
      more = found.length === limit;
      if (more) break;
      found.push(series);
    }
    if (found.length === 0) throw await nothingFoundError(client, options, context.signal);
    await warnOfNames(context, takenByAll(found));
    if (options.json === true) await writeJson(context.stdout, found);
    else await writeSeries(context, found);
    if (!more) return;
    // Who set the limit knows of it; who did not may be in a pipe.
    const say = options.limit === undefined ? note : remark;
    await say(context, `more series match; the first ${limit} are listed: use --limit to list more`);
  });
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

function writeSeries(context: CommandContext, found: readonly ExplainedSeries[]): Promise<void> {
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
      series.start_date?.slice(0, 10) ?? '',
      series.end_date?.slice(0, 10) ?? '',
      String(coverage.points),
      `${(coverage.share * 100).toFixed(1)} %`,
    ];
  });
  return writeTable(context, columns, rows);
}
