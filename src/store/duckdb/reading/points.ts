import type { DuckDBDataChunk } from '@duckdb/node-api';
import { type PackedPoints, packColumns } from '../../../columns/packed-points.js';
import type { PointColumns } from '../../../columns/point-columns.js';
import { joinColumns, sliceColumns, takeRows } from '../../../columns/point-rows.js';
import { areAscending, ascendingRows } from '../../../columns/row-order.js';
import { areKnown, readsLatest } from '../../packing/known-series.js';
import { listsOf, MAX_LIST_POINTS } from '../../packing/packed-runs.js';
import { type PointGroup, pointGroups } from '../../packing/point-groups.js';
import type { PointPlan } from '../../plan.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import type { Database } from '../engine/database.js';
import { MIN_LAYOUT_SHARE, readParts } from './packed-parts.js';
import { PointBatch } from './point-batch.js';
import { layoutSql, sortedSql } from './point-sql.js';
import { readShared } from './shared-reads.js';

/** A batch of points with remarks, which take longer to read than numbers. */
const MAX_BATCH_TEXTS = 4_096;

/** Vintages take more memory than packed points. */
const MAX_GROUP_POINTS = 262_144;
const MAX_GROUP_VINTAGES = 65_536;

/** Groups that are read while the one before them is consumed. */
const GROUPS_AHEAD = 1;

/**
 * Reads the points of a plan in lists of at most 65,536 rows. Each group of series is read completely before its first
 * list is yielded, so that a slow consumer holds some groups in memory and no connection.
 */
export async function* readPoints(
  database: Database,
  plan: PointPlan,
  { signal }: ReadOptions = {},
): AsyncGenerator<readonly PackedPoints[], void, void> {
  const groups = pointGroups(plan, readsLatest(plan) ? MAX_GROUP_POINTS : MAX_GROUP_VINTAGES);
  // There is nothing to read ahead, and nothing to end.
  if (plan.series.length === 1)
    return yield* listsOfGroup(
      database,
      await readGroup(database, plan, groups.next().value!, { signal }),
      signal,
    );
  const ending = new AbortController();
  const reading = { signal: signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]) };
  const ahead: Promise<readonly Batch[]>[] = [];
  const readAhead = () => {
    for (let next = groups.next(); ; next = groups.next()) {
      if (next.done === true) return;
      const batches = readGroup(database, plan, next.value, reading);
      batches.catch(() => {});
      if (ahead.push(batches) > GROUPS_AHEAD) return;
    }
  };
  try {
    for (readAhead(); ahead.length > 0; readAhead())
      yield* listsOfGroup(database, await ahead.shift()!, signal);
  } finally {
    ending.abort();
    await Promise.allSettled(ahead);
  }
}

async function* listsOfGroup(
  database: Database,
  batches: readonly Batch[],
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly PackedPoints[], void, void> {
  for (const batch of batches) {
    await turns.next();
    signal?.throwIfAborted();
    database.requireOpen();
    yield Array.isArray(batch) ? (batch as PackedPoints[]) : packColumns(batch as PointColumns);
  }
}

/** Points that travel together: packed already, or still by columns. */
type Batch = readonly PackedPoints[] | PointColumns;

type Reading = { readonly signal: AbortSignal | undefined };

/** The points of a group in order: packed as they are stored where enough is known of the series. */
async function readGroup(
  database: Database,
  plan: PointPlan,
  group: PointGroup,
  reading: Reading,
): Promise<readonly Batch[]> {
  return (await readPacked(database, plan, group, reading)) ?? readColumns(database, plan, group, reading);
}

/** Null where too little is known of the series, or an import changes them meanwhile. */
async function readPacked(
  database: Database,
  plan: PointPlan,
  { series, ...group }: PointGroup,
  { signal }: Reading,
): Promise<PackedPoints[][] | null> {
  if (!areKnown(plan, series, database.snapshot)) return null;
  const read = plan.series.length === 1 ? readShared : readParts;
  const parts = await read(database, { plan, series, ...group }, signal);
  return parts && listsOf(parts);
}

/** A group that the layout does not have in order is merged in memory up to this many batches, and else sorted by the engine. */
const MAX_MERGED_BATCHES = 2;

/**
 * The points of a group in order. The layout has most points in order, which is checked; those that are not are merged in
 * memory. The engine sorts vintages, and periods with several points, which no store of ours has.
 */
async function readColumns(
  database: Database,
  plan: PointPlan,
  group: PointGroup,
  options: Reading,
): Promise<readonly PointColumns[]> {
  const read = (sql: string) => readBatches(database.chunks(sql, options), plan, group);
  if (readsLatest(plan) && group.share >= MIN_LAYOUT_SHARE) {
    const batches = await read(layoutSql(plan, group.series));
    if (await areAllAscending(batches)) return batches;
    if (batches.length <= MAX_MERGED_BATCHES) {
      const columns = joinColumns(batches);
      const { rows, unique } = ascendingRows(columns);
      if (rows !== null && unique) return divided(takeRows(columns, rows));
    }
  }
  return read(sortedSql(plan, group.series));
}

/** The chunks of a query as batches of points. */
async function readBatches(
  chunks: AsyncIterable<DuckDBDataChunk>,
  plan: PointPlan,
  group: PointGroup,
): Promise<PointColumns[]> {
  const maxRows = plan.withMetadata ? MAX_BATCH_TEXTS : MAX_LIST_POINTS;
  const batches: PointColumns[] = [];
  let batch = new PointBatch(plan, group);
  const end = async () => {
    await turns.next();
    if (batch.length > 0) batches.push(batch.columns());
    batch = new PointBatch(plan, group);
  };
  for await (const chunk of chunks) {
    if (batch.length + chunk.rowCount > maxRows) await end();
    batch.add(chunk);
  }
  await end();
  return batches;
}

async function areAllAscending(batches: readonly PointColumns[]): Promise<boolean> {
  let last: PointColumns | null = null;
  for (const batch of batches) {
    await turns.next();
    const border = last === null ? [] : [last, sliceColumns(batch, 0, 1)];
    if (!areAscending(joinColumns(border)) || !areAscending(batch)) return false;
    last = sliceColumns(batch, batch.length - 1, batch.length);
  }
  return true;
}

function divided(columns: PointColumns): PointColumns[] {
  const batches: PointColumns[] = [];
  for (let from = 0; from < columns.length; from += MAX_LIST_POINTS)
    batches.push(sliceColumns(columns, from, Math.min(columns.length, from + MAX_LIST_POINTS)));
  return batches;
}
