import {
  FACET_FIELDS,
  FACETS,
  type FacetName,
  type FacetValue,
  type SelectionLists,
} from '../model/selection.js';
import { fold } from '../search/fold.js';
import { beginWords } from '../search/text-search.js';
import type { FieldCounts } from '../store/plan.js';
import { turns } from '../store/turns.js';
import type { Handlers, ServiceContext } from './handler.js';
import { readSelection } from './selection.js';

export const facetHandlers = {
  facets: async ({ query, signal }, service) => {
    const selection = readSelection(query);
    const { q: text, limit } = query;
    const names = FACETS.filter((name) => query.in?.includes(name) ?? true);
    const fields = names.map((name) => FACET_FIELDS[name].field);
    const plan = { selection, fields, limit: text === undefined ? limit : null };
    const counted = await service.store.facets(plan, { signal });
    const facets: { [Name in FacetName]?: FacetValue[] } = {};
    const more: { [Name in FacetName]?: number } = {};
    const lifted: { [Name in FacetName]?: number } = {};
    for (const name of names) {
      signal.throwIfAborted();
      await turns.next();
      const counts = counted.fields.get(FACET_FIELDS[name].field)!;
      lifted[name] = counts.total;
      if (text === undefined) {
        facets[name] = await listValues(service, name, { counts, selection });
        more[name] = counts.values - counts.series.size;
      } else {
        const found = await findValues(service, name, { counts: counts.series, text });
        facets[name] = found.slice(0, limit);
        more[name] = Math.max(0, found.length - limit);
      }
    }
    return { data: { series: counted.series, ...facets, more, lifted } };
  },
} satisfies Partial<Handlers>;

/** Lists the facet values that have series, followed by any selected values that have no series. */
async function listValues(
  { names }: ServiceContext,
  name: FacetName,
  { counts: { series }, selection }: { counts: FieldCounts; selection: SelectionLists },
): Promise<FacetValue[]> {
  const { field, type } = FACET_FIELDS[name];
  const absent = (selection[field] ?? []).filter((id) => !series.has(id));
  const named = await names.of(type, [...series.keys(), ...absent]);
  return [
    ...Array.from(series, ([id, count]) => ({ id, name: named.get(id) ?? String(id), series: count })),
    ...absent.filter((id) => named.has(id)).map((id) => ({ id, name: named.get(id)!, series: 0 })),
  ];
}

/** Finds a facet's values whose names match a text. Frequencies, which have no index, are matched by word prefixes. */
async function findValues(
  { names, search }: ServiceContext,
  name: FacetName,
  { counts, text }: { counts: ReadonlyMap<number, number>; text: string },
): Promise<FacetValue[]> {
  const { type } = FACET_FIELDS[name];
  if (type !== 'frequencies') {
    const hits = await search.searchAmong(type, counts, text);
    return hits.map(({ id, name, series, matched }) => ({ id, name, series, matched }));
  }
  const words = fold(text).split(' ');
  if (words[0] === '') return [];
  const named = await names.of('frequencies', counts.keys());
  return [...counts]
    .map(([id, series]) => ({ id, name: named.get(id) ?? String(id), series }))
    .filter((value) => beginWords(words, fold(value.name)));
}
