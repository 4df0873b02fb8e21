import {
  type PackedPoints,
  type PointRow,
  packRows,
  rowAt,
  valueAt,
} from '../../src/columns/packed-points.js';
import { formatDay } from '../../src/model/time.js';

/** A run of one series, from rows that have only the fields a test needs. */
export function runOf(rows: readonly Partial<PointRow>[]): PackedPoints {
  return packRows(
    0,
    rows.map((row) => ({
      startMs: 0,
      endMs: row.startMs ?? 0,
      value: 0,
      unitId: 1,
      reportingMs: null,
      ...row,
    })),
  );
}

export function rowsOf(runs: readonly PackedPoints[]): PointRow[] {
  return runs.flatMap((run) => Array.from({ length: run.length }, (_, i) => rowAt(run, i)));
}

export function valuesOf(runs: readonly PackedPoints[]): (number | null)[] {
  return runs.flatMap((run) => Array.from({ length: run.length }, (_, i) => valueAt(run, i)));
}

/** `2020-01-01..2020-01-07 5` a row. */
export function periodsOf(runs: readonly PackedPoints[]): string[] {
  return rowsOf(runs).map(
    ({ startMs, endMs, value }) => `${formatDay(startMs)}..${formatDay(endMs)} ${value}`,
  );
}
