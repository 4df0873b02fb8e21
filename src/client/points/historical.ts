import type { PointColumns, PointSet } from '../../columns/point-columns.js';
import { atPosition, sliceColumns } from '../../columns/point-rows.js';
import { seriesRuns } from '../../columns/series-runs.js';
import type { BlockSeries } from '../../contract/series-blocks.js';

/**
 * The points without the series of historical regions, for services that leave it to clients to drop them.
 */
export function withoutHistorical({
  series,
  batches,
}: {
  series: readonly BlockSeries[];
  batches: readonly PointColumns[];
}): PointSet {
  const newPositions = new Map<number, number>();
  const kept = series.filter((one, position) => {
    if (isHistorical(one)) return false;
    newPositions.set(position, newPositions.size);
    return true;
  });
  if (kept.length === series.length) return { series, batches };
  return { series: kept, batches: batches.flatMap((columns) => keptRuns(columns, newPositions)) };
}

function isHistorical(series: BlockSeries): boolean {
  return series.includes_historical_region === true || series.includes_historical_partner_region === true;
}

function keptRuns(columns: PointColumns, newPositions: ReadonlyMap<number, number>): PointColumns[] {
  return [...seriesRuns(columns)].flatMap(({ position, from, to }) => {
    const newPosition = newPositions.get(position);
    return newPosition === undefined ? [] : [atPosition(sliceColumns(columns, from, to), newPosition)];
  });
}
