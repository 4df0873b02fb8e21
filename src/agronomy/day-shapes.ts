import type { DegreeDayPlan } from './degree-day-plan.js';

/**
 * One day of each shape, between a low and a high. With A(T) the degree days above T and f the share of the day above
 * the cap, a day is A(base) − A(cap) for the horizontal, A(base) − 2·A(cap) for the intermediate, and
 * A(base) − A(cap) − (cap − base)·f for the vertical cut-off, which gives 0 for a day wholly at or above the cap
 * (Zalom et al. 1983). A missing low or high gives NaN; a low above its high changes places with it.
 */
export type DayShapeFormula = (low: number, high: number, plan: DegreeDayPlan) => number;

/** The whole day at one temperature, its mean. */
export function meanDay(low: number, high: number, plan: DegreeDayPlan): number {
  return constantDay((low + high) / 2, plan);
}

/** Half the day at the low, half at the high, each held against the thresholds by itself. */
export function extremesDay(low: number, high: number, plan: DegreeDayPlan): number {
  return (constantDay(low, plan) + constantDay(high, plan)) / 2;
}

/** A sine wave from the low to the high and back (Baskerville & Emin 1969). */
export function sineDay(low: number, high: number, plan: DegreeDayPlan): number {
  return low <= high
    ? waveDay(low, high, plan, sineAbove, sineShareAbove)
    : waveDay(high, low, plan, sineAbove, sineShareAbove);
}

/** Straight lines from the low to the high and back. */
export function triangleDay(low: number, high: number, plan: DegreeDayPlan): number {
  return low <= high
    ? waveDay(low, high, plan, triangleAbove, triangleShareAbove)
    : waveDay(high, low, plan, triangleAbove, triangleShareAbove);
}

function constantDay(temperature: number, { base, cap, capFactor, vertical }: DegreeDayPlan): number {
  if (temperature >= cap) return vertical ? 0 : cap - base - (capFactor - 1) * (temperature - cap);
  return temperature <= base ? 0 : temperature - base;
}

/** Of a wave that crosses the threshold. */
type CrossingFormula = (low: number, high: number, threshold: number) => number;

function waveDay(
  low: number,
  high: number,
  plan: DegreeDayPlan,
  above: CrossingFormula,
  shareAbove: CrossingFormula,
): number {
  const { base, cap } = plan;
  const mean = (low + high) / 2;
  if (low >= cap || Number.isNaN(mean)) return constantDay(mean, plan);
  if (high <= base) return 0;
  const aboveBase = low >= base ? mean - base : above(low, high, base);
  if (high <= cap) return aboveBase;
  const capped = aboveBase - plan.capFactor * above(low, high, cap);
  return plan.vertical ? capped - (cap - base) * shareAbove(low, high, cap) : capped;
}

function sineAbove(low: number, high: number, threshold: number): number {
  const mean = (low + high) / 2;
  const amplitude = (high - low) / 2;
  const sine = sineAt(threshold, mean, amplitude);
  return ((mean - threshold) * Math.acos(sine) + amplitude * Math.sqrt(1 - sine * sine)) / Math.PI;
}

function sineShareAbove(low: number, high: number, threshold: number): number {
  return Math.acos(sineAt(threshold, (low + high) / 2, (high - low) / 2)) / Math.PI;
}

/** The sine of the angle of crossing; rounding may carry it just past one. */
function sineAt(threshold: number, mean: number, amplitude: number): number {
  return Math.max(-1, Math.min(1, (threshold - mean) / amplitude));
}

function triangleAbove(low: number, high: number, threshold: number): number {
  return (high - threshold) ** 2 / (2 * (high - low));
}

function triangleShareAbove(low: number, high: number, threshold: number): number {
  return (high - threshold) / (high - low);
}
