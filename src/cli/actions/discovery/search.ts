import type { Client } from '../../../create-client.js';
import { type EntityOf, REGION_LEVELS, type SearchableType } from '../../../model/entity.js';
import { NotFoundError } from '../../../model/errors.js';
import { FACET_FIELDS } from '../../../model/selection.js';
import { noHitError } from '../../choice/series-choice.js';
import type { SEARCH } from '../../commands/discovery.js';
import { withClient } from '../../connection/with-client.js';
import type { Given } from '../../options/flags.js';
import { NothingFoundError } from '../../terminal/exit-codes.js';
import { type CommandContext, writeJson } from '../../terminal/io.js';
import { type TextColumn, writeTable } from '../../terminal/text-table.js';

type SearchOptions = Given<typeof SEARCH.takes>;
type Found = EntityOf[SearchableType];

/** Entities of one type, or of all. */
export function search(context: CommandContext, options: SearchOptions): Promise<void> {
  const { type, limit, json } = options;
  if (type === 'all') return searchAll(context, options);
  return withClient(context, options, async (client) => {
    const { signal } = context;
    const terms = options.words.join(' ');
    const found: Found[] = [];
    for await (const entity of client.searchAndLookup(type, terms, { num_results: limit, signal }))
      found.push(entity);
    if (found.length === 0) throw noHitError(type, terms);
    const counts = await countSeries(client, found, { type, signal });
    if (json === true) return writeJson(context.stdout, counts === null ? found : withSeries(found, counts));
    const [id, name, ...others] = COLUMNS[type];
    const columns = [id!, name!, ...(counts === null ? [] : [SERIES]), ...others];
    await writeTable(context, columns, await rowsOf(client, found, { type, counts, signal }));
  });
}

type SeriesCounts = ReadonlyMap<number, number>;

/** The number of series of each entity; null where the service cannot count them. */
async function countSeries(
  client: Client,
  found: readonly Found[],
  { type, signal }: { type: SearchableType; signal: AbortSignal },
): Promise<SeriesCounts | null> {
  const selection = { [FACET_FIELDS[type].field]: found.map(({ id }) => id) };
  try {
    const counted = await client.facets(selection, { in: type, limit: 1, signal });
    return new Map(counted[type].map(({ id, series }) => [id, series]));
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

function withSeries(found: readonly Found[], counts: SeriesCounts) {
  return found.map((one) => ({ ...one, series: counts.get(one.id) ?? 0 }));
}

const ID: TextColumn = { title: 'id', align: 'right' };
const SERIES: TextColumn = { title: 'series', align: 'right' };
const DESCRIBED: readonly TextColumn[] = [ID, { title: 'name' }, { title: 'definition' }];
const COLUMNS: Readonly<Record<SearchableType, readonly TextColumn[]>> = {
  metrics: DESCRIBED,
  items: DESCRIBED,
  regions: [ID, { title: 'name' }, { title: 'level' }, { title: 'in' }],
  sources: [ID, { title: 'name' }, { title: 'long name' }, { title: 'licence' }],
};

async function rowsOf(
  client: Client,
  found: readonly Found[],
  { type, counts, signal }: { type: SearchableType; counts: SeriesCounts | null; signal: AbortSignal },
): Promise<string[][]> {
  const wanted = type === 'regions' ? found.flatMap((one) => ('belongsTo' in one ? one.belongsTo : [])) : [];
  const parents = await client.lookup('regions', wanted, { signal });
  return found.map((one) => {
    const series = counts === null ? [] : [String(counts.get(one.id) ?? 0)];
    const shown = [String(one.id), one.name, ...series];
    if ('longName' in one) return [...shown, one.longName, one.licence];
    if (!('level' in one)) return [...shown, withoutMarkup(one.definition)];
    const containers = one.belongsTo.map((id) => parents[id]?.name ?? String(id));
    return [...shown, levelName(one), containers.join(', ')];
  });
}

function levelName({ level, historical }: EntityOf['regions']): string {
  const name = Object.entries(REGION_LEVELS).find(([, known]) => known === level)?.[0] ?? String(level);
  return historical ? `${name}, historical` : name;
}

function withoutMarkup(definition: string): string {
  return definition.replace(/<[^>]*>/g, '');
}

const ALL_COLUMNS: readonly TextColumn[] = [
  { title: 'type' },
  { title: 'id', align: 'right' },
  { title: 'name' },
  { title: 'series', align: 'right' },
  { title: 'found as' },
];

/** The most hits that a service returns of a search of all types. */
const MAX_HITS = 100;

function searchAll(context: CommandContext, options: SearchOptions): Promise<void> {
  const { words, limit, json } = options;
  return withClient(context, options, async (client) => {
    const { signal } = context;
    const terms = words.join(' ');
    const found = await client.searchAll(terms, { limit: Math.min(limit, MAX_HITS), signal });
    if (found.length === 0) throw new NothingFoundError(`nothing found for "${terms}"`);
    if (json === true) return writeJson(context.stdout, found);
    const rows = found.map(({ entity_type, id, name, series, matched = '' }) => [
      ...[entity_type, String(id), name],
      ...[String(series), matched],
    ]);
    const isFound = found.some(({ matched }) => matched !== undefined);
    await writeTable(context, isFound ? ALL_COLUMNS : ALL_COLUMNS.slice(0, -1), rows);
  });
}
