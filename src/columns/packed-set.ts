import { type PackedPoints, packColumns, unpackPoints } from './packed-points.js';
import type { PointSeries, PointSet } from './point-columns.js';

/** Points of several series, packed. */
export interface PackedSet {
  /** Every requested series, also those without a point. */
  readonly series: readonly PointSeries[];
  /** Runs of points; their `series` is a position in the list. */
  readonly runs: readonly PackedPoints[];
}

/** The same points, of the series at `position`. Arrays are shared. */
export function atPosition(run: PackedPoints, position: number): PackedPoints {
  return run.series === position ? run : { ...run, series: position };
}

/** The number of points. */
export function countRows(runs: readonly PackedPoints[]): number {
  return runs.reduce((rows, { length }) => rows + length, 0);
}

/** The same points by columns, in memory of their own. */
export function unpackSet({ series, runs }: PackedSet): PointSet {
  return { series, batches: runs.length === 0 ? [] : [unpackPoints(runs)] };
}

/** Points by columns as runs. */
export function packSet({ series, batches }: PointSet): PackedSet {
  return { series, runs: batches.flatMap(packColumns) };
}
