import type { PointColumns } from '../model/point.js';

/** Rows `from` up to `to` of one series. */
export interface SeriesRun {
  readonly position: number;
  readonly from: number;
  readonly to: number;
}

/** Neighbouring rows of one series each. */
export function* seriesRuns({ series, length }: PointColumns): Generator<SeriesRun, void, undefined> {
  let from = 0;
  for (let i = 1; i <= length; i++) {
    if (i < length && series[i] === series[from]) continue;
    yield { position: series[from]!, from, to: i };
    from = i;
  }
}

/** The same rows, all of the series at `position`: the very columns, where they are there. */
export function atPosition(columns: PointColumns, position: number): PointColumns {
  const { series, length } = columns;
  if (length > 0 && series[0] === position && series[length - 1] === position) return columns;
  return { ...columns, series: new Uint32Array(columns.length).fill(position) };
}
