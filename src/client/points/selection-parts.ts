import { atPosition, type PackedPoints } from '../../columns/packed-points.js';
import type { BlockSeries } from '../../contract/series-blocks.js';
import { arrivedReport, failedReport, type RetrievalReport, type SeriesReport } from '../../model/report.js';
import { listedKeys, type SelectionLists } from '../../model/selection.js';
import type { Origin } from '../http/transport.js';

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

/** The points of one request. */
export interface RetrievedPoints {
  readonly series: readonly BlockSeries[];
  readonly runs: readonly PackedPoints[];
  readonly origin: Origin;
}

type PartResult = PromiseSettledResult<RetrievedPoints>;

/** The points of the parts that arrived. */
export function joinParts(results: readonly PartResult[]): { series: BlockSeries[]; runs: PackedPoints[] } {
  const series: BlockSeries[] = [];
  const runs: PackedPoints[] = [];
  for (const result of results) {
    if (result.status === 'rejected') continue;
    const offset = series.length;
    series.push(...result.value.series);
    for (const run of result.value.runs) runs.push(atPosition(run, run.series + offset));
  }
  return { series, runs };
}

/** One entry for each series that arrived, and for each that a failed part requested. */
export function reportOf(parts: readonly SelectionLists[], results: readonly PartResult[]): RetrievalReport {
  return results.flatMap((result, at) =>
    result.status === 'rejected'
      ? listedKeys({ partner_region_id: [0], ...parts[at]! }).map((series) =>
          failedReport(series, result.reason),
        )
      : arrivedSeries(result.value),
  );
}

function arrivedSeries({ series, runs, origin }: RetrievedPoints): SeriesReport[] {
  const rows = new Uint32Array(series.length);
  for (const { series: position, length } of runs) rows[position]! += length;
  return series.map((one, position) =>
    arrivedReport(one, rows[position]!, {
      from_cache: origin.fromCache,
      unreadable_values: one.unreadable_values,
    }),
  );
}
