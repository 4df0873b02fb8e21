import type { PackedPoints } from '../../columns/packed-points.js';
import type { PointPlan } from '../../store/plan.js';

/** All points of one series of a plan. */
interface SeriesParts {
  readonly position: number;
  readonly parts: readonly PackedPoints[];
}

/** Regroups lists of points by series. Yields every series of the plan once and in order, also series without points. */
export async function* groupBySeries(
  lists: AsyncIterable<readonly PackedPoints[]>,
  { series }: Pick<PointPlan, 'series'>,
): AsyncGenerator<SeriesParts> {
  let position = 0;
  let parts: PackedPoints[] = [];
  const nextSeries = (): SeriesParts => {
    const next = { position: position++, parts };
    parts = [];
    return next;
  };
  for await (const list of lists) {
    for (const part of list) {
      while (position < part.series) yield nextSeries();
      parts.push(part);
    }
  }
  while (position < series.length) yield nextSeries();
}
