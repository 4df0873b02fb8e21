import type { ExplainedSeries } from '../../client/discovery/resolution.js';
import type { CountedHit, VintageDate } from '../../contract/endpoints.js';
import {
  type Containing,
  type EntityOf,
  levelName,
  type MatchedNames,
  type Region,
  type SearchableType,
  type Source,
} from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import { FACETS as FACET_NAMES } from '../../model/selection.js';
import { NAMED_WORDS, seriesKeyText } from '../../model/series.js';
import { formatDay } from '../../model/time.js';
import { listAllowedUnits } from '../../saved/unit-choice.js';
import { nameNotes, resolveSelection, withinNotes } from '../choice/names.js';
import { findFirstSeries, frequencyName, noSeriesError } from '../choice/series-choice.js';
import type { FACETS, FIND, LIST, SEARCH, UNITS, VINTAGES } from '../commands/discovery.js';
import { type Asking, type ClientContext, createAction } from '../connection/with-client.js';
import type { InputValues } from '../options/flags.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { clearProgress, note, remark, warnOfAll, writeJson } from '../terminal/io.js';
import { progressOptions } from '../terminal/progress.js';
import { type TextColumn, writeTable } from '../terminal/text-table.js';
import { outputFormat, writeFrame } from '../terminal/write-frame.js';

export const listCatalogue = createAction(async (context, options: InputValues<typeof LIST.takes>) => {
  const format = outputFormat(context, options);
  const selection = await resolveSelection(context, options);
  const table = await context.client.catalogue(selection, progressOptions(context));
  clearProgress(context);
  if (table.numRows === 0) throw noSeriesError();
  if (format !== 'display') return writeFrame(context, table, { ...options, format });
  const cell =
    (...names: readonly string[]) =>
    (row: Readonly<Record<string, unknown>>) => {
      const value = names.map((name) => row[name]).find((one) => one !== null && one !== '');
      return value instanceof Date ? formatDay(value.getTime()) : String(value ?? '');
    };
  await writeTable(context, table.toRows(), [
    { title: 'source', of: cell('source_name') },
    { title: 'metric', of: cell('metric_name') },
    { title: 'item', of: cell('item_name') },
    { title: 'frequency', of: cell('frequency_name') },
    { title: 'level', of: cell('region_level_name', 'region_level') },
    { title: 'regions', align: 'right', of: cell('regions') },
    { title: 'series', align: 'right', of: cell('series') },
    { title: 'from', whole: true, of: cell('start_date') },
    { title: 'to', whole: true, of: cell('end_date') },
  ]);
});

export const listFacets = createAction(async (context, options: InputValues<typeof FACETS.takes>) => {
  const { text, in: names, limit, json } = options;
  const { client, signal } = context;
  const selection = await resolveSelection(context, options);
  const counted = await client.facets(selection, { text, in: names, limit, signal });
  if (json === true) return writeJson(context.stdout, counted);
  const { more } = counted;
  const values = FACET_NAMES.flatMap((facet) =>
    (counted[facet] ?? []).map((value) => ({ facet: facet.replace('_', ' '), ...value })),
  );
  if (values.length === 0)
    throw text === undefined
      ? noSeriesError()
      : new NothingFoundError(`no facet value matches "${text}"; try fewer or different words`);
  await writeTable(context, values, [
    { title: 'facet', of: ({ facet }) => facet },
    { title: 'id', align: 'right', of: ({ id }) => id },
    { title: 'name', of: ({ name }) => name },
    { title: 'series', align: 'right', of: ({ series }) => series },
    { title: 'found as', optional: true, of: ({ matched }) => matched },
  ]);
  const others = FACET_NAMES.flatMap((name) =>
    more[name] ? [`${more[name].toLocaleString('en-US')} more ${name.replace('_', ' ')}`] : [],
  );
  if (others.length > 0)
    await note(context, `there are also ${others.join(', ')}; use --limit or --text to see them`);
});

export const listVintages = createAction(async (context, options: InputValues<typeof VINTAGES.takes>) => {
  const { limit, json } = options;
  const { client, signal } = context;
  const selection = await resolveSelection(context, options);
  const found = await client.vintages(selection, { limit, signal });
  if (found.series === 0) throw noSeriesError();
  if (json === true) return writeJson(context.stdout, found);
  await writeTable(context, countsByDate(found.available_dates, found.reporting_dates), [
    { title: 'date', whole: true, of: ({ date }) => date.replace('T00:00:00.000Z', '') },
    { title: 'became available', align: 'right', of: ({ available }) => available },
    { title: 'reported', align: 'right', of: ({ reported }) => reported },
  ]);
  const { available_dates, reporting_dates } = found.more;
  if (available_dates + reporting_dates > 0) {
    const earlier = `${available_dates} earlier available and ${reporting_dates} earlier reporting dates`;
    await note(context, `there are ${earlier}; use --limit to see them`);
  }
});

