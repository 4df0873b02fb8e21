import type { PointPlan, StoredSeries } from '../plan.js';

/** Neighbours in a plan that are read by one query. */
export interface PointGroup {
  /** The position in the plan of the first of its series. */
  readonly offset: number;
  readonly series: readonly StoredSeries[];
  /** How many points the plan selects, if their periods are spread evenly. */
  readonly expected: number;
  /** The expected share of the series' points that the plan selects. */
  readonly share: number;
}

/** A group is read by one query for each place that holds some of its series. */
const MAX_SERIES = 1_000;

/** Divides a plan into groups of at most so many points, in order; a series that has more is a group of its own. */
export function* pointGroups(plan: PointPlan, maxPoints: number): Generator<PointGroup, void, void> {
  const { series } = plan;
  let offset = 0;
  let selected = 0;
  let stored = 0;
  for (let i = 0; i < series.length; i++) {
    const expected = expectedPoints(series[i]!, plan);
    if (i > offset && (i - offset === MAX_SERIES || selected + expected > maxPoints)) {
      yield { offset, series: series.slice(offset, i), expected: selected, share: selected / stored };
      [offset, selected, stored] = [i, 0, 0];
    }
    selected += expected;
    stored += series[i]!.pointCount;
  }
  if (offset < series.length)
    yield { offset, series: series.slice(offset), expected: selected, share: selected / stored };
}

/** The points of a series between the dates of a plan, if its periods are spread evenly over its own dates. */
function expectedPoints({ pointCount, startMs, endMs }: StoredSeries, plan: PointPlan): number {
  const first = Math.max(startMs, plan.startMs ?? startMs);
  const last = Math.min(endMs, plan.endMs ?? endMs);
  if (last < first) return 0;
  const share = endMs === startMs ? 1 : (last - first) / (endMs - startMs);
  return Math.min(pointCount, Math.ceil(pointCount * share) + 1);
}
