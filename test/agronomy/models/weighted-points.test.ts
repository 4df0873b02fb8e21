import { expect, it } from 'vitest';
import { regionColumns, withValues } from '../../../src/agronomy/models/weighted-points.js';
import { runsOf, seriesOf } from '../../frame/points.js';

const points = [
  { series: 0, start: 0, end: 5, value: 1 },
  { series: 0, start: 10, end: 15, value: null },
  { series: 2, start: 0, end: 0, value: 3 },
];
const SET = {
  series: [seriesOf(), seriesOf({ region_id: 6 }), seriesOf({ region_id: 8 })],
  runs: runsOf(points),
};

it('points are one block of columns, whose regions are the positions of their series', () => {
  expect(regionColumns(SET)).toEqual({
    region: Uint32Array.of(0, 0, 2),
    start_date: BigInt64Array.of(0n, 10n, 0n),
    end_date: BigInt64Array.of(5n, 15n, 0n),
    value: Float64Array.of(1, Number.NaN, 3),
    value_valid: null,
  });
  const [first, second] = SET.runs;
  const longer = { ...first!, length: 1 };
  expect(regionColumns({ ...SET, runs: [longer, second!] }).value).toEqual(Float64Array.of(1, 3));
});

it('points can have other values, of which NaN becomes null', () => {
  const { series, runs } = withValues(SET, Float64Array.of(7, 8, Number.NaN));
  expect(series).toBe(SET.series);
  expect(runs.map(({ value, value_valid }) => [value, value_valid === null])).toEqual([
    [Float64Array.of(7, 8), true],
    [Float64Array.of(Number.NaN), false],
  ]);
  expect(runs[1]!.value_valid![0]).toBe(0);
  expect(runs[0]!.start_date).toBe(SET.runs[0]!.start_date);
});
