import type { PackedPoints } from '../../columns/packed-points.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import type { RetrievalReport, SeriesReport } from '../../model/report.js';
import { SELECTION_FIELDS, type SelectionLists } from '../../model/selection.js';
import { type SeriesKey, seriesKeyOf } from '../../model/series.js';

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

/** One entry for each series that arrived, and for each that a failed part requested. */
export function reportOf(results: readonly PartResult[]): RetrievalReport {
  return results.flatMap(({ lists, points, cause }) =>
    points === null ? failedSeries(lists, cause) : arrivedSeries(points),
  );
}

function failedSeries(lists: SelectionLists, cause: unknown): SeriesReport[] {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return keysOf(lists).map((series) => ({
    series,
    rows: 0,
    outcome: 'failed',
    reason,
    truncated: false,
    from_cache: false,
  }));
}

function arrivedSeries({ series, runs, origin }: NonNullable<PartResult['points']>): SeriesReport[] {
  const rows = new Uint32Array(series.length);
  for (const { series: position, length } of runs) rows[position]! += length;
  return series.map((one, position) => ({
    series: seriesKeyOf(one),
    rows: rows[position]!,
    outcome: rows[position]! > 0 ? 'data' : 'empty',
    reason: null,
    truncated: false,
    from_cache: origin.fromCache,
    unreadable_values: one.unreadable_values,
  }));
}

/** Every series that a selection names. */
function keysOf(lists: SelectionLists): SeriesKey[] {
  const named = { partner_region_id: [0], ...lists };
  return SELECTION_FIELDS.reduce<Partial<SeriesKey>[]>(
    (keys, field) => keys.flatMap((key) => (named[field] ?? []).map((id) => ({ ...key, [field]: id }))),
    [{}],
  ) as SeriesKey[];
}
