import { describe, expect, it } from 'vitest';
import type { Line } from '../../../src/charts/lines.js';
import { seriesTable } from '../../../src/explorer/table/series-table.js';

const line = (starts: readonly number[], values: readonly number[]): Line =>
  ({
    ...{ label: 'Iowa', metric: 'Yield', item: 'Corn', region: 'Iowa', unit: '' },
    start: Float64Array.from(starts),
    end: Float64Array.from(starts),
    value: Float64Array.from(values),
  }) as Line;

const lines = [line([1, 2, 3], [30, Number.NaN, 10]), line([2, 4], [5, 6])];

describe('the table of periods', () => {
  it('has a row for each period, and tells an absent point from a null', () => {
    expect(seriesTable(lines).rows).toEqual([
      [{ start: 1, end: 1 }, 30, undefined],
      [{ start: 2, end: 2 }, Number.NaN, 5],
      [{ start: 3, end: 3 }, 10, undefined],
      [{ start: 4, end: 4 }, undefined, 6],
    ]);
  });
});
