import { expect, it } from 'vitest';
import { rowAt } from '../../../src/columns/packed-points.js';
import { type EngineRows, packRows } from '../../../src/store/packing/pack-runs.js';
import type { PointPlan, StoredSeries } from '../../../src/store/plan.js';

const seriesOf = (handle: number): StoredSeries => ({
  handle,
  metric_id: 1,
  item_id: 1,
  region_id: handle,
  partner_region_id: 0,
  frequency_id: 1,
  source_id: 1,
  unit_id: 1,
  startMs: 0,
  endMs: 0,
  pointCount: 3,
});

it('keeps the vintages of a series that come with those of another server in between', async () => {
  const series = [seriesOf(3), seriesOf(5)];
  const plan: PointPlan = {
    series,
    startMs: null,
    endMs: null,
    history: 'complete',
    atMs: null,
    sinceMs: null,
    withAvailableDate: true,
    withMetadata: false,
  };
  const parts: EngineRows[] = [];
  const add = (handle: number, values: number[]) => {
    const numbers = Float64Array.from(values, () => 0);
    parts.push({
      length: values.length,
      series: Int32Array.from(values, () => handle),
      start: numbers,
      end: numbers,
      value: Float64Array.from(values),
      unit_id: Int32Array.from(values, () => 1),
      reporting_date: numbers,
      available_date: Float64Array.from(values),
    });
  };
  add(5, [1, 2]);
  add(3, [7]);
  add(5, [3]);
  add(3, [8]);
  const lists = await packRows(parts, { plan, series, offset: 10 });
  const rows = lists
    .flat()
    .flatMap((points) =>
      Array.from({ length: points.length }, (_, i) => [points.series, rowAt(points, i).value]),
    );
  expect(rows).toEqual([
    [10, 7],
    [10, 8],
    [11, 1],
    [11, 2],
    [11, 3],
  ]);
});
