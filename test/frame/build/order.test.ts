import { describe, expect, test } from 'vitest';
import type { PackedPoints } from '../../../src/columns/packed-points.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { runsOf, seriesOf, type TestPoint } from '../points.js';

const point = (value: number | null, parts: Partial<TestPoint> = {}): TestPoint => ({
  ...{ series: 0, start: 0, end: 0, value },
  ...parts,
});
const valuesOf = (runs: PackedPoints[], series = [seriesOf()], index_by_series = false) => [
  ...longFrame({ series, runs }, { index_by_series, show_available_date: true }).getChild('value')!,
];

describe('the rows of a series', () => {
  test('are in the order of reporting and available dates that a whole run shares, each once', () => {
    const run = (value: number, parts: Partial<PackedPoints>): PackedPoints => ({
      ...runsOf([point(value)])[0]!,
      ...parts,
    });
    const [early, late] = [run(1, { reporting_date: 3 }), run(2, { reporting_date: 5 })];
    expect(valuesOf([late, early, run(0, {})])).toEqual([0, 1, 2]);
    expect(valuesOf([early, late, early])).toEqual([1, 2]);
    const [first, second] = [run(1, { available_date: 3 }), run(2, { available_date: 5 })];
    expect(valuesOf([second, first])).toEqual([1, 2]);
    expect(valuesOf([first, second, run(9, { available_date: 3 })])).toEqual([1, 2]);
    // Without available dates, points that differ in value or unit are both kept.
    expect(valuesOf([run(1, {}), run(1, {}), run(2, {})])).toEqual([1, 2]);
    expect(valuesOf([run(1, {}), run(1, {}), run(1, { unit_id: 10 })])).toEqual([1, 1]);
  });

  test.each<[PackedPoints['start_date'], PackedPoints['end_date'], number[]]>([
    [{ firstMs: 0, stepMs: 5 }, null, [1, 2, 3]],
    [{ firstMs: 0, stepMs: -5 }, null, [3, 2, 1]],
    [Float64Array.of(4, 9, 20), null, [1, 2, 3]],
    [Float64Array.of(4, 20, 9), null, [1, 3, 2]],
    [Float64Array.of(20, 4, 9), null, [2, 3, 1]],
    [Float64Array.of(20, 9, 4), null, [3, 2, 1]],
    // Those of one start are in the order of their ends.
    [{ firstMs: 0, stepMs: 0 }, Float64Array.of(9, 7, 8), [2, 3, 1]],
    [Float64Array.of(4, 4, 5), Float64Array.of(9, 7, 8), [2, 1, 3]],
    // The same start three times: the same point, in other values.
    [{ firstMs: 0, stepMs: 0 }, null, [1, 2, 3]],
    [Float64Array.of(4, 4, 3), null, [3, 1, 2]],
  ])('are sorted whatever form their dates have: %o, %o', (start_date, end_date, sorted) => {
    const [run] = runsOf([point(1), point(2, { start: 1 }), point(3, { start: 2 })]);
    expect(valuesOf([{ ...run!, start_date, end_date }])).toEqual(sorted);
  });

  test.each<[number, TestPoint, TestPoint]>([
    [1, point(5), point(5)],
    [1, point(null), point(null)],
    [2, point(0), point(-0)],
    [2, point(0), point(null)],
    [2, point(null), point(0)],
    [2, point(5), point(5, { unit_id: 10 })],
    [2, point(5), point(5, { end: 1 })],
    [2, point(5), point(5, { reporting: 0 })],
    [2, point(5), point(5, { reporting: 1 })],
    [2, point(5, { available: 1 }), point(5, { available: 2 })],
    // A vintage is known by its available date.
    [1, point(5, { available: 1 }), point(6, { available: 1 })],
  ])('%i of two points are kept: %o, %o', (kept, one, other) => {
    expect(valuesOf(runsOf([one, other]))).toHaveLength(kept);
  });

  test('are vintages in the order of their available dates, the first of equal ones', () => {
    const vintages = [point(5, { available: 2 }), point(6, { available: 1 }), point(7, { available: 2 })];
    expect(valuesOf(runsOf(vintages))).toEqual([6, 5]);
  });

  test('are of the first position of a key that is listed twice, wherever it has them', () => {
    const series = [seriesOf(), seriesOf({ region_id: 1 }), seriesOf()];
    const at = (start: number, value: number, entry: number, parts: Partial<TestPoint> = {}) =>
      point(value, { series: entry, start, end: start, ...parts });
    const own = [at(0, 1, 0), at(5, 2, 0), at(0, 50, 1)];
    const overlap = runsOf([...own, at(-1, 10, 2), at(0, 11, 2), at(3, 12, 2), at(5, 13, 2)]);
    expect(valuesOf(overlap, series)).toEqual([10, 1, 12, 2, 50]);
    expect(valuesOf(overlap, series, true)).toEqual([50, 10, 1, 12, 2]);
    expect(valuesOf(runsOf([at(0, 1, 0), at(0, 50, 1), at(1, 10, 2)]), series)).toEqual([1, 10, 50]);
    // Vintages of the first hide every vintage of the second.
    const vintage = (value: number, entry: number, available: number) => at(0, value, entry, { available });
    const vintages = [vintage(1, 0, 5), vintage(2, 0, 6), vintage(3, 2, 1), vintage(4, 2, 7)];
    expect(valuesOf(runsOf(vintages), series)).toEqual([1, 2]);
  });
});
