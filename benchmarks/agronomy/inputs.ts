import type { RegionColumns, RegionWeights } from '../../src/agronomy/weights/weights.js';
import { DAY_MS } from '../../src/model/time.js';

export interface Size {
  readonly regions: number;
  readonly days: number;
}

/** Daily extremes of many regions, all days of a region side by side, °C. */
export interface Temperatures extends Size {
  readonly tmin: Float64Array;
  readonly tmax: Float64Array;
}

/** A generator of numbers from 0 to 1 that gives the same ones in every run (Park and Miller 1988). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Seasons of a temperate climate with a day's chance on top; every hundredth value is missing. */
export function temperatures({ regions, days }: Size): Temperatures {
  const next = numbers(1);
  const tmin = new Float64Array(regions * days);
  const tmax = new Float64Array(regions * days);
  for (let i = 0; i < tmin.length; i++) {
    const season = 12 - 12 * Math.cos((2 * Math.PI * (i % days)) / 365.25);
    tmin[i] = next() < 0.01 ? Number.NaN : season - 8 + 6 * next();
    tmax[i] = next() < 0.01 ? Number.NaN : season + 2 + 8 * next();
  }
  return { regions, days, tmin, tmax };
}

/** Daily values of many regions as a retrieval gives them, region after region; every hundredth is missing. */
export function regionColumns({ regions, days }: Size): RegionColumns {
  const next = numbers(2);
  const rows = regions * days;
  const start_date = new BigInt64Array(rows);
  for (let row = 0; row < rows; row++) start_date[row] = BigInt((row % days) * DAY_MS);
  return {
    region: Uint32Array.from({ length: rows }, (_, row) => Math.floor(row / days)),
    start_date,
    end_date: start_date,
    value: Float64Array.from({ length: rows }, () => (next() < 0.01 ? Number.NaN : 40 * next() - 5)),
    value_valid: null,
  };
}

/** Weights that sum to 1. */
export function someWeights({ regions }: Size): RegionWeights {
  const next = numbers(3);
  const shares = Array.from({ length: regions }, next);
  const total = shares.reduce((sum, share) => sum + share, 0);
  return { weights: shares.map((share) => share / total), without_data: [] };
}
