import { type DayRun, fillRun, hasMeanSum, type RunSum, type RunTarget, sumMeanRun } from './kernels.js';
import type { DegreeDayPlan } from './plan.js';

/** Which values are adjacent: all days of a region, or all regions of a day. */
export type MatrixLayout = 'region-major' | 'day-major';

export interface MatrixShape {
  readonly regions: number;
  readonly days: number;
  readonly layout: MatrixLayout;
}

export interface Matrix {
  readonly tmin: Float64Array;
  readonly tmax: Float64Array;
  /** Minima of the day after the last, one a region; NaN where missing. */
  readonly next: Float64Array;
}

/** The output of `sumRegions` and `sumDays`. */
export interface MatrixSums {
  /** One a region. */
  readonly totals: Float64Array;
  /** The number of days with a value, by region. */
  readonly present: Uint32Array;
  /** The daily values; null unless requested. */
  readonly daily: Float64Array | null;
}

/** Computes one region at a time into a row that fits the processor's cache, then sums the row. */
export function sumRegions(
  { tmin, tmax, next }: Matrix,
  { regions, days }: MatrixShape,
  { plan, sums }: { plan: DegreeDayPlan; sums: MatrixSums },
): void {
  const scratch = new Float64Array(days);
  const isFused = sums.daily === null && hasMeanSum(plan);
  for (let region = 0; region < regions; region++) {
    const from = region * days;
    const run: DayRun = { tmin, tmax, from, count: days, next: tmin, nextFrom: from + 1 };
    const { total, present } = isFused
      ? sumMeanRun(run, plan)
      : sumFilled(run, plan, { ...rowTarget(sums, scratch, from), lastNext: next[region]! });
    sums.totals[region] = total;
    sums.present[region] = present;
  }
}

/** `lastNext` is the minimum after the run's last day. */
type RowTarget = RunTarget & { readonly lastNext: number };

function sumFilled(run: DayRun, plan: DegreeDayPlan, target: RowTarget): RunSum {
  if (plan.double) fillDoubleRow(run, plan, target);
  else fillRun(run, plan, target);
  return sumRow(target, run.count);
}

/** Fills the last day by itself: what follows it in memory is the next region's first day. */
function fillDoubleRow(run: DayRun, plan: DegreeDayPlan, { out, at, lastNext }: RowTarget): void {
  const { tmin, tmax, from, next, nextFrom } = run;
  const last = run.count - 1;
  fillRun({ tmin, tmax, from, count: last, next, nextFrom }, plan, { out, at });
  const lastDay = { tmin, tmax, from: from + last, count: 1, next: Float64Array.of(lastNext), nextFrom: 0 };
  fillRun(lastDay, plan, { out, at: at + last });
}

/** Computes one day of all regions at a time, and adds it to the sums of the regions. */
export function sumDays(
  { tmin, tmax, next }: Matrix,
  { regions, days }: MatrixShape,
  { plan, sums }: { plan: DegreeDayPlan; sums: MatrixSums },
): void {
  const scratch = new Float64Array(regions);
  for (let day = 0; day < days; day++) {
    const from = day * regions;
    const target = rowTarget(sums, scratch, from);
    const following = day + 1 < days ? { next: tmin, nextFrom: from + regions } : { next, nextFrom: 0 };
    const run: DayRun = { tmin, tmax, from, count: regions, ...following };
    fillRun(run, plan, target);
    addRow(target, sums);
  }
}

function rowTarget({ daily }: MatrixSums, scratch: Float64Array, from: number): RunTarget {
  return daily === null ? { out: scratch, at: 0 } : { out: daily, at: from };
}

/** Sums a row and sets its missing values to 0. */
function sumRow({ out, at }: RunTarget, count: number): RunSum {
  let total = 0;
  let present = 0;
  for (let i = at; i < at + count; i++) {
    const value = out[i]!;
    if (Number.isNaN(value)) {
      out[i] = 0;
    } else {
      total += value;
      present++;
    }
  }
  return { total, present };
}

function addRow({ out, at }: RunTarget, { totals, present }: MatrixSums): void {
  for (let region = 0; region < totals.length; region++) {
    const value = out[at + region]!;
    if (Number.isNaN(value)) {
      out[at + region] = 0;
    } else {
      totals[region]! += value;
      present[region]!++;
    }
  }
}