function countsByDate(availableDates: readonly VintageDate[], reportingDates: readonly VintageDate[]) {
  const available = new Map(availableDates.map(({ date, points }) => [date, points]));
  const reported = new Map(reportingDates.map(({ date, points }) => [date, points]));
  const days = [...new Set([...available.keys(), ...reported.keys()])].sort();
  return days.map((date) => ({
    date,
    available: available.get(date) || undefined,
    reported: reported.get(date) || undefined,
  }));
}

export const listUnits = createAction(async (context, options: InputValues<typeof UNITS.takes>) => {
  const { client, signal } = context;
  const { metric, item, json } = options;
  if (metric === undefined && item !== undefined)
    throw badArgument('metric', '--item also needs a metric; add --metric');
  const units = await (metric === undefined
    ? client.listUnits({ signal })
    : listUnitsOf(context, { metric, item }));
  if (json === true) return writeJson(context.stdout, units);
  await writeTable(context, units, [
    { title: 'id', align: 'right', of: ({ id }) => id },
    { title: 'abbreviation', of: ({ abbreviation }) => abbreviation },
    { title: 'name', of: ({ name }) => name },
    { title: 'dimension', of: ({ dimension }) => dimension },
    { title: 'factor', align: 'right', of: (unit) => unit.baseConvFactor.factor || 'not convertible' },
    { title: 'offset', align: 'right', of: (unit) => unit.baseConvFactor.offset ?? 0 },
  ]);
});

async function listUnitsOf(context: ClientContext, words: { metric: string; item: string | undefined }) {
  const { client, signal } = context;
  const selection = await resolveSelection(context, words);
  const [metric_id, item_id] = [selection.metric_id, selection.item_id].flat();
  const series = { metric_id: metric_id!, item_id: item_id ?? undefined };
  const units = await listAllowedUnits(client, [series], signal);
  if (units.length > 0) return units;
  throw new NothingFoundError(
    'there is no data for this metric and item; to list all units, omit --metric and --item',
  );
}

const DEFAULT_LIMIT = 20;

/** Notes that explain how to compute a derived figure from the listed series, keyed by figure. */
const COMPUTED_NOTES = {
  'degree-days': '"cropframe gdd" computes degree days from minimum and maximum temperatures',
  'stocks-to-use': 'the stocks-to-use ratio is the ending stocks divided by the total use',
} as const;

type FindOptions = InputValues<typeof FIND.takes>;

export const find = createAction(async (context, options: FindOptions) => {
  const text = options.words.join(' ');
  if (options.at !== undefined) {
    if (text !== '') throw badArgument('at', `finds the regions of a place, without words; omit "${text}"`);
    return findPlace(context, options.at, options.json);
  }
  const words = { ...options, ...(text === '' ? {} : { text }) };
  const limit = options.limit ?? DEFAULT_LIMIT;
  const { found, more, within, computed } = await findFirstSeries(context, words, limit);
  if (computed !== undefined) await note(context, COMPUTED_NOTES[computed]);
  await warnOfAll(context, nameNotes(listGuesses(found)));
  await warnOfAll(context, withinNotes(within));
  if (options.json === true) await writeJson(context.stdout, found);
  else await writeSeriesTable(context, found, options);
  if (!more) return;
  // If no limit was set, the note is written even if standard error is not a terminal.
  const say = options.limit === undefined ? note : remark;
  await say(context, `more series match; the first ${limit} are listed: use --limit to list more`);
});

function writeSeriesTable(
  context: ClientContext,
  found: readonly ExplainedSeries[],
  { start_date, end_date }: FindOptions,
): Promise<void> {
  const hasPeriod = start_date !== undefined || end_date !== undefined;
  const hasPartners = found.some(({ partner_region_id }) => partner_region_id !== 0);
  const partnerOf = (one: ExplainedSeries) => one.partner_region_name ?? one.partner_region_id;
  const shareOf = ({ coverage }: ExplainedSeries) => `${(coverage.share * 100).toFixed(1)} %`;
  return writeTable(context, found, [
    { title: 'series', whole: true, of: seriesKeyText },
    { title: 'metric', of: ({ metric_name, metric_id }) => metric_name ?? metric_id },
    { title: 'item', of: ({ item_name, item_id }) => item_name ?? item_id },
    { title: 'region', of: ({ region_name, region_id }) => region_name ?? region_id },
    { title: 'partner', optional: true, of: (one) => (hasPartners ? partnerOf(one) : '') },
    { title: 'source', of: ({ source_name, source_id }) => source_name ?? source_id },
    { title: 'frequency', of: frequencyName },
    { title: 'from', whole: true, of: ({ coverage }) => formatKnownDay(coverage.startMs) },
    { title: 'to', whole: true, of: ({ coverage }) => formatKnownDay(coverage.endMs) },
    { title: 'points', align: 'right', of: ({ coverage }) => coverage.points },
    { title: 'covered', align: 'right', optional: true, of: (one) => (hasPeriod ? shareOf(one) : '') },
  ]);
}

