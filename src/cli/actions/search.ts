import type { Client } from '../../create-client.js';
import {
  type Containing,
  type EntityOf,
  levelName,
  type Region,
  type SearchableType,
  type Source,
} from '../../model/entity.js';
import { NotFoundError } from '../../model/errors.js';
import { MAX_HITS } from '../../model/schema/fields.js';
import { FACET_FIELDS } from '../../model/selection.js';

import type { SEARCH } from '../commands/discovery.js';
import { withClient } from '../connection/with-client.js';
import type { InputValues } from '../options/flags.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, writeJson } from '../terminal/io.js';
import { type TextColumn, writeTable } from '../terminal/text-table.js';

/** Makes the error for a name that no entity has. */
function noHitError(type: SearchableType, name: string): NothingFoundError {
  return new NothingFoundError(`no ${type} found for "${name}"`);
}

type SearchOptions = InputValues<typeof SEARCH.takes>;
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
    const columns = [...NAMED, { ...SERIES, of: ({ id }: Found) => counts && (counts.get(id) ?? 0) }];
    await writeTable(context, found, [...columns, ...(await detailsOf(client, found, { type, signal }))]);
  });
}

type SeriesCounts = ReadonlyMap<number, number>;

/** Counts the series of each entity. Returns null if the service cannot count them. */
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

const NAMED: readonly TextColumn<Pick<Found, 'id' | 'name'>>[] = [
  { title: 'id', align: 'right', of: ({ id }) => id },
  { title: 'name', of: ({ name }) => name },
];
const SERIES = { title: 'series', align: 'right', optional: true } as const;

/** Formats further details of an entity for the table. */
async function detailsOf(
  client: Client,
  found: readonly Found[],
  { type, signal }: { type: SearchableType; signal: AbortSignal },
): Promise<TextColumn<Found>[]> {
  if (type === 'sources')
    return [
      { title: 'long name', of: (one) => (one as Source).longName },
      { title: 'licence', of: (one) => (one as Source).licence },
    ];
  if (type !== 'regions')
    return [{ title: 'definition', of: (one) => withoutMarkup((one as Containing).definition) }];
  const containers = (found as readonly Region[]).flatMap(({ belongsTo }) => belongsTo);
  const parents = await client.lookup('regions', containers, { signal });
  const nameOf = (id: number) => parents[id]?.name ?? String(id);
  return [
    { title: 'level', of: (one) => kindOf(one as Region) },
    { title: 'in', of: (one) => (one as Region).belongsTo.map(nameOf).join(', ') },
  ];
}

function kindOf({ level, historical }: Region): string {
  const name = levelName(level) ?? String(level);
  return historical ? `${name}, historical` : name;
}

function withoutMarkup(definition: string): string {
  return definition.replace(/<[^>]*>/g, '');
}

function searchAll(context: CommandContext, options: SearchOptions): Promise<void> {
  const { words, limit, json } = options;
  return withClient(context, options, async (client) => {
    const { signal } = context;
    const terms = words.join(' ');
    const found = await client.searchAll(terms, { limit: Math.min(limit, MAX_HITS), signal });
    if (found.length === 0) throw new NothingFoundError(`nothing found for "${terms}"`);
    if (json === true) return writeJson(context.stdout, found);
    await writeTable(context, found, [
      { title: 'type', of: ({ entity_type }) => entity_type },
      ...NAMED,
      { title: 'series', align: 'right', of: ({ series }) => series },
      { title: 'found as', optional: true, of: ({ matched }) => matched },
    ]);
  });
}
