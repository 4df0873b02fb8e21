import type { Table } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import type { PackedPoints } from '../../../src/columns/packed-points.js';
import type { PointSeries } from '../../../src/columns/point-columns.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { runsOf, seriesOf, type TestPoint } from '../points.js';

const column = (table: Table, name: string) => [...table.getChild(name)!];
const point = (value: number | null, parts: Partial<TestPoint> = {}): TestPoint => ({
  series: 0,
  start: 0,
  end: 0,
  value,
  ...parts,
});

/** The values of the long frame of these batches of points. */
function valuesOf(
  batches: TestPoint[][],
  series: readonly PointSeries[] = [seriesOf()],
  index_by_series = false,
) {
  const table = longFrame(
    { series, runs: batches.flatMap(runsOf) },
    { index_by_series, show_available_date: true },
  );
  return column(table, 'value');
}

describe('the rows of a series', () => {
  test('are in the order of reporting and available dates that a whole run shares, each once', () => {
    const run = (value: number, parts: Partial<PackedPoints>): PackedPoints => ({
      ...runsOf([point(value)])[0]!,
      ...parts,
    });
    const values = (...runs: PackedPoints[]) => column(longFrame({ series: [seriesOf()], runs }), 'value');
    const [early, late] = [run(1, { reporting_date: 3 }), run(2, { reporting_date: 5 })];
    expect(values(late, early, run(0, {}))).toEqual([0, 1, 2]);
    expect(values(early, late, early)).toEqual([1, 2]);
    const [first, second] = [run(1, { available_date: 3 }), run(2, { available_date: 5 })];
    expect(values(second, first)).toEqual([1, 2]);
    expect(values(first, second, run(9, { available_date: 3 }))).toEqual([1, 2]);
    // Without available dates, points that differ in value or unit are both kept.
    expect(values(run(1, {}), run(1, {}), run(2, {}))).toEqual([1, 2]);
    expect(values(run(1, {}), run(1, {}), run(1, { unit_id: 10 }))).toEqual([1, 1]);
  });

  test('are sorted whatever form their dates have', () => {
    const run = (start_date: PackedPoints['start_date']): PackedPoints => ({
      series: 0,
      length: 3,
      start_date,
      end_date: null,
      value: Float64Array.of(1, 2, 3),
      value_valid: null,
      unit_id: 7,
      reporting_date: null,
    });
    const sorted = (start_date: PackedPoints['start_date'], end_date: PackedPoints['end_date'] = null) =>
      column(longFrame({ series: [seriesOf()], runs: [{ ...run(start_date), end_date }] }), 'value');
    expect(sorted({ firstMs: 0, stepMs: 5 })).toEqual([1, 2, 3]);
    expect(sorted({ firstMs: 0, stepMs: -5 })).toEqual([3, 2, 1]);
    expect(sorted(Float64Array.of(4, 9, 20))).toEqual([1, 2, 3]);
    expect(sorted(Float64Array.of(4, 20, 9))).toEqual([1, 3, 2]);
    expect(sorted(Float64Array.of(20, 4, 9))).toEqual([2, 3, 1]);
    expect(sorted(Float64Array.of(20, 9, 4))).toEqual([3, 2, 1]);
    // Those of one start are in the order of their ends.
    expect(sorted({ firstMs: 0, stepMs: 0 }, Float64Array.of(9, 7, 8))).toEqual([2, 3, 1]);
    expect(sorted(Float64Array.of(4, 4, 5), Float64Array.of(9, 7, 8))).toEqual([2, 1, 3]);
    // The same start three times: the same point, in other values.
    expect(sorted({ firstMs: 0, stepMs: 0 })).toEqual([1, 2, 3]);
    expect(sorted(Float64Array.of(4, 4, 9))).toEqual([1, 2, 3]);
    expect(sorted(Float64Array.of(4, 4, 3))).toEqual([3, 1, 2]);
  });

  test('have no row that is there already, and every other', () => {
    const twice = (one: TestPoint, other: TestPoint) => valuesOf([[one, other]]).length;
    expect(twice(point(5), point(5))).toBe(1);
    expect(twice(point(null), point(null))).toBe(1);
    expect(twice(point(0), point(-0))).toBe(2);
    expect(twice(point(5), point(6))).toBe(2);
    expect(twice(point(0), point(null))).toBe(2);
    expect(twice(point(null), point(0))).toBe(2);
    expect(twice(point(5), point(5, { unit_id: 10 }))).toBe(2);
    expect(twice(point(5), point(5, { end: 1 }))).toBe(2);
    expect(twice(point(5), point(5, { reporting: 1 }))).toBe(2);
    expect(twice(point(5), point(5, { reporting: 0 }))).toBe(2);
    expect(twice(point(5, { available: 1 }), point(5, { available: 2 }))).toBe(2);
    // A vintage is known by its available date.
    expect(twice(point(5, { available: 1 }), point(6, { available: 1 }))).toBe(1);
    expect(
      valuesOf([[point(5, { available: 2 }), point(6, { available: 1 }), point(7, { available: 2 })]]),
    ).toEqual([6, 5]);
    expect(valuesOf([[point(5)], [point(6, { start: 1, end: 1 }), point(5)]])).toEqual([5, 6]);
  });

  test('are of the first position of a key that is listed twice, wherever it has them', () => {
    const series = [seriesOf(), seriesOf({ region_id: 1 }), seriesOf()];
    const at = (start: number, value: number, entry: number, parts: Partial<TestPoint> = {}) =>
      point(value, { series: entry, start, end: start, ...parts });
    const other = at(0, 50, 1);
    const overlap = [
      at(0, 1, 0),
      at(5, 2, 0),
      other,
      at(-1, 10, 2),
      at(0, 11, 2),
      at(3, 12, 2),
      at(5, 13, 2),
    ];
    expect(valuesOf([overlap], series)).toEqual([10, 1, 12, 2, 50]);
    expect(valuesOf([overlap], series, true)).toEqual([50, 10, 1, 12, 2]);
    // The second one's rows follow the first one's.
    expect(valuesOf([[at(0, 1, 0), other, at(1, 10, 2)]], series)).toEqual([1, 10, 50]);
    // Vintages of the first hide every vintage of the second.
    const vintages = [
      at(0, 1, 0, { available: 5 }),
      at(0, 2, 0, { available: 6 }),
      at(0, 3, 2, { available: 1 }),
      at(0, 4, 2, { available: 7 }),
    ];
    expect(valuesOf([vintages], series)).toEqual([1, 2]);
  });
});
