import type { PointColumns } from '../../columns/point-columns.js';
import type { PointPlan, StoredSeries } from '../../store/plan.js';
import type { StoreReader } from '../../store/store.js';

/** Points that the first window reads, so that an answer begins soon, and the later ones. */
const FIRST_WINDOW = 65_536;
const LATER_WINDOW = 131_072;

/**
 * The points of a plan, read window by window: each window is read whole and the store's connection given back before
 * the first of its batches is handed on. A reader that is slow, or stops, holds one window in memory and no connection.
 */
export async function* windowedPoints(
  store: StoreReader,
  plan: PointPlan,
  signal: AbortSignal,
): AsyncGenerator<PointColumns> {
  for (const { offset, series } of planWindows(plan.series)) {
    const batches: PointColumns[] = [];
    for await (const columns of store.points({ ...plan, series }, { signal })) batches.push(columns);
    for (const columns of batches) yield renumbered(columns, offset);
  }
}

interface Window {
  /** Position in the plan of the window's first series. */
  readonly offset: number;
  readonly series: readonly StoredSeries[];
}

function* planWindows(series: readonly StoredSeries[]): Generator<Window> {
  let offset = 0;
  let points = 0;
  let room = FIRST_WINDOW;
  for (let i = 0; i < series.length; i++) {
    const more = series[i]!.pointCount;
    if (i > offset && points + more > room) {
      yield { offset, series: series.slice(offset, i) };
      offset = i;
      points = 0;
      room = LATER_WINDOW;
    }
    points += more;
  }
  if (offset < series.length) yield { offset, series: series.slice(offset) };
}

function renumbered(columns: PointColumns, offset: number): PointColumns {
  if (offset === 0) return columns;
  const series = new Uint32Array(columns.length);
  for (let i = 0; i < series.length; i++) series[i] = columns.series[i]! + offset;
  return { ...columns, series };
}
