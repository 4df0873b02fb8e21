import type { PointColumns } from '../../columns/point-columns.js';
import { emptyPoints, joinColumns, sliceColumns } from '../../columns/point-rows.js';
import { seriesRuns } from '../../columns/series-runs.js';
import type { PointPlan } from '../../store/plan.js';

/** All points of one series of a plan. */
export interface SeriesColumns {
  readonly position: number;
  readonly columns: PointColumns;
}

/** Regroups batches by series: every series of the plan comes exactly once, in order, also without a point. */
export async function* columnsBySeries(
  batches: AsyncIterable<PointColumns>,
  plan: Pick<PointPlan, 'series' | 'withAvailableDate' | 'withMetadata'>,
): AsyncGenerator<SeriesColumns> {
  let position = 0;
  let parts: PointColumns[] = [];
  const take = (): SeriesColumns => {
    const columns = parts.length === 0 ? emptyPoints(plan) : joinColumns(parts);
    parts = [];
    return { position: position++, columns };
  };
  for await (const batch of batches) {
    for (const run of seriesRuns(batch)) {
      while (position < run.position) yield take();
      parts.push(sliceColumns(batch, run.from, run.to));
    }
  }
  while (position < plan.series.length) yield take();
}
