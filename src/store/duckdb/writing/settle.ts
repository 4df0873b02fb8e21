import type { DuckDBConnection } from '@duckdb/node-api';
import { SERIES_KEY_FIELDS } from '../../../model/series.js';
import type { ConflictingPoint, SettledPoints, SettleOptions } from '../../store.js';
import { STAGING } from '../point-tables.js';
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

/**
 * Removes staged points that another staged one repeats or contradicts, one range of series after the other, and passes
 * the contradictory ones on.
 * @param connection of the import, which sees the staged points as they are from now on; its temporary table
 * `staged_series` then has their series
 */
export async function settlePoints(
  connection: DuckDBConnection,
  staging: PointStaging,
  { signal, onProgress, onConflicts }: SettleOptions,
): Promise<SettledPoints> {
  await staging.finish();
  const own = staging.connection;
  await runAll(own, [...CREATE_SETTLING, COUNT_SERIES_ROWS]);
  const ranges = await planRanges(own, UNORDERED_ROWS);
  const total = ranges.reduce((sum, { rows }) => sum + rows, 0);
  let [done, duplicates, conflicts] = [0, 0, 0];
  for (const range of ranges) {
    signal?.throwIfAborted();
    onProgress?.({ label: 'comparing points', done, total, unit: 'rows' });
    const found = await own.run(findRepeatedPeriods(range));
    if (found.rowsChanged > 0) {
      await own.run(findDropped(range));
      const [repeated, conflicting] = await readNumbers(own, COUNT_DROPPED);
      if (conflicting! > 0) await own.run(COPY_CONFLICTS);
      if (repeated! + conflicting! > 0) await runAll(own, deleteDropped(range));
      duplicates += repeated!;
      conflicts += conflicting!;
    }
    done += range.rows;
  }
  if (duplicates + conflicts > 0) await own.run(COUNT_SERIES_ROWS);
  await connection.run(`CREATE TEMP TABLE staged_series AS
    SELECT number, ${SERIES_KEY_FIELDS.join(', ')} FROM ${STAGING}.staged_series`);
  if (conflicts > 0 && onConflicts !== undefined) await passConflicts(connection, onConflicts);
  const [points, nulls] = await readNumbers(connection, COUNT_VALUES);
  return { points: points!, nulls: nulls!, duplicates, conflicts };
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
