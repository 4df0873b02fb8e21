/** What an x of the months of a year has beside its field. */
export const MONTHS = {
  type: 'temporal',
  scale: { type: 'utc', nice: false },
  axis: {
    title: null,
    format: '%b',
    tickCount: { interval: 'month', step: 1 },
    labelOverlap: true,
    labelSeparation: 6,
  },
} as const;

/**
 * A style of lines by their number `s`. A scale that is not said to be ordinal spaces its range evenly: from the first
 * width to the last.
 */
export function byLine(range: readonly unknown[]): object {
  return {
    field: 's',
    type: 'ordinal',
    scale: { type: 'ordinal', domain: [...range.keys()], range },
    legend: null,
  };
}
