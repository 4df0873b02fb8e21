import type { PointColumns } from '../../columns/point-columns.js';
import { atPosition, joinColumns } from '../../columns/point-rows.js';
import { groupBySeries } from './group-by-series.js';
import type { PointRequest } from './plan-points.js';

/** Short series are joined into batches of at least this many rows. */
const MIN_BATCH_ROWS = 32_768;

/**
 * The points of a request's answer: those of the plan, with each series once for every selection of it. The memory of a
 * batch is shared by its copies, and a series that is repeated is in memory whole.
 */
export async function* repeatSeries(
  batches: AsyncIterable<PointColumns>,
  { plan, repeats }: PointRequest,
): AsyncGenerator<PointColumns> {
  if (repeats.every((count) => count === 1)) return yield* batches;
  let answered = 0;
  let parts: PointColumns[] = [];
  let rows = 0;
  for await (const { position, columns } of groupBySeries(batches, plan)) {
    for (let copy = 0; copy < repeats[position]!; copy++, answered++) {
      if (columns.length === 0) continue;
      parts.push(atPosition(columns, answered));
      rows += columns.length;
      if (rows < MIN_BATCH_ROWS) continue;
      yield joinColumns(parts);
      [parts, rows] = [[], 0];
    }
  }
  if (rows > 0) yield joinColumns(parts);
}
