import type { Table } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { columnReader } from '../table/columns.js';
import { labelSeries } from '../table/series-labels.js';
import { frameSeries, type SeriesView } from '../table/series-view.js';

/** A series as displayed under a frame. */
export interface ShownSeries {
  label: string;
  /** In row order; NaN where the value is null. */
  values: Float64Array;
  min: number;
  max: number;
}

/** The first `max` series of a frame with their values, and how many `more` there are. */
export function shownSeries(
  table: Table,
  max: number,
): { shared: string; series: ShownSeries[]; more: number } {
  const all = frameSeries(table);
  const views = all.slice(0, max);
  const { shared, labels } = labelSeries(views);
  const columnOf = columnReader(table);
  const series = views.map((view, at) => {
    const values = seriesValues(columnOf, view);
    const known = values.filter((value) => !Number.isNaN(value));
    const bounds = known.reduce(
      ({ min, max }, value) => ({
        min: Math.min(min, value),
        max: Math.max(max, value),
      }),
      { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY },
    );
    return { label: labels[at]!, values, ...bounds };
  });
  return { shared, series, more: all.length - views.length };
}

/** The values of a series in row order; NaN where the value is null. */
export function seriesValues(
  columnOf: ReturnType<typeof columnReader>,
  { column, runs }: Pick<SeriesView, 'column' | 'runs'>,
): Float64Array {
  const { values, valid } = columnOf(column);
  const gathered = new Float64Array(runs.reduce((sum, { from, to }) => sum + to - from, 0));
  let at = 0;
  for (const { from, to } of runs) {
    for (let row = from; row < to; row++) {
      gathered[at++] = isValid(valid, row) ? Number(values[row]) : Number.NaN;
    }
  }
  return gathered;
}
