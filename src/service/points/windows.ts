import type { PointColumns } from '../../columns/point-columns.js';
import { shiftSeries } from '../../columns/point-rows.js';
import type { PointPlan, StoredSeries } from '../../store/plan.js';
import type { StoreReader } from '../../store/store.js';

/** The first window is smaller, so that the answer begins early. */
const FIRST_WINDOW_POINTS = 65_536;
const LATER_WINDOW_POINTS = 131_072;

/**
 * Reads the points of a plan window by window. Each window is read completely before its first batch is yielded, so that a
 * slow consumer holds one window in memory and no connection of the store.
 */
export async function* readInWindows(
  store: StoreReader,
  plan: PointPlan,
  signal: AbortSignal,
): AsyncGenerator<PointColumns> {
  for (const { offset, series } of planWindows(plan.series)) {
    const batches: PointColumns[] = [];
    for await (const columns of store.points({ ...plan, series }, { signal })) batches.push(columns);
    for (const columns of batches) yield shiftSeries(columns, offset);
  }
}

interface Window {
  /** The position in the plan of the window's first series. */
  readonly offset: number;
  readonly series: readonly StoredSeries[];
}

function* planWindows(series: readonly StoredSeries[]): Generator<Window> {
  let offset = 0;
  let points = 0;
  let maxPoints = FIRST_WINDOW_POINTS;
  for (let i = 0; i < series.length; i++) {
    const { pointCount } = series[i]!;
    if (i > offset && points + pointCount > maxPoints) {
      yield { offset, series: series.slice(offset, i) };
      offset = i;
      points = 0;
      maxPoints = LATER_WINDOW_POINTS;
    }
    points += pointCount;
  }
  if (offset < series.length) yield { offset, series: series.slice(offset) };
}
