import type { Client } from '../../create-client.js';
import type { SearchableType } from '../../model/entity.js';
import type { Selection } from '../../model/selection.js';
import { compareSeriesKeys, type DataSeries, type SeriesKey } from '../../model/series.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { oneOf, shuffled } from './seeded-random.js';

/** Names of entities, by the specification's options. */
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

const SEARCHED = [
  ['metric', 'metrics', 'metric_id'],
  ['item', 'items', 'item_id'],
  ['region', 'regions', 'region_id'],
  ['partner_region', 'regions', 'partner_region_id'],
] as const satisfies readonly (readonly [keyof SelectedNames, SearchableType, keyof SeriesKey])[];

/** Items that one listing asks for, when entities with data are looked for. */
const ITEMS_PER_LISTING = 50;

/**
 * A random series of the selection: each name stands for its first search hit; without a name, random entities that have
 * data are chosen.
 * @throws NothingFoundError when a name has no hit, or no data series is available for the selection
 */
export async function chooseRandomSeries(
  client: Client,
  names: SelectedNames,
  options: ChoiceOptions,
): Promise<DataSeries> {
  const selection = isEmpty(names)
    ? await randomEntities(client, options)
    : await firstHits(client, names, options.signal);
  const found = await client.getDataSeries(selection, { signal: options.signal });
  if (found.length === 0) throw noSeries();
  return oneOf([...found].sort(compareSeriesKeys), options.random);
}

function isEmpty(names: SelectedNames): boolean {
  return SEARCHED.every(([name]) => names[name] === undefined);
}

async function firstHits(client: Client, names: SelectedNames, signal: AbortSignal): Promise<Selection> {
  const selection: { [Field in keyof SeriesKey]?: number } = {};
  await Promise.all(
    SEARCHED.filter(([name]) => names[name] !== undefined).map(async ([name, type, field]) => {
      const id = await client.searchForEntity(type, names[name]!, { signal });
      if (id === undefined)
        throw new NothingFoundError(`nothing among the ${type} is called "${names[name]!}"`);
      selection[field] = id;
    }),
  );
  return selection;
}

/** A random item that has data, with a metric and a region of its data. */
async function randomEntities(client: Client, { random, signal }: ChoiceOptions): Promise<Selection> {
  const items = await client.getAvailable('items', { signal });
  const ids = shuffled(
    items.map(({ id }) => id).sort((a, b) => a - b),
    random,
  );
  for (let from = 0; from < ids.length; from += ITEMS_PER_LISTING) {
    const listed = ids.slice(from, from + ITEMS_PER_LISTING);
    const available = await client.listAvailable({ item_id: listed }, { signal });
    const item_id = listed.find((id) => available.some((one) => one.item_id === id));
    if (item_id === undefined) continue;
    const pairs = available
      .filter((one) => one.item_id === item_id)
      .sort((a, b) => a.metric_id - b.metric_id || a.region_id - b.region_id || a.source_id - b.source_id);
    const { metric_id, region_id } = oneOf(pairs, random);
    return { metric_id, item_id, region_id };
  }
  throw noSeries();
}

function noSeries(): NothingFoundError {
  return new NothingFoundError('no data series is available for the selection');
}
