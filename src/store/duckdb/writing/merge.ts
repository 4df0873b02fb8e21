import type { DuckDBConnection } from '@duckdb/node-api';
import type { ImportCounts } from '../../../model/importing/outcome.js';
import type { LongOperation } from '../../../model/progress.js';
import { SORT_POINTS } from '../point-tables.js';
import { checkPeriods } from './integrity.js';
import {
  ASSIGN_HANDLES,
  COUNT_BY_HANDLE,
  COUNT_CHANGED_SERIES,
  COUNT_CLASSIFIED,
  COUNT_RESOLVED,
  classify,
  insertLatest,
  moveToHistory,
  resolve,
  updateSeries,
} from './merge-sql.js';
import { type PlannedRange, planRanges, readNumber, readNumbers, runAll } from './ranges.js';

/**
 * The points are sorted once there are this many rows out of order, or this share of all rows if that is more. Of 20 M points,
 * 960,000 out of order made no measurable difference to reads, and sorting takes seconds.
 */
const MAX_UNSORTED_ROWS = 100_000;
const MAX_UNSORTED_SHARE = 0.1;

type PointCounts = Omit<ImportCounts, 'entities'>;

/** The highest handle of the store's series; -1 when it has none. */
export function readLastHandle(connection: DuckDBConnection): Promise<number> {
  return readNumber(connection, 'SELECT coalesce(max(handle), -1) FROM series');
}

/**
 * Merges the settled points into the two tables of points within the open transaction, one range of handles after the other:
 *
 * - New series get the next handles in layout order. Handles never change afterwards.
 * - Which vintages are new, and which is the latest, follows `mergeVintages` and `chooseRevisions`.
 * - `packed_point` holds the latest vintage of each period, and `packed_history` all others.
 * - New rows are appended in sorted runs. Rows of older series are then out of order, until there are so many that both
 *   tables are sorted.
 */
export async function mergePoints(
  connection: DuckDBConnection,
  { total, lastStored, signal, onProgress }: LongOperation & { total: number; lastStored: number },
): Promise<PointCounts> {
  const counts = { added: 0, revised: 0, unchanged: total, series: 0 };
  if (total === 0) return counts;
  await checkPeriods(connection);
  await connection.run(ASSIGN_HANDLES);
  let done = 0;
  for (const batch of await planRanges(connection, COUNT_BY_HANDLE)) {
    signal?.throwIfAborted();
    onProgress?.({ label: 'merging points', done, total, unit: 'rows' });
    const changed = await mergeBatch(connection, batch);
    counts.added += changed.added;
    counts.revised += changed.added - changed.newPeriods;
    counts.series += changed.series;
    done += batch.rows;
    const unsorted = Math.min(batch.last, lastStored) < batch.first ? 0 : changed.added;
    await connection.run(`UPDATE meta SET unsorted_points = unsorted_points + ${unsorted}`);
  }
  await sortIfNeeded(connection, signal);
  onProgress?.({ label: 'merging points', done, total, unit: 'rows' });
  return { ...counts, unchanged: total - counts.added };
}

interface BatchChanges {
  readonly added: number;
  readonly newPeriods: number;
  readonly series: number;
}

async function mergeBatch(connection: DuckDBConnection, batch: PlannedRange): Promise<BatchChanges> {
  await connection.run(classify(batch));
  const [classified, unresolved] = await readNumbers(connection, COUNT_CLASSIFIED);
  const hasResolved = unresolved! > 0;
  let added = batch.rows - classified!;
  let newPeriods = added;
  if (hasResolved) {
    await runAll(connection, resolve(batch));
    const resolved = await readNumbers(connection, COUNT_RESOLVED);
    added += resolved[0]!;
    newPeriods += resolved[1]!;
    await runAll(connection, moveToHistory(batch));
  }
  if (added === 0) return { added, newPeriods, series: 0 };
  await runAll(connection, [...insertLatest(batch, { hasResolved }), ...updateSeries(batch)]);
  return { added, newPeriods, series: await readNumber(connection, COUNT_CHANGED_SERIES) };
}

async function sortIfNeeded(connection: DuckDBConnection, signal: AbortSignal | undefined): Promise<void> {
  const sql = 'SELECT unsorted_points::DOUBLE, (SELECT count(*) FROM packed_point)::DOUBLE FROM meta';
  const [unsorted, all] = await readNumbers(connection, sql);
  if (unsorted! <= Math.max(MAX_UNSORTED_ROWS, MAX_UNSORTED_SHARE * all!)) return;
  signal?.throwIfAborted();
  await runAll(connection, [...SORT_POINTS, 'UPDATE meta SET unsorted_points = 0']);
}
