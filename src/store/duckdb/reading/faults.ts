import type { Database } from '../engine/database.js';
import { integritySql } from '../writing/integrity.js';

const MAX_FAULTS = 100;

/** What contradicts itself in a store: ids without an entity, points without a series, and counts that are not true. */
export async function findFaults(database: Database): Promise<string[]> {
  const broken = await database.rows(`${integritySql()} LIMIT ${MAX_FAULTS}`);
  const references = broken.map(({ what, kind, id }) => `${what}, but there is no ${kind} ${id}`);
  const counted = await database.rows(`
    WITH counted AS (SELECT series AS handle, count(*) AS points FROM point GROUP BY series)
    SELECT handle, series.handle IS NULL AS is_unknown, coalesce(point_count, 0)::DOUBLE AS said,
      coalesce(points, 0)::DOUBLE AS found
    FROM counted FULL JOIN series USING (handle)
    WHERE coalesce(point_count, -1) <> coalesce(points, 0) ORDER BY handle LIMIT ${MAX_FAULTS}`);
  const counts = counted.map(({ handle, is_unknown, said, found }) =>
    is_unknown
      ? `${pointCount(found)} of series ${handle}, but there is no series ${handle}`
      : `series ${handle} should have ${pointCount(said)}, but has ${found}`,
  );
  const backwards = await database.rows(`
    SELECT series, count(*)::DOUBLE AS points FROM (FROM point UNION ALL FROM point_history)
    WHERE end_date < start_date GROUP BY series ORDER BY series LIMIT ${MAX_FAULTS}`);
  const periods = backwards.map(
    ({ series, points }) => `series ${series} has ${pointCount(points)} with an end before the start`,
  );
  return [...references, ...counts, ...periods];
}

function pointCount(count: unknown): string {
  return count === 1 ? '1 point' : `${count} points`;
}
