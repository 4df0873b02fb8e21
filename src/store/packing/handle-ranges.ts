import type { StoredSeries } from '../plan.js';

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
