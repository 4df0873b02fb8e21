import type { ValueColumns } from '../../columns/packed-points.js';
import { unpackRows } from '../../columns/packed-points.js';
import type { PackedSet } from '../../columns/packed-set.js';
import type { SeriesRun } from '../../columns/series-runs.js';
import { type EntryRange, type PointRun, planRuns, type SeriesOrder } from './plan-runs.js';

/** Points in frame order, each once. */
export interface OrderedPoints {
  readonly columns: ValueColumns;
  /** The rows of each series, by its position. */
  readonly runs: readonly SeriesRun[];
}

/** Drops some of the planned rows. */
export type DropRuns = (runs: readonly PointRun[]) => readonly PointRun[];

const dropNone: DropRuns = (runs) => runs;

/** Packed points in frame order, each once, in one batch. */
export function orderRuns(
  { series, runs }: PackedSet,
  { order = 'saved', drop = dropNone }: { order?: SeriesOrder | undefined; drop?: DropRuns } = {},
): OrderedPoints {
  return gatherRuns(drop(planRuns(series, packedRanges(runs), order)));
}

/** Packed points as ranges of rows. */
export function packedRanges(runs: PackedSet['runs']): EntryRange[] {
  return runs.flatMap((points) =>
    points.length === 0 ? [] : [{ entry: points.series, points, from: 0, to: points.length }],
  );
}

function gatherRuns(runs: readonly PointRun[]): OrderedPoints {
  const gathered: SeriesRun[] = [];
  let at = 0;
  for (const { series, from, to } of runs) {
    gathered.push({ position: series, from: at, to: at + to - from });
    at += to - from;
  }
  return { columns: unpackRows(runs), runs: gathered };
}
