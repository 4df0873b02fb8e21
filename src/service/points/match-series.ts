import { MAX_SERIES_PER_REQUEST, type PointsQuery } from '../../contract/requests/queries.js';
import type { SelectionLists } from '../../model/selection.js';
import { SERIES_KEY_FIELDS, type SeriesKey, seriesKeyText } from '../../model/series.js';
import type { StoredSeries } from '../../store/plan.js';
import { mapInTurns, turns } from '../../store/turns.js';
import type { CachedSeries } from '../cache/series.js';
import type { ServiceContext } from '../context.js';
import { readPointSelection } from '../selection.js';

/** A selection and what the store has of it. */
export interface MatchedSelection {
  readonly selection: SelectionLists;
  /** Its series by ascending handle. */
  readonly stored: readonly StoredSeries[];
}

interface Wanted extends MatchedSelection {
  readonly includeHistorical: boolean;
  stored: StoredSeries[];
}

/**
 * The series of each query's selection; equal selections are matched once and share the result. Cached series are used
 * where a selection's are all cached; the others are listed together, once with and once without historical regions.
 * Listing stops when the series exceed the limit of a request.
 */
export async function matchSeries(
  service: ServiceContext,
  queries: readonly PointsQuery[],
  signal: AbortSignal,
): Promise<MatchedSelection[]> {
  const wanted = await mapInTurns(queries, readWanted);
  const texts = await mapInTurns(wanted, (one) => JSON.stringify(one));
  const distinct = new Map(texts.map((text, i) => [text, wanted[i]!] as const));
  const cache = await service.seriesCache.now();
  const uncached: Wanted[] = [];
  let lookups = MAX_CACHE_LOOKUPS;
  for (const one of distinct.values()) {
    await turns.next();
    lookups -= combinationCount(one.selection);
    const cached = one.includeHistorical && lookups >= 0 ? cachedMatches(cache, one.selection) : null;
    if (cached === null) uncached.push(one);
    else one.stored = cached;
  }
  for (const includeHistorical of [true, false]) {
    const listed = uncached.filter((one) => one.includeHistorical === includeHistorical);
    if (listed.length > 0) await listMatches(service, listed, { cache, includeHistorical, signal });
  }
  return texts.map((text) => distinct.get(text)!);
}

/** Series of a request that are looked for in the cache; those of further selections are listed by the store. */
const MAX_CACHE_LOOKUPS = 2 * MAX_SERIES_PER_REQUEST;

function readWanted(query: PointsQuery): Wanted {
  const includeHistorical = query.includeHistorical ?? true;
  return { selection: readPointSelection(query), includeHistorical, stored: [] };
}

/** The series of a selection by ascending handle, or null unless it is known of every combination of its ids. */
function cachedMatches(cache: CachedSeries, selection: SelectionLists): StoredSeries[] | null {
  const cached = cache.find(combinations(selection));
  return cached?.sort((a, b) => a.handle - b.handle) ?? null;
}

async function listMatches(
  { store }: ServiceContext,
  wanted: readonly Wanted[],
  {
    cache,
    includeHistorical,
    signal,
  }: { cache: CachedSeries; includeHistorical: boolean; signal: AbortSignal },
): Promise<void> {
  const union = await unionSelection(wanted.map((one) => one.selection));
  const findWanted = await createMatcher(wanted, union);
  let found = 0;
  for await (const batch of store.series({ selection: narrowing(union), includeHistorical }, { signal })) {
    const requested: StoredSeries[] = [];
    for (const series of batch) {
      await turns.next();
      const selecting = findWanted(series);
      for (const { stored } of selecting) stored.push(series);
      found += selecting.length;
      if (selecting.length > 0) requested.push(series);
    }
    cache.add(requested);
    if (found > MAX_SERIES_PER_REQUEST) return;
  }
}

interface Broad {
  readonly wanted: Wanted;
  readonly sets: readonly (readonly [keyof SeriesKey, ReadonlySet<number>])[];
}

/**
 * Finds the selections of a series. Selections of a single series are found by its key, the others by their ids in the
 * field that tells the most of them apart, and then by comparison.
 */
async function createMatcher(
  wanted: readonly Wanted[],
  union: SelectionLists,
): Promise<(series: SeriesKey) => readonly Wanted[]> {
  if (wanted.length === 1) return () => wanted;
  const single = new Map<string, Wanted[]>();
  const broad = new Map<number, Broad[]>();
  const pivot = SERIES_KEY_FIELDS.reduce((widest, field) =>
    union[field]!.length > union[widest]!.length ? field : widest,
  );
  for (const one of wanted) {
    await turns.next();
    const { selection } = one;
    if (combinationCount(selection) === 1) {
      addTo(single, seriesKeyText(combinations(selection)[0]!), one);
      continue;
    }
    const sets = SERIES_KEY_FIELDS.map((field) => [field, new Set(selection[field])] as const);
    for (const id of selection[pivot]!) addTo(broad, id, { wanted: one, sets });
  }
  return (series) => [
    ...(single.get(seriesKeyText(series)) ?? []),
    ...(broad.get(series[pivot]) ?? [])
      .filter(({ sets }) => sets.every(([field, ids]) => ids.has(series[field])))
      .map((one) => one.wanted),
  ];
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The smallest selection that contains all of these, each of which restricts every field. */
async function unionSelection(selections: readonly SelectionLists[]): Promise<SelectionLists> {
  const sets = SERIES_KEY_FIELDS.map((field) => [field, new Set<number>()] as const);
  for (const selection of selections) {
    await turns.next();
    for (const [field, ids] of sets) for (const id of selection[field] ?? []) ids.add(id);
  }
  return Object.fromEntries(sets.map(([field, ids]) => [field, [...ids]]));
}

/** The store takes longer to read so many ids than to list what they would leave out. */
const MAX_NARROWING_IDS = 10_000;

/** A selection without the fields that have very many ids. */
function narrowing(selection: SelectionLists): SelectionLists {
  return Object.fromEntries(
    Object.entries(selection).filter(([, ids]) => ids === undefined || ids.length <= MAX_NARROWING_IDS),
  );
}

/** How many series `missingSeries` returns. */
export function countMissing({ selection, stored }: MatchedSelection): number {
  const count = combinationCount(selection);
  return count > MAX_SERIES_PER_REQUEST ? 0 : count - stored.length;
}

/** The combinations of a selection that the store does not have; none for a selection above the limit of a request. */
export function missingSeries(matched: MatchedSelection): SeriesKey[] {
  if (countMissing(matched) === 0) return [];
  const present = new Set(matched.stored.map(seriesKeyText));
  return combinations(matched.selection).filter((key) => !present.has(seriesKeyText(key)));
}

function combinationCount(selection: SelectionLists): number {
  return SERIES_KEY_FIELDS.reduce((product, field) => product * (selection[field]?.length ?? 0), 1);
}

function combinations(selection: SelectionLists): SeriesKey[] {
  return SERIES_KEY_FIELDS.reduce<Partial<SeriesKey>[]>(
    (keys, field) => keys.flatMap((key) => (selection[field] ?? []).map((id) => ({ ...key, [field]: id }))),
    [{}],
  ) as SeriesKey[];
}
