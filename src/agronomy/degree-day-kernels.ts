import { type DayShapeFormula, extremesDay, meanDay, sineDay, triangleDay } from './day-shapes.js';
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

/**
 * Writes the degree days of every day of the run into `out` from `outFrom` on. A day without both values gives NaN.
 * Each shape has its own loop so that its formula is compiled into it.
 */
export function fillRun(run: DayRun, plan: DegreeDayPlan, out: Float64Array, outFrom: number): void {
  if (plan.shape === 'mean') fillMean(run, plan, out, outFrom);
  else if (plan.shape === 'extremes') fillExtremes(run, plan, out, outFrom);
  else fillWave(run, plan, out, outFrom);
}

function fillMean(run: DayRun, plan: DegreeDayPlan, out: Float64Array, outFrom: number): void {
  const { tmin, tmax, from, count } = run;
  for (let i = 0; i < count; i++) out[outFrom + i] = meanDay(tmin[from + i]!, tmax[from + i]!, plan);
}

function fillExtremes(run: DayRun, plan: DegreeDayPlan, out: Float64Array, outFrom: number): void {
  const { tmin, tmax, from, count } = run;
  for (let i = 0; i < count; i++) out[outFrom + i] = extremesDay(tmin[from + i]!, tmax[from + i]!, plan);
}

function fillWave(run: DayRun, plan: DegreeDayPlan, out: Float64Array, outFrom: number): void {
  const day = plan.shape === 'sine' ? sineDay : triangleDay;
  if (plan.double) fillDouble(run, plan, day, { out, outFrom });
  else fillSingle(run, plan, day, { out, outFrom });
}

interface Target {
  readonly out: Float64Array;
  readonly outFrom: number;
}

function fillSingle(run: DayRun, plan: DegreeDayPlan, day: DayShapeFormula, { out, outFrom }: Target): void {
  const { tmin, tmax, from, count } = run;
  for (let i = 0; i < count; i++) out[outFrom + i] = day(tmin[from + i]!, tmax[from + i]!, plan);
}

function fillDouble(run: DayRun, plan: DegreeDayPlan, day: DayShapeFormula, { out, outFrom }: Target): void {
  const { tmin, tmax, from, count, next, nextFrom } = run;
  for (let i = 0; i < count; i++) {
    const low = tmin[from + i]!;
    const high = tmax[from + i]!;
    const nextLow = next[nextFrom + i]!;
    out[outFrom + i] = (day(low, high, plan) + day(Number.isNaN(nextLow) ? low : nextLow, high, plan)) / 2;
  }
}
