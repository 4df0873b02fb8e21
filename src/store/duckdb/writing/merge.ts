import type { DuckDBConnection } from '@duckdb/node-api';
import type { LongOperation } from '../../../model/progress.js';
import type { ImportCounts } from '../../store.js';
import { checkPeriods } from './integrity.js';
import {
  ASSIGN_HANDLES,
  addLatest,
  COUNT_BY_HANDLE,
  COUNT_SORTED_OUT,
  COUNT_WEIGHED,
  describeSeries,
  type HandleRange,
  SORT_ANEW,
  sortOut,
  supersede,
  weigh,
} from './merge-sql.js';
import type { PointStaging } from './staging.js';

/** Staged rows that are merged at a time: what bounds the memory of an import. */
const SLICE_ROWS = 2_000_000;

/**
 * Rows out of order that `point` may hold before it is sorted anew: this many, or this share of it. Of 20 M points,
 * 960,000 out of order made no measurable difference to reads; sorting anew takes seconds.
 */
const UNSORTED_ROWS = 100_000;
const UNSORTED_SHARE = 0.1;

type PointCounts = Omit<ImportCounts, 'entities'>;

/**
 * Merges the staged points into the two point tables, within the transaction under way, slice by slice of handles:
 *
 * - new series get the next handles in layout order; handles never change afterwards;
 * - which vintages are new, and which is the latest, is decided as `mergeVintages` and `chooseRevisions` say;
 * - the latest vintage of each touched period ends up in `point`, all others in `point_history`;
 * - new series lie behind the others in order; what is added to older series lies behind them in sorted runs, until a
 *   tenth of `point` is out of order: then both tables are sorted anew.
 */
export async function mergePoints(
  connection: DuckDBConnection,
  staging: PointStaging,
  { signal, onProgress }: LongOperation,
): Promise<PointCounts> {
  await staging.finish();
  const total = staging.rows;
  const counts = { added: 0, revised: 0, unchanged: total, series: 0 };
  if (total === 0) return counts;
  await checkPeriods(connection);
  const lastHeld = await readNumber(connection, 'SELECT coalesce(max(handle), -1) FROM series');
  await connection.run(ASSIGN_HANDLES);
  let done = 0;
  for (const slice of await planSlices(connection)) {
    signal?.throwIfAborted();
    onProgress?.({ label: 'merging points', done, total, unit: 'rows' });
    const changed = await mergeSlice(connection, slice);
    counts.added += changed.added;
    counts.revised += changed.added - changed.newPeriods;
    counts.series += changed.series;
    done += slice.rows;
    const unsorted = Math.min(slice.last, lastHeld) < slice.first ? 0 : changed.added;
    await connection.run(`UPDATE meta SET unsorted_points = unsorted_points + ${unsorted}`);
  }
  await sortWhenNeeded(connection, signal);
  onProgress?.({ label: 'merging points', done, total, unit: 'rows' });
  return { ...counts, unchanged: total - counts.added };
}

interface Slice extends HandleRange {
  readonly rows: number;
}

async function planSlices(connection: DuckDBConnection): Promise<Slice[]> {
  const counted = (await connection.runAndReadAll(COUNT_BY_HANDLE)).getRows() as [number, number][];
  const slices: Slice[] = [];
  for (const [handle, rows] of counted) {
    const open = slices.at(-1);
    if (open !== undefined && open.rows + rows <= SLICE_ROWS) {
      slices[slices.length - 1] = { first: open.first, last: handle, rows: open.rows + rows };
    } else {
      slices.push({ first: handle, last: handle, rows });
    }
  }
  return slices;
}

interface SliceChanges {
  readonly added: number;
  readonly newPeriods: number;
  readonly series: number;
}

async function mergeSlice(connection: DuckDBConnection, slice: Slice): Promise<SliceChanges> {
  await connection.run(sortOut(slice));
  const [sortedOut, contested] = await readNumbers(connection, COUNT_SORTED_OUT);
  const fresh = slice.rows - sortedOut!;
  let [added, newPeriods] = [fresh, fresh];
  if (contested! > 0) {
    await runAll(connection, weigh(slice));
    const weighed = await readNumbers(connection, COUNT_WEIGHED);
    added += weighed[0]!;
    newPeriods += weighed[1]!;
    await runAll(connection, supersede(slice));
  }
  if (added === 0) return { added, newPeriods, series: 0 };
  await runAll(connection, [...addLatest(slice, { contested: contested! > 0 }), ...describeSeries(slice)]);
  return { added, newPeriods, series: await readNumber(connection, 'SELECT count(*)::DOUBLE FROM touched') };
}

async function sortWhenNeeded(connection: DuckDBConnection, signal: AbortSignal | undefined): Promise<void> {
  const sql = 'SELECT unsorted_points::DOUBLE, (SELECT count(*) FROM point)::DOUBLE FROM meta';
  const [unsorted, all] = await readNumbers(connection, sql);
  if (unsorted! <= Math.max(UNSORTED_ROWS, UNSORTED_SHARE * all!)) return;
  signal?.throwIfAborted();
  await runAll(connection, [...SORT_ANEW, 'UPDATE meta SET unsorted_points = 0']);
}

async function runAll(connection: DuckDBConnection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await connection.run(statement);
}

async function readNumbers(connection: DuckDBConnection, sql: string): Promise<number[]> {
  return (await connection.runAndReadAll(sql)).getRows()[0] as number[];
}

async function readNumber(connection: DuckDBConnection, sql: string): Promise<number> {
  return (await readNumbers(connection, sql))[0]!;
}
