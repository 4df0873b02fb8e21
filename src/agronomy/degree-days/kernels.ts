import type { DegreeDayPlan } from './plan.js';

/** Days that are adjacent in memory: of one region over time, or of many regions on one day. */
export interface DayRun {
  readonly tmin: Float64Array;
  readonly tmax: Float64Array;
  /** Position of the first day in `tmin` and `tmax`. */
  readonly from: number;
  readonly count: number;
  /** Minima of the next days, for the double methods; where one is missing, the day's own minimum is used. */
  readonly next: Float64Array;
  /** Position in `next` of the minimum that follows the first day. */
  readonly nextFrom: number;
}

/** Where the degree days of a run are written. */
export interface RunTarget {
  readonly out: Float64Array;
  /** Position of the first day in `out`. */
  readonly at: number;
}

/** Writes the degree days of every day of the run; NaN for a day without both values. */
export function fillRun(run: DayRun, plan: DegreeDayPlan, target: RunTarget): void {
  const { shape, double } = plan;
  const day = dayRate(plan);
  if (day === null) (shape === 'mean' ? fillMean : fillExtremes)(run, plan, target);
  else if (double) fillDouble(run, day, target);
  else fillSingle(run, day, target);
}

/** The formula of one day; null where `fillMean` and `fillExtremes` contain the arithmetic themselves. */
function dayRate(plan: DegreeDayPlan): DayRate | null {
  const { shape } = plan;
  if (shape === 'sine' || shape === 'triangle') return waveRate(shape === 'sine' ? SINE : TRIANGLE, plan);
  if (isContinuous(plan)) return null;
  const steady = steadyRate(plan);
  if (shape === 'mean') return (low, high) => steady((low + high) / 2);
  return (low, high) => (Math.min(low, high) >= plan.cap ? 0 : (steady(low) + steady(high)) / 2);
}

/** Whether the rate is continuous at the cap. */
function isContinuous({ shareLoss }: DegreeDayPlan): boolean {
  return shareLoss === 0;
}

/** Degree days at a constant temperature, which is not above the cap when it equals the cap; NaN where it is missing. */
function steadyRate({ base, cap, atCap, slope }: DegreeDayPlan): (temperature: number) => number {
  return (temperature) => {
    if (temperature <= base) return 0;
    return temperature <= cap ? temperature - base : atCap - slope * (temperature - cap);
  };
}

/** Sum of a run's degree days, and the number of its days that have both values. */
export interface RunSum {
  readonly total: number;
  readonly present: number;
}

/** Whether `sumMeanRun` applies to this plan. */
export function hasMeanSum(plan: DegreeDayPlan): boolean {
  return plan.shape === 'mean' && isContinuous(plan);
}

// Where the rate is continuous, with x = temperature − base and d = max(x, 0), a day has d − (1 + slope) · max(d − span, 0)
// degree days. max(x, 0) is written (x + |x|) / 2, which is exact and has no branch: weather crosses the thresholds often
// enough that mispredicted branches halve the speed. A missing value remains NaN throughout. The three loops below repeat
// this arithmetic, which is twice as fast as a call a day, in the same order, so that equal days give equal bits.

/** Computes and sums a run of the `mean` shape in one pass. */
export function sumMeanRun({ tmin, tmax, from, count }: DayRun, plan: DegreeDayPlan): RunSum {
  const { base, span } = plan;
  const loss = (1 + plan.slope) / 2;
  let total = 0;
  let missing = 0;
  for (let i = from, end = from + count; i < end; i++) {
    const x = (tmin[i]! + tmax[i]!) / 2 - base;
    const d = (x + Math.abs(x)) / 2;
    const value = d - loss * (d - span + Math.abs(d - span));
    if (Number.isNaN(value)) missing++;
    else total += value;
  }
  return { total, present: count - missing };
}

/** The whole day is at its mean. */
function fillMean({ tmin, tmax, from, count }: DayRun, plan: DegreeDayPlan, { out, at }: RunTarget): void {
  const { base, span } = plan;
  const loss = (1 + plan.slope) / 2;
  for (let i = 0; i < count; i++) {
    const x = (tmin[from + i]! + tmax[from + i]!) / 2 - base;
    const d = (x + Math.abs(x)) / 2;
    out[at + i] = d - loss * (d - span + Math.abs(d - span));
  }
}

/** Half the day is at the minimum and half at the maximum, each compared to the thresholds separately. */
function fillExtremes(
  { tmin, tmax, from, count }: DayRun,
  plan: DegreeDayPlan,
  { out, at }: RunTarget,
): void {
  const { base, span } = plan;
  const loss = (1 + plan.slope) / 2;
  for (let i = 0; i < count; i++) {
    const low = tmin[from + i]! - base;
    const high = tmax[from + i]! - base;
    const cool = (low + Math.abs(low)) / 2;
    const warm = (high + Math.abs(high)) / 2;
    const lost = cool - span + Math.abs(cool - span) + (warm - span + Math.abs(warm - span));
    out[at + i] = (cool + warm - loss * lost) / 2;
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

/** Degree days of a day between two temperatures, in either order; NaN when one is missing. */
type DayRate = (one: number, other: number) => number;

/** The part of a wave between a low and a high that is above a threshold which it crosses. */
interface Wave {
  /** Its degree days. */
  readonly above: (low: number, high: number, threshold: number) => number;
  /** Its share of the day. */
  readonly shareAbove: (low: number, high: number, threshold: number) => number;
}

/** A sine wave from the low to the high and back (Baskerville & Emin 1969). */
const SINE: Wave = {
  above(low, high, threshold) {
    const mean = (low + high) / 2;
    const amplitude = (high - low) / 2;
    const sine = sineAt(threshold, mean, amplitude);
    return ((mean - threshold) * Math.acos(sine) + amplitude * Math.sqrt(1 - sine * sine)) / Math.PI;
  },
  shareAbove(low, high, threshold) {
    return Math.acos(sineAt(threshold, (low + high) / 2, (high - low) / 2)) / Math.PI;
  },
};

/** Straight lines from the low to the high and back. */
const TRIANGLE: Wave = {
  above(low, high, threshold) {
    return (high - threshold) ** 2 / (2 * (high - low));
  },
  shareAbove(low, high, threshold) {
    return (high - threshold) / (high - low);
  },
};

/** The sine of the angle at which the wave crosses the threshold, clamped because rounding may exceed 1. */
function sineAt(threshold: number, mean: number, amplitude: number): number {
  return Math.max(-1, Math.min(1, (threshold - mean) / amplitude));
}

/** Degree days of one day whose temperature follows a wave (Zalom et al. 1983). */
function waveRate(
  { above, shareAbove }: Wave,
  { base, cap, atCap, slope, shareLoss }: DegreeDayPlan,
): DayRate {
  return (one, other) => {
    const low = Math.min(one, other);
    const high = Math.max(one, other);
    const mean = (low + high) / 2;
    if (Number.isNaN(mean)) return Number.NaN;
    if (high <= base) return 0;
    if (low >= cap) return atCap - slope * (mean - cap);
    const aboveBase = low >= base ? mean - base : above(low, high, base);
    if (high <= cap) return aboveBase;
    const capped = aboveBase - (1 + slope) * above(low, high, cap);
    return shareLoss === 0 ? capped : capped - shareLoss * shareAbove(low, high, cap);
  };
}
