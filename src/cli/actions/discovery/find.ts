import type { ExplainedSeries } from '../../../client/discovery/find-series.js';
import type { GeocodedPlace } from '../../../client/geography.js';
import { ArgumentError } from '../../../model/errors.js';
import { seriesKeyText } from '../../../model/series.js';
import { takenByAll, warnOfNames } from '../../choice/names.js';
import { findSeries, frequencyName, nothingFoundError, readWords } from '../../choice/series-choice.js';
import type { FIND } from '../../commands/discovery.js';
import { withClient } from '../../connection/with-client.js';
import type { Given } from '../../options/flags.js';
import { NothingFoundError } from '../../terminal/exit-codes.js';
import { type CommandContext, note, remark, writeJson } from '../../terminal/io.js';
import { type TextColumn, writeTable } from '../../terminal/text-table.js';

/** Series that are listed unless `--limit` says otherwise. */
const DEFAULT_LIMIT = 20;

type FindOptions = Given<typeof FIND.takes>;

/** Finds series by their words, or the regions of a place. */
export function find(context: CommandContext, options: FindOptions): Promise<void> {
  const text = options.words.join(' ');
  if (options.at !== undefined) {
    if (text !== '') throw new ArgumentError('at', `--at finds regions of a place; omit "${text}"`);
    return findPlace(context, options, options.at);
  }
  return withClient(context, options, async (client) => {
    const words = { ...(text === '' ? {} : await readWords(client, text, context.signal)), ...options };
    const limit = options.limit ?? DEFAULT_LIMIT;
    const found: ExplainedSeries[] = [];
    let more = false;
    for await (const series of findSeries(client, words, context.signal)) {
      more = found.length === limit;
      if (more) break;
      found.push(series);
    }
    if (found.length === 0) throw await nothingFoundError(client, words, context.signal);
    await warnOfNames(context, takenByAll(found));
    if (options.json === true) await writeJson(context.stdout, found);
    else await writeSeries(context, found, options);
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
];

const COVERED: TextColumn = { title: 'covered', align: 'right' };

function writeSeries(
  context: CommandContext,
  found: readonly ExplainedSeries[],
  { start_date, end_date }: FindOptions,
): Promise<void> {
  // A share is of a period that somebody asked for.
  const withShare = start_date !== undefined || end_date !== undefined;
  const withPartner = found.some(({ partner_region_id }) => partner_region_id !== 0);
  const columns = [
    ...COLUMNS.slice(0, 4),
    ...(withPartner ? [{ title: 'partner' }] : []),
    ...COLUMNS.slice(4),
    ...(withShare ? [COVERED] : []),
  ];
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
      ...(withShare ? [`${(coverage.share * 100).toFixed(1)} %`] : []),
    ];
  });
  return writeTable(context, columns, rows);
}

/** @throws NothingFoundError when no region contains the place and there is no weather station */
function findPlace(
  context: CommandContext,
  options: FindOptions,
  at: NonNullable<FindOptions['at']>,
): Promise<void> {
  return withClient(context, options, async (client) => {
    const [found] = await client.reverseGeocodePoints([at], { signal: context.signal });
    const rows = rowsOf(found!);
    if (rows.length === 0) throw new NothingFoundError(`no region contains ${at.join(', ')}`);
    if (options.json === true) return writeJson(context.stdout, found);
    await writeTable(context, PLACE_COLUMNS, rows);
  });
}

const PLACE_COLUMNS = [
  { title: 'id', whole: true },
  { title: 'region' },
  { title: 'level' },
  { title: 'distance', align: 'right' },
] as const;

function rowsOf(place: GeocodedPlace): string[][] {
  const { l5_id, l5_name, l4_id, l4_name, l3_id, l3_name, station_id, station_name, station_km } = place;
  const distance = station_km === null ? '' : `${station_km.toFixed(1)} km`;
  const rows: readonly (readonly [number | null, string | null, string, string])[] = [
    [l5_id, l5_name, 'district', ''],
    [l4_id, l4_name, 'province', ''],
    [l3_id, l3_name, 'country', ''],
    [station_id, station_name, 'nearest weather station', distance],
  ];
  return rows.flatMap(([id, name, ...rest]) => (id === null ? [] : [[String(id), name ?? '', ...rest]]));
}
