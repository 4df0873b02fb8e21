import type { PointColumns } from '../../columns/point-columns.js';
import { emptyPoints, joinColumns, sliceColumns } from '../../columns/point-rows.js';
import { seriesRuns } from '../../columns/series-runs.js';
import type { PointPlan } from '../../store/plan.js';

/** All points of one series of a plan. */
interface SeriesColumns {
  readonly position: number;
  readonly columns: PointColumns;
}

/** Regroups batches by series. Yields every series of the plan once and in order, also series without points. */
export async function* groupBySeries(
  batches: AsyncIterable<PointColumns>,
  plan: Pick<PointPlan, 'series' | 'withAvailableDate' | 'withMetadata'>,
): AsyncGenerator<SeriesColumns> {
  let position = 0;
  let parts: PointColumns[] = [];
  const nextSeries = (): SeriesColumns => {
    const columns = parts.length === 0 ? emptyPoints(plan) : joinColumns(parts);
    parts = [];
    return { position: position++, columns };
  };
  for await (const batch of batches) {
    for (const run of seriesRuns(batch)) {
      while (position < run.position) yield nextSeries();
      parts.push(sliceColumns(batch, run.from, run.to));
    }
  }
  while (position < plan.series.length) yield nextSeries();
}
