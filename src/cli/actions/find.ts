import type { ExplainedSeries } from '../../client/discovery/resolution.js';
import type { GeocodedPlace } from '../../client/geography.js';
import type { MatchedNames } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { NAMED_WORDS, seriesKeyText } from '../../model/series.js';
import { formatDay } from '../../model/time.js';
import { warnOfNames, withinNotes } from '../choice/names.js';
import { findFirstSeries, frequencyName } from '../choice/series-choice.js';
import type { FIND } from '../commands/discovery.js';
import { type ClientContext, createAction } from '../connection/with-client.js';
import type { InputValues } from '../options/flags.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, note, remark, warnOfAll, writeJson } from '../terminal/io.js';
import { writeTable } from '../terminal/text-table.js';

const DEFAULT_LIMIT = 20;

/** Notes on how to compute a derived figure from the listed series. */
const COMPUTED_NOTES = {
  'degree-days': '"cropframe gdd" computes degree days from minimum and maximum temperatures',
  'stocks-to-use': 'the stocks-to-use ratio is the ending stocks divided by the total use',
} as const;

type FindOptions = InputValues<typeof FIND.takes>;

export const find = createAction(async (context, options: FindOptions) => {
  const text = options.words.join(' ');
  if (options.at !== undefined) {
    if (text !== '')
      throw new ArgumentError('at', `--at finds the regions of a place, without words; omit "${text}"`);
    return findPlace(context, options, options.at);
  }
  const words = { ...options, ...(text === '' ? {} : { text }) };
  const limit = options.limit ?? DEFAULT_LIMIT;
  const { found, more, within, computed } = await findFirstSeries(context, words, limit);
  if (computed !== undefined) await note(context, COMPUTED_NOTES[computed]);
  await warnOfNames(context, listGuesses(found));
  await warnOfAll(context, withinNotes(within));
  if (options.json === true) await writeJson(context.stdout, found);
  else await writeSeriesTable(context, found, options);
  if (!more) return;
  // If no limit was set, the note is written even if standard error is not a terminal.
  const say = options.limit === undefined ? note : remark;
  await say(context, `more series match; the first ${limit} are listed: use --limit to list more`);
});

function writeSeriesTable(
  context: CommandContext,
  found: readonly ExplainedSeries[],
  { start_date, end_date }: FindOptions,
): Promise<void> {
  const withShare = start_date !== undefined || end_date !== undefined;
  const withPartner = found.some(({ partner_region_id }) => partner_region_id !== 0);
  return writeTable(context, found, [
    { title: 'series', whole: true, of: seriesKeyText },
    { title: 'metric', of: ({ metric_name, metric_id }) => metric_name ?? metric_id },
    { title: 'item', of: ({ item_name, item_id }) => item_name ?? item_id },
    { title: 'region', of: ({ region_name, region_id }) => region_name ?? region_id },
    {
      title: 'partner',
      optional: true,
      of: (series) => (withPartner ? (series.partner_region_name ?? series.partner_region_id) : ''),
    },
    { title: 'source', of: ({ source_name, source_id }) => source_name ?? source_id },
    { title: 'frequency', of: frequencyName },
    { title: 'from', whole: true, of: ({ coverage }) => formatKnownDay(coverage.startMs) },
    { title: 'to', whole: true, of: ({ coverage }) => formatKnownDay(coverage.endMs) },
    { title: 'points', align: 'right', of: ({ coverage }) => coverage.points },
    {
      title: 'covered',
      align: 'right',
      optional: true,
      of: ({ coverage }) => (withShare ? `${(coverage.share * 100).toFixed(1)} %` : ''),
    },
  ]);
}

/** Formats a time as a day, or returns an empty string if the service does not report the time. */
function formatKnownDay(ms: number): string {
  return Number.isFinite(ms) ? formatDay(ms) : '';
}

/** Writes the regions that contain a place, and its nearest station. @throws NothingFoundError if there are none */
async function findPlace(
  context: ClientContext,
  { json }: FindOptions,
  at: NonNullable<FindOptions['at']>,
): Promise<void> {
  const [found] = await context.client.reverseGeocodePoints([at], { signal: context.signal });
  const regions = listRegions(found!);
  if (regions.length === 0)
    throw new NothingFoundError(`no region contains ${at.join(', ')}; check the latitude and the longitude`);
  if (json === true) return writeJson(context.stdout, found);
  await writeTable(context, regions, [
    { title: 'id', whole: true, of: ({ id }) => id },
    { title: 'region', of: ({ name }) => name },
    { title: 'level', of: ({ level }) => level },
    {
      title: 'distance',
      align: 'right',
      of: ({ km = null }) => (km === null ? '' : `${km.toFixed(1)} km`),
    },
  ]);
}

function listRegions(place: GeocodedPlace) {
  const { l5_id, l5_name, l4_id, l4_name, l3_id, l3_name, station_id, station_name, station_km } = place;
  const regions = [
    { id: l5_id, name: l5_name, level: 'district' },
    { id: l4_id, name: l4_name, level: 'province' },
    { id: l3_id, name: l3_name, level: 'country' },
    { id: station_id, name: station_name, level: 'nearest weather station', km: station_km },
  ];
  return regions.filter(({ id }) => id !== null);
}

/** Returns the requested names that no series matches exactly, with the entities that the first series uses instead. */
function listGuesses(
  found: readonly { readonly matched?: MatchedNames | undefined }[],
): readonly { readonly matched: MatchedNames }[] {
  const words = NAMED_WORDS.map(({ word }) => word).filter((word) =>
    found.every(({ matched }) => matched?.[word] !== undefined),
  );
  return found.slice(0, 1).map(({ matched }) => ({
    matched: Object.fromEntries(words.map((word) => [word, matched![word]])),
  }));
}
