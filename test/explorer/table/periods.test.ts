import { describe, expect, it } from 'vitest';
import type { Line } from '../../../src/charts/lines.js';
import { periodsOf } from '../../../src/explorer/table/periods.js';

const line = (starts: readonly number[], values: readonly number[]): Line =>
  ({
    start: Float64Array.from(starts),
    end: Float64Array.from(starts),
    value: Float64Array.from(values),
  }) as Line;

const lines = [line([1, 2, 3], [30, Number.NaN, 10]), line([2, 4], [5, 6])];

describe('the table of periods', () => {
  it('has a row for each period, and tells an absent point from a null', () => {
    expect(periodsOf(lines)).toEqual([
      { start: 1, end: 1, rows: [0, -1] },
      { start: 2, end: 2, rows: [1, 0] },
      { start: 3, end: 3, rows: [2, -1] },
      { start: 4, end: 4, rows: [-1, 1] },
    ]);
  });
});
