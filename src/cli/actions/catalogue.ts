import type { VintageDate } from '../../contract/endpoints.js';
import type { Unit } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import { FACETS as FACET_NAMES } from '../../model/selection.js';
import { formatDay } from '../../model/time.js';
import { listAllowedUnits } from '../../saved/unit-choice.js';
import { matchWords, resolveSelection, warnOfNames } from '../choice/names.js';
import { noSeriesError } from '../choice/series-choice.js';
import type { FACETS, LIST, UNITS, VINTAGES } from '../commands/discovery.js';
import { type ClientContext, createAction } from '../connection/with-client.js';
import type { InputValues } from '../options/flags.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { clearProgress, note, writeJson } from '../terminal/io.js';
import { progressOptions } from '../terminal/progress.js';
import { writeTable } from '../terminal/text-table.js';
import { outputFormat, writeFrame } from '../terminal/write-frame.js';

/** Lists the data that a selection contains. @throws NothingFoundError if the selection has no series */
export const listCatalogue = createAction(async (context, options: InputValues<typeof LIST.takes>) => {
  const format = outputFormat(context, options);
  const { client } = context;
  const selection = await resolveSelection(context, options);
  const table = await client
    .catalogue(selection, progressOptions(context))
    .finally(() => clearProgress(context));
  if (table.numRows === 0) throw noSeriesError();
  if (format !== 'display') return writeFrame(context, table, { ...options, format });
  await writeTable(context, table.toRows(), [
    { title: 'source', of: (row) => formatField(row, 'source_name') },
    { title: 'metric', of: (row) => formatField(row, 'metric_name') },
    { title: 'item', of: (row) => formatField(row, 'item_name') },
    { title: 'frequency', of: (row) => formatField(row, 'frequency_name') },
    {
      title: 'level',
      of: (row) => formatField(row, 'region_level_name') || formatField(row, 'region_level'),
    },
    { title: 'regions', align: 'right', of: (row) => formatField(row, 'regions') },
    { title: 'series', align: 'right', of: (row) => formatField(row, 'series') },
    { title: 'from', whole: true, of: (row) => formatDateCell(row.start_date) },
    { title: 'to', whole: true, of: (row) => formatDateCell(row.end_date) },
  ]);
});

function formatField(row: Readonly<Record<string, unknown>>, name: string): string {
  return String(row[name] ?? '');
}

function formatDateCell(date: unknown): string {
  return date instanceof Date ? formatDay(date.getTime()) : '';
}

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
      : new NothingFoundError(`nothing with data matches "${text}"; try fewer or different words`);
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
    await note(context, `there are ${others.join(', ')}; use --limit or --text to see them`);
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

interface DateCounts {
  readonly date: string;
  /** The number of points that became available on the date, or `undefined` if there are none. */
  readonly available?: number | undefined;
  readonly reported?: number | undefined;
}

function countsByDate(available: readonly VintageDate[], reporting: readonly VintageDate[]): DateCounts[] {
  const dates = new Map<string, DateCounts>();
  for (const { date, points } of available) dates.set(date, { date, available: points || undefined });
  for (const { date, points } of reporting)
    dates.set(date, { ...dates.get(date), date, reported: points || undefined });
  return [...dates.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

export const listUnits = createAction(async (context, options: InputValues<typeof UNITS.takes>) => {
  const units = await unitsOf(context, options);
  if (options.json === true) return writeJson(context.stdout, units);
  await writeTable(context, units, [
    { title: 'id', align: 'right', of: ({ id }) => id },
    { title: 'abbreviation', of: ({ abbreviation }) => abbreviation },
    { title: 'name', of: ({ name }) => name },
    { title: 'dimension', of: ({ dimension }) => dimension },
    {
      title: 'factor',
      align: 'right',
      of: ({ baseConvFactor: { factor } }) => factor || 'not convertible',
    },
    { title: 'offset', align: 'right', of: ({ baseConvFactor: { offset } }) => offset ?? 0 },
  ]);
});

/**
 * Lists all units, or the units that are allowed for a metric and an item.
 * @throws NothingFoundError if the metric and the item have no data
 */
async function unitsOf(
  context: ClientContext,
  { metric, item }: InputValues<typeof UNITS.takes>,
): Promise<Unit[]> {
  const { client, signal } = context;
  if (metric === undefined) {
    if (item === undefined) return client.listUnits({ signal });
    throw badArgument('metric', '--item also needs a metric; add --metric');
  }
  const matched = await matchWords(context, { metric, item });
  const [[ofMetric], [ofItem]] = [matched.metric, matched.item];
  await warnOfNames(context, [{ matched: { metric: ofMetric, item: ofItem } }]);
  const units = await listAllowedUnits(client, [{ metric_id: ofMetric!.id, item_id: ofItem?.id }], signal);
  if (units.length > 0) return units;
  throw new NothingFoundError(
    'there is no data for this metric and item, so there are no units; "cropframe units" lists all units',
  );
}
