import type { Cutoff, DegreeDayMethod } from '../../../src/agronomy/degree-days/plan.js';

interface Thresholds {
  base: number;
  cap: number;
  cutoff: Cutoff;
}

/** Temperature at share `u` of a half day that runs from `from` to `to`. */
type HalfDay = (u: number) => number;

/**
 * Degree days of one day by numerical integration of the rate of development along the day's course, using no formula of the
 * library. Each half is split where it crosses a threshold (found by bisection), so that every piece is smooth.
 */
export function integratedDay(
  method: DegreeDayMethod,
  [tmin, tmax, next]: readonly [number, number, number],
  thresholds: Thresholds,
): number {
  const last = method.startsWith('double') ? next : tmin;
  return (
    (integrateHalf(course(method, tmin, tmax), thresholds) +
      integrateHalf(course(method, last, tmax), thresholds)) /
    2
  );
}

function course(method: DegreeDayMethod, low: number, high: number): HalfDay {
  const mean = (low + high) / 2;
  if (method === 'average' || method === 'mcmaster-wilhelm-1') return () => mean;
  if (method === 'mcmaster-wilhelm-2') return (u) => (u < 0.5 ? low : high);
  if (method.endsWith('triangle')) return (u) => low + (high - low) * u;
  return (u) => mean + ((high - low) / 2) * Math.sin(Math.PI * (u - 0.5));
}

/** Degree days per day at a temperature. */
function rate(temperature: number, { base, cap, cutoff }: Thresholds): number {
  if (temperature <= base) return 0;
  if (temperature < cap || cutoff === 'none') return temperature - base;
  if (cutoff === 'vertical') return 0;
  return cutoff === 'horizontal' ? cap - base : cap - base - (temperature - cap);
}

function integrateHalf(half: HalfDay, thresholds: Thresholds): number {
  const edges = [0, ...[thresholds.base, thresholds.cap].flatMap((t) => crossing(half, t)), 0.5, 1].sort(
    (a, b) => a - b,
  );
  let sum = 0;
  for (let i = 1; i < edges.length; i++) sum += midpoints(half, thresholds, [edges[i - 1]!, edges[i]!]);
  return sum;
}

/** Where a monotone half day crosses a temperature, if it does. */
function crossing(half: HalfDay, temperature: number): number[] {
  let [below, above] = half(0) < half(1) ? [0, 1] : [1, 0];
  if (half(below) >= temperature || half(above) <= temperature) return [];
  for (let step = 0; step < 60; step++) {
    const middle = (below + above) / 2;
    if (half(middle) < temperature) below = middle;
    else above = middle;
  }
  return [below];
}

const PIECES = 400;

/** Only midpoints: the rate may be discontinuous at an edge. */
function midpoints(half: HalfDay, thresholds: Thresholds, [from, to]: readonly [number, number]): number {
  const width = (to - from) / PIECES;
  let sum = 0;
  for (let i = 0; i < PIECES; i++) sum += rate(half(from + (i + 0.5) * width), thresholds);
  return sum * width;
}
