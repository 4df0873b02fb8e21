import { atPosition, type PackedPoints } from '../../columns/packed-points.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { AuthenticationError } from '../../model/errors.js';
import { arrivedReport, failedReport, type RetrievalReport, type SeriesReport } from '../../model/report.js';
import type { SelectionLists } from '../../model/selection.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../model/series.js';

/** Maximum number of series in one request: a lost answer is requested again as a whole. */
const MAX_SERIES = 1000;

/** Maximum number of ids in one request: many servers refuse a URL of more than a few thousand characters. */
const MAX_IDS = 200;

/**
 * Splits a selection into parts of one request each, by halving the longest list until every part is small enough. The
 * parts together select the same points, in the order of its lists.
 */
export function splitSelection(lists: SelectionLists): SelectionLists[] {
  if (isSmall(lists)) return [lists];
  const [field, ids] = longest(lists);
  const half = Math.ceil(ids.length / 2);
  return [ids.slice(0, half), ids.slice(half)].flatMap((part) => splitSelection({ ...lists, [field]: part }));
}

function isSmall(lists: SelectionLists): boolean {
  const counts = Object.values(lists).map((ids) => ids.length);
  const series = counts.reduce((product, count) => product * count, 1);
  const ids = counts.reduce((sum, count) => sum + count, 0);
  return counts.every((count) => count <= 1) || (series <= MAX_SERIES && ids <= MAX_IDS);
}

function longest(lists: SelectionLists): [string, readonly number[]] {
  return Object.entries(lists).reduce((max, list) => (list[1].length > max[1].length ? list : max));
}

/** The result of one part of a split selection. */
export interface PartResult {
  readonly lists: SelectionLists;
  /** Null when it failed. */
  readonly points: {
    series: readonly BlockSeries[];
    runs: readonly PackedPoints[];
    origin: { fromCache: boolean };
  } | null;
  readonly cause?: unknown;
}

/** A part's points, or why it failed. @throws the failure itself when it is the only part, or the token is refused */
export async function settlePart(
  lists: SelectionLists,
  isOneOfSeveral: boolean,
  fetch: () => Promise<NonNullable<PartResult['points']>>,
): Promise<PartResult> {
  try {
    return { lists, points: await fetch() };
  } catch (cause) {
    if (!isOneOfSeveral || cause instanceof AuthenticationError) throw cause;
    return { lists, points: null, cause };
  }
}

export function joinParts(results: readonly PartResult[]): { series: BlockSeries[]; runs: PackedPoints[] } {
  const series: BlockSeries[] = [];
  const runs: PackedPoints[] = [];
  for (const { points } of results) {
    const offset = series.length;
    series.push(...(points?.series ?? []));
    for (const run of points?.runs ?? []) runs.push(atPosition(run, run.series + offset));
  }
  return { series, runs };
}

/** One entry for each series that arrived, and for each that a failed part requested. */
export function reportOf(results: readonly PartResult[]): RetrievalReport {
  return results.flatMap(({ lists, points, cause }) =>
    points === null ? keysOf(lists).map((series) => failedReport(series, cause)) : arrivedSeries(points),
  );
}

function arrivedSeries({ series, runs, origin }: NonNullable<PartResult['points']>): SeriesReport[] {
  const rows = new Uint32Array(series.length);
  for (const { series: position, length } of runs) rows[position]! += length;
  return series.map((one, position) =>
    arrivedReport(one, rows[position]!, {
      from_cache: origin.fromCache,
      unreadable_values: one.unreadable_values,
    }),
  );
}

/** Every series that a selection names. */
function keysOf(lists: SelectionLists): SeriesKey[] {
  const named = { partner_region_id: [0], ...lists };
  return SERIES_KEY_FIELDS.reduce<Partial<SeriesKey>[]>(
    (keys, field) => keys.flatMap((key) => (named[field] ?? []).map((id) => ({ ...key, [field]: id }))),
    [{}],
  ) as SeriesKey[];
}
