import type { DuckDBConnection } from '@duckdb/node-api';
import type { LongOperation } from '../../../model/progress.js';
import type { ConflictingPoint, SettledPoints, SettleOptions } from '../../store.js';
import { END_MS, PACKED_PERIOD, STAGED, STAGING, START_MS, summarizeStaged } from '../point-tables.js';
import type { PointStaging } from '../staging/point-staging.js';
import { readNumbers } from './ranges.js';

export interface Settled extends SettledPoints {
  /** The number of series in which two or more points have the same start. */
  readonly unordered: number;
  /** The number of points that end before they start. */
  readonly backwards: number;
}

export interface SettledImport {
  /** The connection to the import's entities, shapes and records, and to its points without conflicts. */
  readonly connection: DuckDBConnection;
  readonly settled: Settled;
  /** Whether the import copies a store. If so, vintages that repeat the preceding vintage are kept. */
  readonly isCopy: boolean;
  /** The import time in UTC milliseconds. Corrections, and vintages without a known available date, get this date. */
  readonly importedMs: number;
}

export async function settlePoints(staging: PointStaging, { signal, onProgress }: LongOperation) {
  await staging.finish();
  const own = staging.connection;
  let counted = await readNumbers(own, ...CREATE_SETTLING, COUNT_VALUES);
  const unordered = counted[3]!;
  let [duplicates, conflicts] = [0, 0];
  if (unordered > 0) {
    onProgress?.({ label: 'comparing points', done: 0, total: null, unit: 'rows' });
    [duplicates, conflicts] = (await readNumbers(own, FIND_DROPPED, COUNT_DROPPED)) as [number, number];
    signal?.throwIfAborted();
    if (duplicates + conflicts > 0)
      counted = await readNumbers(own, ...DELETE_DROPPED, summarizeStaged('staged'), COUNT_VALUES);
  }
  const [points, nulls, backwards] = counted as [number, number, number];
  return { points, nulls, duplicates, conflicts, unordered, backwards } satisfies Settled;
}

export async function passConflicts(
  connection: DuckDBConnection,
  onConflicts: NonNullable<SettleOptions['onConflicts']>,
): Promise<void> {
  const result = await connection.stream(READ_CONFLICTS);
  for await (const rows of result.yieldRowObjectJs())
    await onConflicts(rows as unknown as ConflictingPoint[]);
}

/** Lists series in which successive rows start on the same day, and these series' periods with two or more rows. */
const CREATE_SETTLING = [
  `CREATE TABLE ${STAGING}.unordered_series AS
   SELECT DISTINCT series FROM (
     SELECT series, series = lag(series) OVER () AND start_day = lag(start_day) OVER () AS repeats FROM ${STAGED})
   WHERE repeats`,
  `CREATE TABLE ${STAGING}.repeated_period AS SELECT ${PACKED_PERIOD} FROM ${STAGED}
   WHERE series IN (FROM ${STAGING}.unordered_series) GROUP BY ${PACKED_PERIOD} HAVING count(*) > 1`,
];

/**
 * Lists the rows to drop: all rows that contradict each other, and all but the last of equal rows. Remarks are not
 * compared. `other` is the value, unit and place of a row that contradicts the listed row, if there is one.
 */
const FIND_DROPPED = `
  CREATE OR REPLACE TABLE ${STAGING}.dropped AS
  WITH repeated AS (
    SELECT *, {'file': coalesce(file, -1), 'line': coalesce(line, -1), 'arrival': arrival} AS place,
      {'value': value, 'unit_id': unit_id, 'file': file, 'line': line} AS figure
    FROM ${STAGED} SEMI JOIN ${STAGING}.repeated_period USING (${PACKED_PERIOD})),
  compared AS (
    SELECT *, count(*) OVER same AS rows, max(place) OVER same = place AS is_last,
      min(figure) OVER same AS lowest, max(figure) OVER same AS highest
    FROM repeated WINDOW same AS (PARTITION BY ${PACKED_PERIOD}, reporting_date, available_date))
  SELECT staged_row, (lowest.value, lowest.unit_id) IS DISTINCT FROM (highest.value, highest.unit_id) AS is_conflict,
    ${PACKED_PERIOD}, value, unit_id, file, line,
    CASE WHEN value IS NOT DISTINCT FROM lowest.value AND unit_id = lowest.unit_id THEN highest ELSE lowest END AS other
  FROM compared WHERE rows > 1 AND (is_conflict OR NOT is_last)`;

/** Counts the dropped rows that repeat another row, and those that contradict another row. */
const COUNT_DROPPED = `
  SELECT count(*) FILTER (NOT is_conflict)::DOUBLE, count(*) FILTER (is_conflict)::DOUBLE FROM ${STAGING}.dropped`;

/** Deletes the dropped rows, and then the periods in `repeated_period` that now have only one row. */
const DELETE_DROPPED = [
  `DELETE FROM ${STAGED}_rows WHERE rowid IN (SELECT staged_row FROM ${STAGING}.dropped)`,
  `DELETE FROM ${STAGING}.repeated_period WHERE (${PACKED_PERIOD}) NOT IN (
     SELECT (${PACKED_PERIOD}) FROM ${STAGED} SEMI JOIN ${STAGING}.repeated_period USING (${PACKED_PERIOD})
     GROUP BY ${PACKED_PERIOD} HAVING count(*) > 1)`,
];

const COUNT_VALUES = `
  SELECT coalesce(sum(figures), 0)::DOUBLE, coalesce(sum(points - figures), 0)::DOUBLE,
    coalesce(sum(backwards), 0)::DOUBLE, (SELECT count(*) FROM ${STAGING}.unordered_series)::DOUBLE
  FROM ${STAGING}.staged_summary`;

const nameOrIdSql = (table: string, id: string) => `coalesce(${table}.name, ${id}::VARCHAR)`;

const READ_CONFLICTS = `
  SELECT ${nameOrIdSql('metric', 'metric_id')} AS metric, ${nameOrIdSql('item', 'item_id')} AS item,
    ${nameOrIdSql('region', 'region_id')} AS region, ${START_MS}::DOUBLE AS "startMs", ${END_MS}::DOUBLE AS "endMs",
    conflict.value, coalesce(unit.abbreviation, conflict.unit_id::VARCHAR) AS unit, conflict.file, conflict.line AS row,
    {'value': conflict.other.value, 'unit': coalesce(other_unit.abbreviation, conflict.other.unit_id::VARCHAR),
      'file': conflict.other.file, 'row': conflict.other.line} AS other
  FROM (FROM ${STAGING}.dropped WHERE is_conflict) AS conflict JOIN ${STAGING}.staged_series ON number = series
  LEFT JOIN metric ON metric.id = metric_id LEFT JOIN item ON item.id = item_id
  LEFT JOIN region ON region.id = region_id LEFT JOIN unit ON unit.id = conflict.unit_id
  LEFT JOIN unit AS other_unit ON other_unit.id = conflict.other.unit_id
  ORDER BY conflict.file, conflict.line, conflict.series, start_day`;
