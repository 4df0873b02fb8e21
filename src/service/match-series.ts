import { type PointsQuery, SERIES_PER_REQUEST } from '../contract/endpoints.js';
import { SELECTION_FIELDS, type SelectionLists } from '../model/selection.js';
import { type SeriesKey, seriesKeyText } from '../model/series.js';
import type { StoredSeries } from '../store/plan.js';
import type { StoreReader } from '../store/store.js';

/**
 * The series of the store that each selection asks for, found in one listing for all selections that treat historical
 * regions alike. Lists stop growing when together they pass what one request may ask for.
 */
export async function matchSeries(
  store: StoreReader,
  queries: readonly PointsQuery[],
  { selections, signal }: { selections: readonly SelectionLists[]; signal: AbortSignal },
): Promise<StoredSeries[][]> {
  const matched = selections.map((): StoredSeries[] => []);
  for (const includeHistorical of [true, false]) {
    const positions = queries.flatMap((query, i) =>
      (query.includeHistorical ?? true) === includeHistorical ? [i] : [],
    );
    if (positions.length === 0) continue;
    const wantedBy = matcher(selections, positions);
    const selection = union(positions.map((position) => selections[position]!));
    let found = 0;
    for await (const batch of store.series({ selection, includeHistorical }, { signal })) {
      for (const stored of batch) {
        for (const position of wantedBy(stored)) found += matched[position]!.push(stored) > 0 ? 1 : 0;
      }
      if (found > SERIES_PER_REQUEST) return matched;
    }
  }
  return matched;
}

/** Finds the selections that want a series: those of one series by their key, the others one by one. */
function matcher(
  selections: readonly SelectionLists[],
  positions: readonly number[],
): (series: SeriesKey) => number[] {
  if (positions.length === 1) return () => [positions[0]!];
  const byKey = new Map<string, number[]>();
  const broad: { position: number; sets: [keyof SeriesKey, Set<number>][] }[] = [];
  for (const position of positions) {
    const lists = selections[position]!;
    if (SELECTION_FIELDS.every((field) => lists[field]?.length === 1)) {
      const key = seriesKeyText(
        Object.fromEntries(SELECTION_FIELDS.map((field) => [field, lists[field]![0]])) as never,
      );
      byKey.set(key, [...(byKey.get(key) ?? []), position]);
    } else {
      const sets = SELECTION_FIELDS.flatMap((field): [keyof SeriesKey, Set<number>][] =>
        lists[field] === undefined ? [] : [[field, new Set(lists[field])]],
      );
      broad.push({ position, sets });
    }
  }
  return (series) => [
    ...(byKey.get(seriesKeyText(series)) ?? []),
    ...broad
      .filter(({ sets }) => sets.every(([field, ids]) => ids.has(series[field])))
      .map(({ position }) => position),
  ];
}

/** The smallest selection that holds all of these. */
function union(selections: readonly SelectionLists[]): SelectionLists {
  const whole: { [Field in keyof SeriesKey]?: readonly number[] } = {};
  for (const field of SELECTION_FIELDS) {
    if (selections.some((selection) => selection[field] === undefined)) continue;
    whole[field] = [...new Set(selections.flatMap((selection) => selection[field]!))];
  }
  return whole;
}

/** Combinations asked for that the store does not have, as long as naming them all is reasonable. */
export function absentSeries(selection: SelectionLists, known: readonly SeriesKey[]): SeriesKey[] {
  const lists = SELECTION_FIELDS.map((field) => selection[field] ?? []);
  const combinations = lists.reduce((product, list) => product * list.length, 1);
  if (combinations > SERIES_PER_REQUEST || combinations === known.length) return [];
  const present = new Set(known.map(seriesKeyText));
  return product(lists)
    .map(
      (ids) =>
        Object.fromEntries(SELECTION_FIELDS.map((field, i) => [field, ids[i]])) as unknown as SeriesKey,
    )
    .filter((key) => !present.has(seriesKeyText(key)));
}

function product(lists: readonly (readonly number[])[]): number[][] {
  return lists.reduce<number[][]>(
    (rows, list) => rows.flatMap((row) => list.map((id) => [...row, id])),
    [[]],
  );
}
