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
import { type Asking, type ClientContext, createAction } from '../connection/with-client.js';
import type { InputValues } from '../options/flags.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { writeJson } from '../terminal/io.js';
import { type TextColumn, writeTable } from '../terminal/text-table.js';

type SearchOptions = InputValues<typeof SEARCH.takes>;
type Found = EntityOf[SearchableType];

export const search = createAction(async (context, options: SearchOptions) => {
  const { type, limit, json } = options;
  const { client, signal } = context;
  const terms = options.words.join(' ');
  if (type === 'all') return searchAll(context, terms, options);
  const found: Found[] = [];
  for await (const entity of client.searchAndLookup(type, terms, { num_results: limit, signal }))
    found.push(entity);
  if (found.length === 0) throw new NothingFoundError(`no ${type} found for "${terms}"`);
  const counts = await countSeries(context, found, type);
  const withSeries = found.map((one) => ({ ...one, series: counts && (counts.get(one.id) ?? 0) }));
  if (json === true) return writeJson(context.stdout, counts === null ? found : withSeries);
  const series = { title: 'series', align: 'right', optional: true } as const;
  const columns = [...NAMED, { ...series, of: (one: (typeof withSeries)[0]) => one.series }];
  await writeTable(context, withSeries, [...columns, ...(await detailsOf(context, found, type))]);
});

/** Counts the series of each entity. Returns null if the service cannot count series. */
async function countSeries(
  { client, signal }: Asking,
  found: readonly Found[],
  type: SearchableType,
): Promise<ReadonlyMap<number, number> | null> {
  const selection = { [FACET_FIELDS[type].field]: found.map(({ id }) => id) };
  try {
    const counted = await client.facets(selection, { in: type, limit: 1, signal });
    return new Map(counted[type].map(({ id, series }) => [id, series]));
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

const NAMED: readonly TextColumn<Pick<Found, 'id' | 'name'>>[] = [
  { title: 'id', align: 'right', of: ({ id }) => id },
  { title: 'name', of: ({ name }) => name },
];

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
    return [{ title: 'definition', of: (one) => stripMarkup((one as Containing).definition) }];
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

function stripMarkup(definition: string): string {
  return definition.replace(/<[^>]*>/g, '');
}

async function searchAll(
  context: ClientContext,
  terms: string,
  { limit, json }: SearchOptions,
): Promise<void> {
  const { client, signal, stdout } = context;
  const found = await client.searchAll(terms, { limit: Math.min(limit, MAX_HITS), signal });
  if (found.length === 0) throw new NothingFoundError(`nothing found for "${terms}"`);
  if (json === true) return writeJson(stdout, found);
  await writeTable(context, found, [
    { title: 'type', of: ({ entity_type }) => entity_type },
    ...NAMED,
    { title: 'series', align: 'right', of: ({ series }) => series },
    { title: 'found as', optional: true, of: ({ matched }) => matched },
  ]);
}
