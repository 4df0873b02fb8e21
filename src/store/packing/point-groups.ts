import type { PackedPoints } from '../../columns/packed-points.js';
import { linkAbort } from '../../model/linked-abort.js';
import type { CommonPoints, PointPlan, StoredSeries } from '../plan.js';
import type { ReadOptions } from '../store.js';
import { turns } from '../turns.js';

/** Series of a plan that are read together. `offset` is the position of the first of these series in the plan. */
export interface PointGroup {
  readonly plan: PointPlan;
  readonly offset: number;
  readonly series: readonly StoredSeries[];
}

export type Lists = readonly (readonly PackedPoints[])[];

interface GroupReading extends ReadOptions {
  /** The maximum number of points read together. Vintages take more memory, so at most a quarter as many are read. */
  readonly maxPoints: number;
  readonly read: (group: PointGroup, signal: AbortSignal) => Promise<Lists>;
  readonly requireOpen: () => void;
}

/** The number of groups that are read ahead while another group is consumed. */
const GROUPS_AHEAD = 1;

/**
 * Reads a plan's points in lists of at most 65,536 rows. Each group of series is read completely before its first list
 * is yielded, so a slow consumer keeps groups in memory but does not tie up a connection.
 */
export async function* readGroups(
  plan: PointPlan,
  { maxPoints, read, requireOpen, signal }: GroupReading,
): AsyncGenerator<readonly PackedPoints[], void, void> {
  const groups = pointGroups(plan, readsLatest(plan) ? maxPoints : maxPoints / 4);
  const reading = linkAbort(signal);
  const ahead: Promise<Lists>[] = [];
  const readAhead = () => {
    for (let next = groups.next(); next.done !== true; next = groups.next()) {
      const lists = read(next.value, reading.signal);
      lists.catch(() => {});
      if (ahead.push(lists) > GROUPS_AHEAD) return;
    }
  };
  try {
    for (readAhead(); ahead.length > 0; readAhead()) {
      for (const list of await ahead.shift()!) {
        await turns.next();
        signal?.throwIfAborted();
        requireOpen();
        yield list;
      }
    }
  } finally {
    reading.abort();
    reading.unlink();
    await Promise.allSettled(ahead);
  }
}

const MAX_GROUP_SERIES = 1_000;

/** Divides a plan's series into groups of at most `maxPoints` points. A series with more points is a separate group. */
function* pointGroups(plan: PointPlan, maxPoints: number): Generator<PointGroup, void, void> {
  const { series } = plan;
  let offset = 0;
  let selected = 0;
  for (let i = 0; i < series.length; i++) {
    const expected = expectedPoints(series[i]!, plan);
    if (i > offset && (i - offset === MAX_GROUP_SERIES || selected + expected > maxPoints)) {
      yield { plan, offset, series: series.slice(offset, i) };
      [offset, selected] = [i, 0];
    }
    selected += expected;
  }
  if (offset < series.length) yield { plan, offset, series: series.slice(offset) };
}

/** Estimates how many points of a series are within a plan's dates, assuming that the points are evenly spread. */
function expectedPoints({ pointCount, startMs, endMs }: StoredSeries, plan: PointPlan): number {
  const first = Math.max(startMs, plan.startMs ?? startMs);
  const last = Math.min(endMs, plan.endMs ?? endMs);
  if (last < first) return 0;
  const share = endMs === startMs ? 1 : (last - first) / (endMs - startMs);
  return Math.min(pointCount, Math.ceil(pointCount * share) + 1);
}

export type KnownSeries = StoredSeries & { readonly common: CommonPoints };

/** Checks whether a plan reads only the latest points, so that each period is one row. */
export const readsLatest = ({ history, atMs }: PointPlan): boolean => history === 'latest' && atMs === null;

/** Checks whether a plan reads only the latest points and every series has `common` facts for this snapshot. */
export function areKnown(
  plan: PointPlan,
  series: readonly StoredSeries[],
  snapshot: object | null,
): series is readonly KnownSeries[] {
  return (
    snapshot !== null && readsLatest(plan) && series.every(({ common }) => common?.snapshot === snapshot)
  );
}

/** Returns the number of days from start to end of every period, or null if it varies or dates have times of day. */
export function commonPeriodDays({ common: { periodDays, hasTimes } }: KnownSeries): number | null {
  return hasTimes ? null : periodDays;
}

/** For each column after series, start and value, tests whether the column's values can differ within a series. */
const VARIES = {
  end: (series: KnownSeries) => commonPeriodDays(series) === null,
  unit_id: ({ common }: KnownSeries) => !common.hasOneUnit,
  reporting_date: ({ common }: KnownSeries) => common.hasReportingDates,
  available_date: ({ common }: KnownSeries) => common.availableMs === null,
  metadata: ({ common }: KnownSeries) => common.hasMetadata,
};

export type ColumnName = keyof typeof VARIES;

/** Returns the names of a plan's columns, in the order in which queries select them. */
export function allColumns({ withAvailableDate, withMetadata }: PointPlan): ColumnName[] {
  const names = Object.keys(VARIES) as ColumnName[];
  const omitted = [withAvailableDate ? '' : 'available_date', withMetadata ? '' : 'metadata'];
  return names.filter((name) => !omitted.includes(name));
}

/** Returns the names of the columns that must be read, because they vary within a series. */
export function varyingColumns(plan: PointPlan, series: readonly KnownSeries[]): ColumnName[] {
  return allColumns(plan).filter((name) => series.some(VARIES[name]));
}

export type HandleRange = [first: number, last: number];

export function handleRanges(series: readonly Pick<StoredSeries, 'handle'>[]): HandleRange[] {
  const ranges: HandleRange[] = [];
  for (const { handle } of series) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === handle - 1) range[1] = handle;
    else ranges.push([handle, handle]);
  }
  return ranges;
}
