import type { StoredSeries } from '../plan.js';

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
