import type { PackedPoints } from '../../columns/packed-points.js';
import { groupBySeries } from './group-by-series.js';
import type { PointRequest } from './plan-points.js';

type Lists = AsyncIterable<readonly PackedPoints[]>;

/** Short series are joined into lists of at least this many points. */
const MIN_LIST_POINTS = 32_768;

/**
 * The points of a request's answer: those of the plan, with each series once for every selection of it. The memory of a
 * part is shared by its copies, and a series that is repeated is in memory whole.
 */
export function repeatSeries(lists: Lists, request: PointRequest): Lists {
  return request.repeats.every((count) => count === 1) ? lists : repeated(lists, request);
}

async function* repeated(
  lists: Lists,
  { plan, repeats }: PointRequest,
): AsyncGenerator<readonly PackedPoints[]> {
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
