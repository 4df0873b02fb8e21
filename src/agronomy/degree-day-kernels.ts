import { type DayRate, SINE, TRIANGLE, waveRate } from './day-waves.js';
import type { DegreeDayPlan } from './degree-day-plan.js';

/** A run of days that lie side by side in memory: of one region through time, or of many regions on one day. */
export interface DayRun {
  readonly tmin: Float64Array;
  readonly tmax: Float64Array;
  /** Position of the first day in `tmin` and `tmax`. */
  readonly from: number;
  readonly count: number;
  /** Minima of the next days, for the double methods; where one is missing the day's own stands in. */
  readonly next: Float64Array;
  /** Position in `next` that belongs to the first day. */
  readonly nextFrom: number;
}

/** Where the degree days of a run go. */
export interface RunTarget {
  readonly out: Float64Array;
  /** Position of the first day in `out`. */
  readonly at: number;
}

/** Writes the degree days of every day of the run; a day without both values gives NaN. */
export function fillRun(run: DayRun, plan: DegreeDayPlan, target: RunTarget): void {
  if (plan.shape === 'mean') fillMean(run, plan, target);
  else if (plan.shape === 'extremes') fillExtremes(run, plan, target);
  else if (plan.double) fillDouble(run, waveRate(plan.shape === 'sine' ? SINE : TRIANGLE, plan), target);
  else fillSingle(run, waveRate(plan.shape === 'sine' ? SINE : TRIANGLE, plan), target);
}

/** Sum of a run's degree days, and the number of its days that have both values. */
export interface RunSum {
  readonly total: number;
  readonly present: number;
}

/**
 * Sums a run of the `mean` shape in the pass that computes it: half again as fast as filling a row first, for what is
 * asked most often.
 */
export function sumMeanRun({ tmin, tmax, from, count }: DayRun, plan: DegreeDayPlan): RunSum {
  const { base, cap, atCap, slope } = plan;
  let total = 0;
  let present = 0;
  for (let i = from, end = from + count; i < end; i++) {
    const mean = (tmin[i]! + tmax[i]!) / 2;
    const value = mean <= base ? 0 : mean < cap ? mean - base : atCap - slope * (mean - cap);
    if (!Number.isNaN(value)) {
      total += value;
      present++;
    }
  }
  return { total, present };
}

/**
 * The whole day at its mean. The arithmetic stands in the loop itself, twice as fast as a call a day; a missing value
 * fails both comparisons and comes out as NaN.
 */
function fillMean({ tmin, tmax, from, count }: DayRun, plan: DegreeDayPlan, { out, at }: RunTarget): void {
  const { base, cap, atCap, slope } = plan;
  for (let i = 0; i < count; i++) {
    const mean = (tmin[from + i]! + tmax[from + i]!) / 2;
    out[at + i] = mean <= base ? 0 : mean < cap ? mean - base : atCap - slope * (mean - cap);
  }
}

/** Half the day at the minimum, half at the maximum, each held against the thresholds by itself. */
function fillExtremes(
  { tmin, tmax, from, count }: DayRun,
  plan: DegreeDayPlan,
  { out, at }: RunTarget,
): void {
  const { base, cap, atCap, slope } = plan;
  for (let i = 0; i < count; i++) {
    const low = tmin[from + i]!;
    const high = tmax[from + i]!;
    const cool = low <= base ? 0 : low < cap ? low - base : atCap - slope * (low - cap);
    const warm = high <= base ? 0 : high < cap ? high - base : atCap - slope * (high - cap);
    out[at + i] = (cool + warm) / 2;
  }
}

function fillSingle({ tmin, tmax, from, count }: DayRun, day: DayRate, { out, at }: RunTarget): void {
  for (let i = 0; i < count; i++) out[at + i] = day(tmin[from + i]!, tmax[from + i]!);
}

function fillDouble(run: DayRun, day: DayRate, { out, at }: RunTarget): void {
  const { tmin, tmax, from, count, next, nextFrom } = run;
  for (let i = 0; i < count; i++) {
    const high = tmax[from + i]!;
    const nextLow = next[nextFrom + i]!;
    const own = day(tmin[from + i]!, high);
    out[at + i] = Number.isNaN(nextLow) ? own : (own + day(nextLow, high)) / 2;
  }
}
