import type { PackedPoints } from '../../columns/packed-points.js';
import { groupBySeries } from './group-by-series.js';
import type { PointRequest } from './plan-points.js';

/** Short series are joined into lists of at least this many points. */
const MIN_LIST_POINTS = 32_768;

/**
 * The points of a request's answer: those of the plan, with each series once for every selection of it. The memory of a
 * part is shared by its copies, and a series that is repeated is in memory whole.
 */
export async function* repeatSeries(
  lists: AsyncIterable<readonly PackedPoints[]>,
  { plan, repeats }: PointRequest,
): AsyncGenerator<readonly PackedPoints[]> {
  if (repeats.every((count) => count === 1)) return yield* lists;
  let answered = 0;
  let list: PackedPoints[] = [];
  let points = 0;
  for await (const { position, parts } of groupBySeries(lists, plan)) {
    for (let copy = 0; copy < repeats[position]!; copy++, answered++) {
      for (const part of parts) {
        list.push({ ...part, series: answered });
        points += part.length;
      }
      if (points < MIN_LIST_POINTS) continue;
      yield list;
      [list, points] = [[], 0];
    }
  }
  if (points > 0) yield list;
}
