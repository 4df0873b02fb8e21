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

/** Neighbouring handles, both included. */
export type HandleRange = [first: number, last: number];

/** The ranges of neighbouring handles of some series, ascending. */
export function handleRanges(series: readonly Pick<StoredSeries, 'handle'>[]): HandleRange[] {
  const ranges: HandleRange[] = [];
  for (const { handle } of series) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === handle - 1) range[1] = handle;
    else ranges.push([handle, handle]);
  }
  return ranges;
}
