import type { AvailableCombination } from '../../client/available.js';
import type { Client } from '../../create-client.js';
import type { Selection } from '../../model/selection.js';
import { compareSeriesKeys, type DataSeries, type SeriesKey } from '../../model/series.js';
import { pickOne, shuffle } from './seeded-random.js';
import { NAME_FIELDS, noHitError, noSeriesError } from './series-choice.js';

/** The names that select a series. */
export interface SelectedNames {
  readonly metric?: string | undefined;
  readonly item?: string | undefined;
  readonly region?: string | undefined;
  readonly partner_region?: string | undefined;
}

interface ChoiceOptions {
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Items per request in the search for entities that have data. */
const ITEMS_PER_REQUEST = 50;

/**
 * A random series of the selection. Each name selects its best search hit; without any name, entities that have data are
 * chosen at random.
 * @throws NothingFoundError when a name has no hit, or no data series is available for the selection
 */
export async function chooseRandomSeries(
  client: Client,
  names: SelectedNames,
  options: ChoiceOptions,
): Promise<DataSeries> {
  const selection = isEmpty(names)
    ? await randomEntities(client, options)
    : await bestHits(client, names, options.signal);
  const found = await client.getDataSeries(selection, { signal: options.signal });
  if (found.length === 0) throw noSeriesError();
  return pickOne([...found].sort(compareSeriesKeys), options.random);
}

function isEmpty(names: SelectedNames): boolean {
  return NAME_FIELDS.every(([name]) => names[name] === undefined);
}

async function bestHits(client: Client, names: SelectedNames, signal: AbortSignal): Promise<Selection> {
  const selection: { [Field in keyof SeriesKey]?: number } = {};
  await Promise.all(
    NAME_FIELDS.filter(([name]) => names[name] !== undefined).map(async ([name, type, field]) => {
      const id = await client.searchForEntity(type, names[name]!, { signal });
      if (id === undefined) throw noHitError(type, names[name]!);
      selection[field] = id;
    }),
  );
  return selection;
}

/** A random item that has data, with a metric and a region of its data. */
async function randomEntities(client: Client, { random, signal }: ChoiceOptions): Promise<Selection> {
  const items = await client.getAvailable('items', { signal });
  const ids = shuffle(
    items.map(({ id }) => id).sort((a, b) => a - b),
    random,
  );
  for (let from = 0; from < ids.length; from += ITEMS_PER_REQUEST) {
    const listed = ids.slice(from, from + ITEMS_PER_REQUEST);
    const available = await client.listAvailable({ item_id: listed }, { signal });
    const item_id = listed.find((id) => available.some((one) => one.item_id === id));
    if (item_id === undefined) continue;
    const pairs = available.filter((one) => one.item_id === item_id).sort(byIds);
    const { metric_id, region_id } = pickOne(pairs, random);
    return { metric_id, item_id, region_id };
  }
  throw noSeriesError();
}

function byIds(a: AvailableCombination, b: AvailableCombination): number {
  const region = (a.region_id ?? 0) - (b.region_id ?? 0);
  return a.metric_id - b.metric_id || region || (a.source_id ?? 0) - (b.source_id ?? 0);
}
