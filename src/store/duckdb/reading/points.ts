import { type PackedPoints, packColumns } from '../../../columns/packed-points.js';
import type { PointColumns } from '../../../columns/point-columns.js';
import { sliceColumns, takeRows } from '../../../columns/point-rows.js';
import { ascendingRows } from '../../../columns/row-order.js';
import type { PointPlan } from '../../plan.js';
import type { Database } from '../engine/database.js';
import { PointBatch } from './point-batch.js';
import { type PointGroup, pointGroups } from './point-groups.js';
import { layoutSql, readsLayout, sortedSql } from './point-sql.js';

const MAX_BATCH_ROWS = 65_536;

/** Groups that are read while the one before them is consumed. */
const GROUPS_AHEAD = 2;

/**
 * Reads the points of a plan in lists of at most 65,536 rows. Each group of series is read completely before its first
 * list is yielded, so that a slow consumer holds some groups in memory and no connection.
 */
export async function* readPoints(
  database: Database,
  plan: PointPlan,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<readonly PackedPoints[], void, void> {
  const ending = new AbortController();
  const reading = { signal: signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]) };
  const groups = pointGroups(plan);
  const ahead: Promise<PointColumns>[] = [];
  const readAhead = () => {
    for (let next = groups.next(); ; next = groups.next()) {
      if (next.done === true) return;
      const columns = readGroup(database, plan, next.value, reading);
      columns.catch(() => {});
      if (ahead.push(columns) > GROUPS_AHEAD) return;
    }
  };
  try {
    for (readAhead(); ahead.length > 0; readAhead()) {
      const columns = await ahead.shift()!;
      for (const batch of batchesOf(columns)) {
        signal?.throwIfAborted();
        database.requireOpen();
        yield packColumns(batch);
      }
    }
  } finally {
    ending.abort();
    await Promise.allSettled(ahead);
  }
}

function* batchesOf(columns: PointColumns): Generator<PointColumns, void, void> {
  const { length } = columns;
  if (length > 0 && length <= MAX_BATCH_ROWS) yield columns;
  else
    for (let from = 0; from < length; from += MAX_BATCH_ROWS)
      yield sliceColumns(columns, from, Math.min(length, from + MAX_BATCH_ROWS));
}

/** Fewer points are sorted by the engine: unsorted, they arrive a few rows at a time, which takes longer. */
const MIN_LAYOUT_SHARE = 1 / 8;

/**
 * The points of a group in order. The layout has most points in order, which is checked; those that are not are merged in
 * memory. The engine sorts vintages, and periods with several points, which no store of ours has.
 */
async function readGroup(
  database: Database,
  plan: PointPlan,
  group: PointGroup,
  options: { signal: AbortSignal },
): Promise<PointColumns> {
  const read = async (sql: string): Promise<PointColumns> => {
    const batch = new PointBatch(plan, group);
    for await (const chunk of database.chunks(sql, options)) batch.add(chunk);
    return batch.columns();
  };
  if (readsLayout(plan) && group.share >= MIN_LAYOUT_SHARE) {
    const columns = await read(layoutSql(plan, group.series));
    const { rows, unique } = ascendingRows(columns);
    if (rows === null) return columns;
    if (unique) return takeRows(columns, rows);
  }
  return read(sortedSql(plan, group.series));
}
