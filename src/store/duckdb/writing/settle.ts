import type { DuckDBConnection } from '@duckdb/node-api';
import type { ConflictingPoint, SettledPoints, SettleOptions } from '../../store.js';
import type { DirectPoints } from '../staging/direct-points.js';
import type { PointStaging } from '../staging/point-staging.js';
import { planRanges, readNumbers, runAll } from './ranges.js';
import {
  COPY_CONFLICTS,
  COUNT_DROPPED,
  COUNT_SERIES_ROWS,
  COUNT_VALUES,
  CREATE_SETTLING,
  deleteDropped,
  findDropped,
  findRepeatedPeriods,
  READ_CONFLICTS,
  UNORDERED_ROWS,
} from './settle-sql.js';

/** The points of an import after repeats were settled. */
export interface SettledImport {
  readonly counts: SettledPoints;
  /** Points that need not be compared with others. */
  readonly direct: DirectPoints;
}

/**
 * Removes staged points that another staged one repeats or contradicts, one range of series after the other, and passes
 * the contradictory ones on.
 */
export async function settlePoints(
  connection: DuckDBConnection,
  staging: PointStaging,
  { signal, onProgress, onConflicts }: SettleOptions,
): Promise<SettledImport> {
  const direct = await staging.finish();
  await runAll(connection, [...CREATE_SETTLING, COUNT_SERIES_ROWS]);
  const ranges = await planRanges(connection, UNORDERED_ROWS);
  const total = ranges.reduce((sum, { rows }) => sum + rows, 0);
  let [done, duplicates, conflicts] = [0, 0, 0];
  for (const range of ranges) {
    signal?.throwIfAborted();
    onProgress?.({ label: 'comparing points', done, total, unit: 'rows' });
    const found = await connection.run(findRepeatedPeriods(range));
    if (found.rowsChanged > 0) {
      await connection.run(findDropped(range));
      const [repeated, conflicting] = await readNumbers(connection, COUNT_DROPPED);
      if (conflicting! > 0) await connection.run(COPY_CONFLICTS);
      if (repeated! + conflicting! > 0) await runAll(connection, deleteDropped(range));
      duplicates += repeated!;
      conflicts += conflicting!;
    }
    done += range.rows;
  }
  if (conflicts > 0 && onConflicts !== undefined) await passConflicts(connection, onConflicts);
  if (duplicates + conflicts > 0) await connection.run(COUNT_SERIES_ROWS);
  const [points, nulls] = await readNumbers(connection, COUNT_VALUES);
  const others = direct.count();
  const counts = { points: points! + others.points, nulls: nulls! + others.nulls, duplicates, conflicts };
  return { counts, direct };
}

/**
 * Stages the points that `settlePoints` left out and whose series the tables have by now: series of another store are loaded
 * after that.
 */
export async function settleAgain(
  connection: DuckDBConnection,
  staging: PointStaging,
  direct: DirectPoints,
): Promise<DirectPoints> {
  const left = await staging.stageStored(direct);
  if (left !== direct) await connection.run(COUNT_SERIES_ROWS);
  return left;
}

async function passConflicts(
  connection: DuckDBConnection,
  onConflicts: NonNullable<SettleOptions['onConflicts']>,
): Promise<void> {
  const result = await connection.stream(READ_CONFLICTS);
  for await (const rows of result.yieldRows()) await onConflicts((rows as ConflictRow[]).map(toConflict));
}

type Figure = [value: number | null, unit: string, file: number | null, line: number | null];
type ConflictRow = [
  metric: string,
  item: string,
  region: string,
  startMs: number,
  endMs: number,
  ...figure: Figure,
  ...other: Figure,
];

function toConflict(row: ConflictRow): ConflictingPoint {
  const [metric, item, region, startMs, endMs, value, unit, file, line, ...other] = row;
  const [otherValue, otherUnit, otherFile, otherLine] = other;
  return {
    metric,
    item,
    region,
    startMs,
    endMs,
    value,
    unit,
    file,
    line,
    other: { value: otherValue, unit: otherUnit, file: otherFile, line: otherLine },
  };
}
