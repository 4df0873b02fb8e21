import { type PointsQuery, SERIES_PER_REQUEST } from '../../contract/endpoints.js';
import { SELECTION_FIELDS, type SelectionLists } from '../../model/selection.js';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import type { StoredSeries } from '../../store/plan.js';
import type { ServiceContext } from '../context.js';

interface Matching {
  readonly selections: readonly SelectionLists[];
  readonly signal: AbortSignal;
}

/**
 * The series of the store that each selection asks for: those known from before, and the others found in one listing
 * for all selections that treat historical regions alike. Lists stop growing when together they pass what one request
 * may ask for.
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
      const known = includeHistorical ? await knownMatches(service, matching.selections[position]!) : null;
      if (known === null) positions.push(position);
      else matched[position] = known;
    }
    if (positions.length > 0)
      await listMatches(service, { ...matching, positions, includeHistorical, matched });
  }
  return matched;
}

/** The series of a selection by ascending handle, when every combination of its ids is known. */
async function knownMatches(
  { knownSeries }: ServiceContext,
  selection: SelectionLists,
): Promise<StoredSeries[] | null> {
  if (combinationCount(selection) > SERIES_PER_REQUEST) return null;
  const known = await knownSeries.find(combinations(selection));
  return known?.sort((a, b) => a.handle - b.handle) ?? null;
}

async function listMatches(
  { store, knownSeries }: ServiceContext,
  listing: Matching & { positions: readonly number[]; includeHistorical: boolean; matched: StoredSeries[][] },
): Promise<void> {
  const { selections, positions, includeHistorical, matched, signal } = listing;
  const wantedBy = matcher(selections, positions);
  const selection = union(positions.map((position) => selections[position]!));
  let found = 0;
  for await (const batch of store.series({ selection, includeHistorical }, { signal })) {
    const wanted = batch.filter((stored) => {
      const askedBy = wantedBy(stored);
      for (const position of askedBy) matched[position]!.push(stored);
      found += askedBy.length;
      return askedBy.length > 0;
    });
    await knownSeries.keep(wanted);
    if (found > SERIES_PER_REQUEST) return;
  }
}

/** Finds the selections that want a series: those of one series by their key, the others one by one. */
function matcher(
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

/** The smallest selection that holds all of these; a retrieval restricts every field. */
function union(selections: readonly SelectionLists[]): SelectionLists {
  const whole: { [Field in keyof SeriesKey]?: readonly number[] } = {};
  for (const field of SELECTION_FIELDS) {
    whole[field] = [...new Set(selections.flatMap((selection) => selection[field] ?? []))];
  }
  return whole;
}

/** Combinations asked for that the store does not have, as long as naming them all is reasonable. */
export function absentSeries(selection: SelectionLists, known: readonly SeriesKey[]): SeriesKey[] {
  const count = combinationCount(selection);
  if (count > SERIES_PER_REQUEST || count === known.length) return [];
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
