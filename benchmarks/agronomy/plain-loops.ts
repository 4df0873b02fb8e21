import type { RegionColumns } from '../../src/agronomy/weights/weights.js';
import type { Temperatures } from './inputs.js';

/** One total a region, and the days that have both values. */
export interface Totals {
  readonly totals: ArrayLike<number>;
  readonly counted: ArrayLike<number>;
}

export const BASE = 10;
export const CAP = 30;

/** The specification's rule, fused into one loop. */
export function averagePlainly({ regions, days, tmin, tmax }: Temperatures): Totals {
  const totals = new Float64Array(regions);
  const counted = new Uint32Array(regions);
  for (let region = 0, i = 0; region < regions; region++) {
    let total = 0;
    let present = 0;
    for (const end = i + days; i < end; i++) {
      const value = Math.max(Math.min((tmin[i]! + tmax[i]!) / 2, CAP), BASE) - BASE;
      if (!Number.isNaN(value)) {
        total += value;
        present++;
      }
    }
    totals[region] = total;
    counted[region] = present;
  }
  return { totals, counted };
}

/** McMaster and Wilhelm's method 2, fused into one loop. */
export function extremesPlainly({ regions, days, tmin, tmax }: Temperatures): Totals {
  const totals = new Float64Array(regions);
  const counted = new Uint32Array(regions);
  for (let region = 0, i = 0; region < regions; region++) {
    for (const end = i + days; i < end; i++) {
      const low = Math.max(Math.min(tmin[i]!, CAP), BASE);
      const high = Math.max(Math.min(tmax[i]!, CAP), BASE);
      const value = (low + high) / 2 - BASE;
      if (Number.isNaN(value)) continue;
      totals[region]! += value;
      counted[region]!++;
    }
  }
  return { totals, counted };
}

/** The single sine with horizontal cut-off, fused into one loop. */
export function sinePlainly({ regions, days, tmin, tmax }: Temperatures): Totals {
  const totals = new Float64Array(regions);
  const counted = new Uint32Array(regions);
  for (let region = 0, i = 0; region < regions; region++) {
    for (const end = i + days; i < end; i++) {
      const [low, high] = [tmin[i]!, tmax[i]!];
      if (Number.isNaN(low + high)) continue;
      counted[region]!++;
      totals[region]! += sineAbove(low, high, BASE) - sineAbove(low, high, CAP);
    }
  }
  return { totals, counted };
}

function sineAbove(low: number, high: number, threshold: number): number {
  if (high <= threshold) return 0;
  const mean = (low + high) / 2;
  if (low >= threshold) return mean - threshold;
  const amplitude = (high - low) / 2;
  const theta = Math.asin((threshold - mean) / amplitude);
  return ((mean - threshold) * (Math.PI / 2 - theta) + amplitude * Math.cos(theta)) / Math.PI;
}

/** Weight × value, row by row. */
export function weightPlainly({ region, value }: RegionColumns, weights: readonly number[]): Float64Array {
  const weight = Float64Array.from(weights);
  const weighted = new Float64Array(value.length);
  for (let row = 0; row < value.length; row++) weighted[row] = weight[region[row]!]! * value[row]!;
  return weighted;
}
