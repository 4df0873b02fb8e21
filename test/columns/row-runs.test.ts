import { expect, test } from 'vitest';
import { seriesRuns } from '../../src/columns/row-runs.js';
import { emptyPoints } from './point-rows.js';
import { columnsOf } from './rows.js';

test('seriesRuns finds the runs of neighbouring rows of one series', () => {
  const rows = [2, 2, 0, 1, 1, 1].map((series) => ({
    series,
    startMs: 0,
    endMs: 0,
    value: 1,
    unitId: 1,
    reportingMs: null,
  }));
  expect([...seriesRuns(columnsOf([]))]).toEqual([]);
  expect([...seriesRuns(columnsOf(rows))]).toEqual([
    { position: 2, from: 0, to: 2 },
    { position: 0, from: 2, to: 3 },
    { position: 1, from: 3, to: 6 },
  ]);
  const longer = { ...emptyPoints(), length: 2, series: Uint32Array.of(4, 4, 4) };
  expect([...seriesRuns(longer)]).toEqual([{ position: 4, from: 0, to: 2 }]);
});
