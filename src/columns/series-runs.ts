import type { PointColumns } from './point-columns.js';

/** Rows `from` to `to` (exclusive) of one series. */
export interface SeriesRun {
  readonly position: number;
  readonly from: number;
  readonly to: number;
}

/** The runs of neighbouring rows that belong to one series. */
export function* seriesRuns({ series, length }: PointColumns): Generator<SeriesRun, void, undefined> {
  let from = 0;
  for (let i = 1; i <= length; i++) {
    if (i < length && series[i] === series[from]) continue;
    yield { position: series[from]!, from, to: i };
    from = i;
  }
}
