import type { DuckDBConnection } from '@duckdb/node-api';
import type { ImportCounts } from '../../../model/importing/outcome.js';
import type { LongOperation } from '../../../model/progress.js';
import { DividedPoints, readPointTables } from '../tables/divided-points.js';
import { SORT_HISTORY, sortTable } from '../tables/rewrite-points.js';
import type { Home } from './home.js';
import { checkPeriods } from './integrity.js';
import {
  ASSIGN_HANDLES,
  COUNT_BY_HANDLE,
  COUNT_CHANGED_SERIES,
  COUNT_CLASSIFIED,
  COUNT_RESOLVED,
  classify,
  findRepeats,
  insertLatest,
  mergedPoints,
  moveToHistory,
  resolve,
  updateSeries,
} from './merge-sql.js';
import { type PlannedRange, planRanges, readNumber, readNumbers, runAll } from './ranges.js';

/**
 * A table is sorted once it has this many rows out of order, or this share of all its rows if that is more. Of 20 M points,
 * 960,000 out of order made no measurable difference to reads, and sorting takes seconds.
 */
const MAX_UNSORTED_ROWS = 100_000;
const MAX_UNSORTED_SHARE = 0.1;

type PointCounts = Omit<ImportCounts, 'entities'>;

interface MergeOptions extends LongOperation {
  /** Settled points, with and without a value. */
  readonly total: number;
  /** The highest handle before the import. */
  readonly lastStored: number;
  /** The store that the import is for. */
  readonly home: Home;
}

/** The highest handle of the store's series; -1 when it has none. */
export function readLastHandle(connection: DuckDBConnection): Promise<number> {
  return readNumber(connection, 'SELECT coalesce(max(handle), -1) FROM series');
}

/**
 * Merges the settled points into the tables of points within the open transaction, one range of handles after the other:
 *
 * - New series get the next handles in layout order. Handles never change afterwards.
 * - Which vintages are new, and which is the latest, follows `mergeVintages` and `chooseRevisions`.
 * - The tables of `point_table` hold the latest vintage of each period, and `packed_history` all others.
 * - New rows are appended in sorted runs. Rows of older series are then out of order, until there are so many that their
 *   table is sorted.
 */
export async function mergePoints(
  connection: DuckDBConnection,
  { total, lastStored, home, signal, onProgress }: MergeOptions,
): Promise<PointCounts> {
  const counts = { added: 0, revised: 0, unchanged: total, series: 0 };
  if (total === 0) return counts;
  await checkPeriods(connection);
  await connection.run(ASSIGN_HANDLES);
  let done = 0;
  const divided = await DividedPoints.read(connection);
  const batches = await planRanges(connection, COUNT_BY_HANDLE, divided.ranges(lastStored + 1));
  for (const batch of batches) {
    signal?.throwIfAborted();
    onProgress?.({ label: 'merging points', done, total, unit: 'rows' });
    const areNew = batch.first > lastStored;
    const { name } = await divided.tableOf(batch, { areNew });
    const changed = await mergeBatch(connection, batch, { table: name, areNew, home });
    counts.added += changed.added;
    counts.revised += changed.added - changed.newPeriods;
    counts.series += changed.series;
    done += batch.rows;
    if (areNew) continue;
    const unsorted = `unsorted_points = unsorted_points + ${changed.added}`;
    await connection.run(`UPDATE point_table SET ${unsorted} WHERE name = '${name}'`);
  }
  if (home.take === undefined) await sortIfNeeded(connection, signal);
  onProgress?.({ label: 'merging points', done, total, unit: 'rows' });
  return { ...counts, unchanged: total - counts.added };
}

interface BatchChanges {
  readonly added: number;
  readonly newPeriods: number;
  readonly series: number;
}

interface MergedInto extends Pick<MergeOptions, 'home'> {
  readonly table: string;
  readonly areNew: boolean;
}

/** Rows of a range from which on it is worth leaving them in their order: below, sorting them takes no time. */
const MIN_ORDERED_ROWS = 200_000;

async function mergeBatch(
  connection: DuckDBConnection,
  batch: PlannedRange,
  { table, areNew, home }: MergedInto,
): Promise<BatchChanges> {
  const [unordered, repeated] = await readNumbers(connection, findRepeats(batch));
  const isWhole = areNew && repeated === 0;
  const [classified, unresolved] = isWhole ? [0, 0] : await classifyRows(connection, batch);
  const hasResolved = unresolved! > 0;
  let added = batch.rows - classified!;
  let newPeriods = added;
  if (hasResolved) {
    await runAll(connection, resolve(batch));
    const resolved = await readNumbers(connection, COUNT_RESOLVED);
    added += resolved[0]!;
    newPeriods += resolved[1]!;
    await runAll(connection, moveToHistory(batch, table));
  }
  if (added === 0) return { added, newPeriods, series: 0 };
  const isOrdered = unordered === 0 && batch.rows > MIN_ORDERED_ROWS;
  const insert = insertLatest(batch, { table, isWhole, isOrdered, hasResolved });
  await runAll(connection, [...insert, ...updateSeries(batch, table)]);
  await home.take?.(connection, mergedPoints(batch, { table, areNew, hasResolved }));
  return { added, newPeriods, series: await readNumber(connection, COUNT_CHANGED_SERIES) };
}

async function classifyRows(connection: DuckDBConnection, range: PlannedRange): Promise<number[]> {
  await connection.run(classify(range));
  return readNumbers(connection, COUNT_CLASSIFIED);
}

async function sortIfNeeded(connection: DuckDBConnection, signal: AbortSignal | undefined): Promise<void> {
  let hasSorted = false;
  for (const table of await readPointTables(connection)) {
    const ofTable = `FROM point_table WHERE name = '${table.name}'`;
    const sql = `SELECT unsorted_points::DOUBLE, (SELECT count(*) FROM ${table.name})::DOUBLE ${ofTable}`;
    const [unsorted, all] = await readNumbers(connection, sql);
    if (unsorted! <= Math.max(MAX_UNSORTED_ROWS, MAX_UNSORTED_SHARE * all!)) continue;
    signal?.throwIfAborted();
    await sortTable(connection, table);
    hasSorted = true;
  }
  if (hasSorted) await connection.run(SORT_HISTORY);
}
