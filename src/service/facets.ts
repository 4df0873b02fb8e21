import {
  FACET_FIELDS,
  FACETS,
  type FacetName,
  type FacetValue,
  type SelectionLists,
} from '../model/selection.js';
import { fold } from '../search/fold.js';
import { beginWords } from '../search/text-search.js';
import { countsById, type FieldCounts } from '../store/plan.js';
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
      const { values, others } = await (text === undefined
        ? listValues(service, name, { counts, selection })
        : findValues(service, name, { counts, text, limit }));
      facets[name] = values;
      more[name] = others;
      lifted[name] = counts.total;
    }
    return { data: { series: counted.series, ...facets, more, lifted } };
  },
} satisfies Partial<Handlers>;

interface ListedValues {
  readonly values: FacetValue[];
  readonly others: number;
}

/** Lists a facet's values from the store, followed by selected values that no series has. */
async function listValues(
  { names }: ServiceContext,
  name: FacetName,
  { counts, selection }: { counts: FieldCounts; selection: SelectionLists },
): Promise<ListedValues> {
  const { field, type } = FACET_FIELDS[name];
  const found = new Set(counts.ids);
  const absent = (selection[field] ?? []).filter((id) => !found.has(id));
  const named = await names.of(type, [...counts.ids, ...absent]);
  const values = [...counts.ids].map((id, at) => ({
    id,
    name: named.get(id) ?? String(id),
    series: counts.series[at]!,
  }));
  const withoutSeries = absent.flatMap((id) => {
    const label = named.get(id);
    return label === undefined ? [] : [{ id, name: label, series: 0 }];
  });
  return { values: [...values, ...withoutSeries], others: counts.values - counts.ids.length };
}

async function findValues(
  service: ServiceContext,
  name: FacetName,
  { counts, text, limit }: { counts: FieldCounts; text: string; limit: number },
): Promise<ListedValues> {
  const { type } = FACET_FIELDS[name];
  const byId = countsById(counts);
  const found =
    type === 'frequencies'
      ? await findFrequencies(service, byId, text)
      : (await service.search.searchAmong(type, byId, text)).map(
          ({ id, name, series, matched }): FacetValue => ({ id, name, series, matched }),
        );
  return { values: found.slice(0, limit), others: Math.max(0, found.length - limit) };
}

/** Finds frequencies, which have no search index. Each word of the text must be a prefix of a word in the name. */
async function findFrequencies(
  { names }: ServiceContext,
  counts: ReadonlyMap<number, number>,
  text: string,
): Promise<FacetValue[]> {
  const words = fold(text).split(' ');
  if (words[0] === '') return [];
  const named = await names.of('frequencies', counts.keys());
  return [...counts].flatMap(([id, series]) => {
    const name = named.get(id) ?? String(id);
    return beginWords(words, fold(name)) ? [{ id, name, series }] : [];
  });
}
