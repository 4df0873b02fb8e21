import type { AvailableCombination } from '../../client/available.js';
import type { FoundSeries } from '../../client/discovery/find-series.js';
import type { Client } from '../../create-client.js';
import type { TakenNames } from '../../model/entity.js';
import type { Selection } from '../../model/selection.js';
import { compareSeriesKeys } from '../../model/series.js';
import { resolveWord } from './names.js';
import { pickOne, shuffle } from './seeded-random.js';
import { NAME_FIELDS, noSeriesError } from './series-choice.js';

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
 * A random series of the selection, with the entities of the names. Without any name, entities that have data are chosen at
 * random.
 * @throws NothingFoundError when a name has no hit, or no data series is available for the selection
 */
export async function chooseRandomSeries(
  client: Client,
  names: SelectedNames,
  options: ChoiceOptions,
): Promise<FoundSeries> {
  const taken = await entitiesOf(client, names, options.signal);
  const named = NAME_FIELDS.flatMap(([word, , field]) =>
    taken[word] === undefined ? [] : [[field, taken[word].id]],
  );
  const selection: Selection =
    named.length === 0 ? await randomEntities(client, options) : Object.fromEntries(named);
  const found = await client.getDataSeries(selection, { signal: options.signal });
  if (found.length === 0) throw noSeriesError();
  return { ...pickOne([...found].sort(compareSeriesKeys), options.random), taken };
}

async function entitiesOf(client: Client, names: SelectedNames, signal: AbortSignal): Promise<TakenNames> {
  const taken: TakenNames = {};
  await Promise.all(
    NAME_FIELDS.map(async ([word, type]) => {
      const asked = names[word];
      if (asked !== undefined) taken[word] = await resolveWord(client, type, { asked, signal });
    }),
  );
  return taken;
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
