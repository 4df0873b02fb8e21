import { MAX_SERIES_PER_REQUEST, type PointsQuery } from '../../contract/queries.js';
import { SELECTION_FIELDS, type SelectionLists } from '../../model/selection.js';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import type { StoredSeries } from '../../store/plan.js';
import type { ServiceContext } from '../context.js';

interface Matching {
  readonly selections: readonly SelectionLists[];
  readonly signal: AbortSignal;
}

/**
 * The stored series of each selection. Cached series are used where a selection's are all cached; the others are listed
 * together, once with and once without historical regions. Listing stops when the series exceed the limit of a request.
 */
export async function matchSeries(
  service: ServiceContext,
  queries: readonly PointsQuery[],
  matching: Matching,
): Promise<StoredSeries[][]> {
  const matched = matching.selections.map((): StoredSeries[] => []);
  for (const includeHistorical of [true, false]) {
    const positions: number[] = [];
    for (const [position, query] of queries.entries()) {
      if ((query.includeHistorical ?? true) !== includeHistorical) continue;
      const cached = includeHistorical ? await cachedMatches(service, matching.selections[position]!) : null;
      if (cached === null) positions.push(position);
      else matched[position] = cached;
    }
    if (positions.length > 0)
      await listMatches(service, { ...matching, positions, includeHistorical, matched });
  }
  return matched;
}

/** The series of a selection by ascending handle, or null unless every combination of its ids is cached. */
async function cachedMatches(
  { seriesCache }: ServiceContext,
  selection: SelectionLists,
): Promise<StoredSeries[] | null> {
  if (combinationCount(selection) > MAX_SERIES_PER_REQUEST) return null;
  const cached = await seriesCache.find(combinations(selection));
  return cached?.sort((a, b) => a.handle - b.handle) ?? null;
}

async function listMatches(
  { store, seriesCache }: ServiceContext,
  listing: Matching & { positions: readonly number[]; includeHistorical: boolean; matched: StoredSeries[][] },
): Promise<void> {
  const { selections, positions, includeHistorical, matched, signal } = listing;
  const findSelections = createMatcher(selections, positions);
  const selection = unionSelection(positions.map((position) => selections[position]!));
  let found = 0;
  for await (const batch of store.series({ selection, includeHistorical }, { signal })) {
    const requested = batch.filter((stored) => {
      const selectedBy = findSelections(stored);
      for (const position of selectedBy) matched[position]!.push(stored);
      found += selectedBy.length;
      return selectedBy.length > 0;
    });
    await seriesCache.add(requested);
    if (found > MAX_SERIES_PER_REQUEST) return;
  }
}

/** Finds the selections of a series. Selections of a single series are found by its key, the others by comparison. */
function createMatcher(
  selections: readonly SelectionLists[],
  positions: readonly number[],
): (series: SeriesKey) => readonly number[] {
  if (positions.length === 1) return () => positions;
  const byKey = new Map<string, number[]>();
  const broad: { position: number; sets: [keyof SeriesKey, Set<number>][] }[] = [];
  for (const position of positions) {
    const lists = selections[position]!;
    if (combinationCount(lists) === 1) {
      const key = seriesKeyText(combinations(lists)[0]!);
      byKey.set(key, [...(byKey.get(key) ?? []), position]);
    } else {
      broad.push({ position, sets: SELECTION_FIELDS.map((field) => [field, new Set(lists[field])]) });
    }
  }
  return (series) => [
    ...(byKey.get(seriesKeyText(series)) ?? []),
    ...broad
      .filter(({ sets }) => sets.every(([field, ids]) => ids.has(series[field])))
      .map(({ position }) => position),
  ];
}

/** The smallest selection that contains all of these, each of which restricts every field. */
function unionSelection(selections: readonly SelectionLists[]): SelectionLists {
  const union: { [Field in keyof SeriesKey]?: readonly number[] } = {};
  for (const field of SELECTION_FIELDS) {
    union[field] = [...new Set(selections.flatMap((selection) => selection[field] ?? []))];
  }
  return union;
}

/** The combinations of a selection that the store does not have; none for a selection above the limit of a request. */
export function missingSeries(selection: SelectionLists, known: readonly SeriesKey[]): SeriesKey[] {
  const count = combinationCount(selection);
  if (count > MAX_SERIES_PER_REQUEST || count === known.length) return [];
  const present = new Set(known.map(seriesKeyText));
  return combinations(selection).filter((key) => !present.has(seriesKeyText(key)));
}

function combinationCount(selection: SelectionLists): number {
  return SELECTION_FIELDS.reduce((product, field) => product * (selection[field]?.length ?? 0), 1);
}

function combinations(selection: SelectionLists): SeriesKey[] {
  return SELECTION_FIELDS.reduce<Partial<SeriesKey>[]>(
    (keys, field) => keys.flatMap((key) => (selection[field] ?? []).map((id) => ({ ...key, [field]: id }))),
    [{}],
  ) as SeriesKey[];
}
