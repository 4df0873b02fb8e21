import { expect, test } from 'vitest';
import { PointColumnsBuilder } from '../../src/columns/point-builder.js';
import { emptyPoints } from '../../src/columns/point-rows.js';
import { seriesRuns } from '../../src/columns/series-runs.js';

test('seriesRuns finds the runs of neighbouring rows of one series', () => {
  const builder = new PointColumnsBuilder();
  expect([...seriesRuns(builder.build())]).toEqual([]);
  for (const series of [2, 2, 0, 1, 1, 1]) {
    builder.add({ series, startMs: 0, endMs: 0, value: 1, unitId: 1, reportingMs: null });
  }
  expect([...seriesRuns(builder.build())]).toEqual([
    { position: 2, from: 0, to: 2 },
    { position: 0, from: 2, to: 3 },
    { position: 1, from: 3, to: 6 },
  ]);
  const longer = { ...emptyPoints(), length: 2, series: Uint32Array.of(4, 4, 4) };
  expect([...seriesRuns(longer)]).toEqual([{ position: 4, from: 0, to: 2 }]);
});