/** Formats a time as a date, or returns an empty string if the service does not report the time. */
function formatKnownDay(ms: number): string {
  return Number.isFinite(ms) ? formatDay(ms) : '';
}

async function findPlace(context: ClientContext, at: [number, number], json = false): Promise<void> {
  const places = await context.client.reverseGeocodePoints([at], { signal: context.signal });
  const place = places[0]!;
  const km = place.station_km === null ? '' : `${place.station_km.toFixed(1)} km`;
  const levels = [
    { level: 'district', id: place.l5_id, name: place.l5_name, distance: '' },
    { level: 'province', id: place.l4_id, name: place.l4_name, distance: '' },
    { level: 'country', id: place.l3_id, name: place.l3_name, distance: '' },
    { level: 'nearest weather station', id: place.station_id, name: place.station_name, distance: km },
  ];
  const regions = levels.filter(({ id }) => id !== null);
  if (regions.length === 0)
    throw new NothingFoundError(`no region contains ${at.join(', ')}; check the latitude and the longitude`);
  if (json) return writeJson(context.stdout, place);
  await writeTable(context, regions, [
    { title: 'id', whole: true, of: ({ id }) => id },
    { title: 'region', of: ({ name }) => name },
    { title: 'level', of: ({ level }) => level },
    { title: 'distance', align: 'right', of: ({ distance }) => distance },
  ]);
}

/** Returns the first series' matches for those names that are guessed or ambiguous in every found series. */
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

type Found = EntityOf[SearchableType];
type ListedEntity = Pick<CountedHit, 'id' | 'name' | 'series'>;

export const search = createAction(async (context, options: InputValues<typeof SEARCH.takes>) => {
  const { type, limit, json } = options;
  const { client, signal, stdout } = context;
  const terms = options.words.join(' ');
  const types = type === 'all' ? undefined : [type];
  const hits = await client.searchAll(terms, { types, limit, signal });
  if (hits.length === 0)
    throw new NothingFoundError(`${type === 'all' ? 'nothing' : `no ${type}`} found for "${terms}"`);
  const named = [
    { title: 'id', align: 'right', of: ({ id }: ListedEntity) => id },
    { title: 'name', of: ({ name }: ListedEntity) => name },
    { title: 'series', align: 'right', of: ({ series }: ListedEntity) => series },
  ] as const;
  if (type === 'all') {
    if (json === true) return writeJson(stdout, hits);
    return writeTable(context, hits, [
      { title: 'type', of: ({ entity_type }) => entity_type },
      ...named,
      { title: 'found as', optional: true, of: ({ matched }) => matched },
    ]);
  }
  const ids = hits.map(({ id }) => id);
  const found: Readonly<Record<number, Found>> = await client.lookup(type, ids, { signal });
  // An import may remove an entity between the two requests.
  const entities = hits.flatMap(({ id, series }) => (found[id] ? [{ ...found[id], series }] : []));
  if (json === true) return writeJson(stdout, entities);
  await writeTable(context, entities, [...named, ...(await detailsOf(context, entities, type))]);
});

async function detailsOf(
  { client, signal }: Asking,
  found: readonly Found[],
  type: SearchableType,
): Promise<TextColumn<Found>[]> {
  if (type === 'sources')
    return [
      { title: 'long name', of: (one) => (one as Source).longName },
      { title: 'licence', of: (one) => (one as Source).licence },
    ];
  if (type !== 'regions')
    return [{ title: 'definition', of: (one) => (one as Containing).definition.replace(/<[^>]*>/g, '') }];
  const containers = (found as readonly Region[]).flatMap(({ belongsTo }) => belongsTo);
  const parents = await client.lookup('regions', containers, { signal });
  const nameOf = (id: number) => parents[id]?.name ?? String(id);
  return [
    { title: 'level', of: (one) => kindOf(one as Region) },
    { title: 'in', of: (one) => (one as Region).belongsTo.map(nameOf).join(', ') },
  ];
}

function kindOf({ level, historical }: Region): string {
  return `${levelName(level) ?? level}${historical ? ', historical' : ''}`;
}
