import type { PackedRows, ValueColumns } from '../../columns/packed-points.js';
import { unpackRows } from '../../columns/packed-points.js';
import type { PackedSet } from '../../columns/packed-set.js';
import type { PointColumns, PointSet } from '../../columns/point-columns.js';
import { type SeriesRun, seriesRuns } from '../../columns/series-runs.js';
import { type EntryRange, type PointRun, planRuns, type SeriesOrder } from './plan-runs.js';

/** Batches below this mean length are joined into one: each chunk of a table slows every later operation. */
const SMALL_BATCH_ROWS = 16_384;

/** Points in frame order, each once. */
export interface OrderedPoints {
  readonly columns: ValueColumns;
  /** The rows of each series, by its position. */
  readonly runs: readonly SeriesRun[];
}

/** Drops some of the planned rows. */
export type DropRuns = (runs: readonly PointRun[]) => readonly PointRun[];

const dropNone: DropRuns = (runs) => runs;

/**
 * Points in frame order, each once; see `planRuns`. Batches that already are sorted and distinct are returned without
 * copying; otherwise the rows are copied into one batch.
 */
export function orderBatches(
  { series, batches }: PointSet,
  { order = 'saved', drop = dropNone }: { order?: SeriesOrder | undefined; drop?: DropRuns } = {},
): OrderedPoints[] {
  const filled = batches.filter(({ length }) => length > 0);
  const ranges = filled.map(rangesOf);
  const runs = drop(planRuns(series, ranges.flat(), order));
  const rows = filled.reduce((sum, { length }) => sum + length, 0);
  const isFragmented = filled.length > 1 && rows / filled.length < SMALL_BATCH_ROWS;
  return (isFragmented ? null : wholeBatches(filled, ranges, runs)) ?? [gatherRuns(runs)];
}

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

/** The rows of each series of a batch; they share its columns. */
export function rangesOf(columns: PointColumns): EntryRange[] {
  const { reporting_date, reporting_valid } = columns;
  const points: PackedRows = {
    ...columns,
    reporting_date: { dates: reporting_date, valid: reporting_valid },
  };
  return Array.from(seriesRuns(columns), ({ position, from, to }) => ({ entry: position, points, from, to }));
}

/** The batches in the order of the runs; null where the runs split a batch, or leave out some of its rows. */
function wholeBatches(
  batches: readonly PointColumns[],
  ranges: readonly EntryRange[][],
  runs: readonly PointRun[],
): OrderedPoints[] | null {
  const batchOf = new Map(ranges.map(([range], at) => [range!.points, batches[at]!]));
  const ordered: { columns: PointColumns; runs: SeriesRun[]; points: PackedRows }[] = [];
  for (const { points, from, to, series } of runs) {
    const last = ordered.at(-1);
    const run = { position: series, from, to };
    if (last?.points === points) {
      if (last.runs.at(-1)!.to !== from) return null;
      last.runs.push(run);
    } else if (from > 0) return null;
    else ordered.push({ columns: batchOf.get(points)!, runs: [run], points });
  }
  return ordered.every(({ columns, runs }) => runs.at(-1)!.to === columns.length) ? ordered : null;
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
