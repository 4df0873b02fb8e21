import type { CommonPoints, PointPlan, StoredSeries } from '../plan.js';

/** A series with the known common facts of its points. */
export type KnownSeries = StoredSeries & { readonly common: CommonPoints };

/** The columns that a query reads in addition to series, start and value: those that differ within a series. */
export interface VaryingColumns {
  readonly end: boolean;
  readonly unit_id: boolean;
  readonly reporting_date: boolean;
  readonly available_date: boolean;
  readonly metadata: boolean;
}

/** Whether a plan's points are the latest ones, which have one row a period. */
export function readsLatest({ history, atMs }: PointPlan): boolean {
  return history === 'latest' && atMs === null;
}

/**
 * Whether the points of some series of a plan can be read without their common facts.
 * @param snapshot the content of the store; null when it is not known
 */
export function areKnown(
  plan: PointPlan,
  series: readonly StoredSeries[],
  snapshot: object | null,
): series is readonly KnownSeries[] {
  return (
    snapshot !== null && readsLatest(plan) && series.every(({ common }) => common?.snapshot === snapshot)
  );
}

/** The days from start to end of every period of a series; null where they differ, or dates have times. */
export function daysOf({ common: { periodDays, hasTimes } }: KnownSeries): number | null {
  return hasTimes ? null : periodDays;
}

export function varyingColumns(plan: PointPlan, series: readonly KnownSeries[]): VaryingColumns {
  const varies = (test: (common: CommonPoints) => boolean) => series.some(({ common }) => test(common));
  return {
    end: series.some((one) => daysOf(one) === null),
    unit_id: varies(({ hasOneUnit }) => !hasOneUnit),
    reporting_date: varies(({ hasReportingDates }) => hasReportingDates),
    available_date: plan.withAvailableDate && varies(({ availableMs }) => availableMs === null),
    metadata: plan.withMetadata && varies(({ hasMetadata }) => hasMetadata),
  };
}

/** The columns of points of which nothing is known. */
export function allColumns({ withAvailableDate, withMetadata }: PointPlan): VaryingColumns {
  return {
    end: true,
    unit_id: true,
    reporting_date: true,
    available_date: withAvailableDate,
    metadata: withMetadata,
  };
}

/** The names of the columns that vary, in the order in which they are read. */
export function columnNames(columns: VaryingColumns): (keyof VaryingColumns)[] {
  return (Object.keys(columns) as (keyof VaryingColumns)[]).filter((name) => columns[name]);
}

/** The position of a handle among series by ascending handle, at `guess` or found by bisection. */
export function positionOf(handle: number, series: readonly StoredSeries[], guess: number): number {
  if (series[guess]?.handle === handle) return guess;
  let [from, to] = [0, series.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (series[middle]!.handle < handle) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Neighbouring handles, both included. */
export type HandleRange = [first: number, last: number];

/** The ranges of neighbouring handles of some series, ascending. */
export function handleRanges(series: readonly Pick<StoredSeries, 'handle'>[]): HandleRange[] {
  const ranges: HandleRange[] = [];
  for (const { handle } of series) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === handle - 1) range[1] = handle;
    else ranges.push([handle, handle]);
  }
  return ranges;
}
