import { expect, test } from 'vitest';
import { packColumns } from '../../src/columns/packed-points.js';
import { atPosition, countRows, unpackSet } from '../../src/columns/packed-set.js';
import { seriesOf } from '../frame/points.js';
import { columnsOf, rowsOf } from './rows.js';

const ROWS = [0, 0, 1].map((series, i) => ({
  series,
  startMs: i,
  endMs: i,
  value: i,
  unitId: 7,
  reportingMs: null,
  availableMs: null,
  metadata: null,
}));
const RUNS = packColumns(columnsOf(ROWS));

test('countRows counts the points of all runs', () => {
  expect(countRows(RUNS)).toBe(3);
  expect(countRows([])).toBe(0);
});

test('atPosition renumbers a run, and leaves one that has the number already', () => {
  const [first] = RUNS;
  expect(atPosition(first!, 0)).toBe(first);
  expect(atPosition(first!, 4)).toEqual({ ...first!, series: 4 });
});

test('unpackSet has the rows of all runs in one batch, or no batch', () => {
  const series = [seriesOf(), seriesOf({ region_id: 6 })];
  const { batches, ...rest } = unpackSet({ series, runs: RUNS });
  expect(rest).toEqual({ series });
  expect(batches.map(rowsOf)).toEqual([ROWS]);
  expect(unpackSet({ series, runs: [] })).toEqual({ series, batches: [] });
});
