import type { DegreeDayPlan } from './plan.js';

/** Degree days of a day between two temperatures, in either order; NaN when one is missing. */
export type DayRate = (one: number, other: number) => number;

/** The part of a wave between a low and a high that is above a threshold which it crosses. */
interface Wave {
  /** Its degree days. */
  readonly above: (low: number, high: number, threshold: number) => number;
  /** Its share of the day. */
  readonly shareAbove: (low: number, high: number, threshold: number) => number;
}

/** A sine wave from the low to the high and back (Baskerville & Emin 1969). */
export const SINE: Wave = {
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
export const TRIANGLE: Wave = {
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
export function waveRate(
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
