import { type SearchableType, WORLD_NAME, WORLD_REGION_ID } from '../model/entity.js';
import { decideMeanings, isCalled, type Meaning, type NamedHit } from '../model/names/meaning.js';
import { NAMED_WORDS, SOURCE_WORD } from '../model/series.js';
import { turns } from '../store/turns.js';
import { findSeries, NO_SERIES, type Resolved, type ResolveQuery } from './find-series.js';
import type { Handlers, ServiceContext } from './handler.js';
import { type ReadText, readWords } from './read-words.js';

export const resolveHandlers = {
  resolve: async ({ query: asked, signal }, service) => {
    const read = asked.text === undefined ? null : await readWords(service.search, asked.text);
    const query = read === null ? asked : withRead(asked, read);
    const resolved: Resolved[] = [];
    for (const { word, type, field } of [...NAMED_WORDS, SOURCE_WORD])
      for (const requested of query[parameterOf(word)] ?? []) {
        signal.throwIfAborted();
        await turns.next();
        const hits = await meaningsOf(service, type, { requested, ids: query.ids === true });
        resolved.push({ word, field, requested, hits: word === 'source' ? hits : hits.slice(0, query.hits) });
      }
    const names = resolved.map(({ field: _, ...name }) => name);
    const found = query.limit === 0 ? NO_SERIES : await findSeries(service, resolved, { query, signal });
    const { computed, unread } = read ?? {};
    return { data: { names, ...found, computed, unread: unread?.length ? unread : undefined } };
  },
} satisfies Partial<Handlers>;

function parameterOf(word: Resolved['word']): 'metric' | 'item' | 'region' | 'partnerRegion' | 'source' {
  return word === 'partner_region' ? 'partnerRegion' : word;
}

function withRead(query: ResolveQuery, { names, frequency_id }: ReadText): ResolveQuery {
  const all = { ...query };
  for (const { word, requested } of names)
    all[parameterOf(word)] = [...(all[parameterOf(word)] ?? []), requested];
  return frequency_id === undefined ? all : { ...all, frequencyId: all.frequencyId ?? [frequency_id] };
}

/** Finds the entities that a name may refer to. If `ids` is set, the name may also be an id. */
async function meaningsOf(
  service: ServiceContext,
  type: SearchableType,
  { requested, ids }: { requested: string; ids: boolean },
): Promise<Meaning[]> {
  const id = ids && /^(?:0|[1-9]\d{0,9})$/.test(requested) ? Number(requested) : undefined;
  if (id !== undefined) {
    const isWorld = type === 'regions' && id === WORLD_REGION_ID;
    const name = isWorld ? WORLD_NAME : (await service.names.of(type, [id])).get(id);
    if (name !== undefined) return [{ id, name, exact: true }];
  }
  const hits = await service.search.searchNames(type, requested);
  const found = id === undefined ? hits : hits.filter(({ exact }) => exact);
  const labels = type === 'regions' ? await labelNamesakes(service, requested, found) : undefined;
  return decideMeanings(type, requested, { found, labels });
}

/** Labels regions of the same name by adding the smallest region that contains each of them, as in "Georgia, Asia". */
async function labelNamesakes(
  { store }: ServiceContext,
  requested: string,
  found: readonly NamedHit[],
): Promise<ReadonlyMap<number, string>> {
  const exact = found.filter((hit) => hit.exact);
  const called = exact.filter((hit) => isCalled(hit, requested)).map(({ id }) => id);
  if (exact.length < 2 || called.length === 0) return new Map();
  const regions = await store.lookup('regions', called);
  const parents = await store.lookup(
    'regions',
    regions.flatMap(({ belongsTo }) => belongsTo),
  );
  return new Map(
    regions.flatMap(({ id, name, belongsTo }) => {
      const [nearest] = parents
        .filter((parent) => belongsTo.includes(parent.id))
        .sort((a, b) => (b.level ?? 0) - (a.level ?? 0));
      return nearest === undefined ? [] : [[id, `${name}, ${nearest.name}`] as const];
    }),
  );
}
