import { describe, expect, it } from 'vitest';
import { addByKey, rankSums } from '../../src/compute/sums.js';
import { UNITS, unitId } from '../../src/ingest/vocabulary/units.js';

const unitsById = new Map(UNITS.map((unit) => [unit.id, unit]));
const sumOf = (item_id: number, unit: string, value: number) => ({
  ...{ metric_id: 1, item_id, region_id: 1, source_id: 1, frequency_id: 9 },
  ...{ unit_id: unitId(unit), value },
});
const ranked = (...sums: readonly ReturnType<typeof sumOf>[]) =>
  rankSums(sums, unitsById).map(({ item_id, unit_id, value }) => [item_id, unit_id, value]);

it('ranks sums in the unit of most of them', () => {
  const [t, kg] = [unitId('t'), unitId('kg')];
  expect(ranked(sumOf(1, 't', 3), sumOf(2, 'kg', 5_000), sumOf(3, 't', 4))).toEqual([
    [2, t, 5],
    [3, t, 4],
    [1, t, 3],
  ]);
  // One combination in two units is one.
  expect(ranked(sumOf(1, 't', 3), sumOf(1, 'kg', 2_000), sumOf(2, 't', 4))).toEqual([
    [1, t, 5],
    [2, t, 4],
  ]);
  expect(ranked(sumOf(1, 'kg', 1))).toEqual([[1, kg, 1]]);
});

it('has sums that do not convert last, and adds no offsets to sums of temperatures', () => {
  expect(ranked(sumOf(1, 'ha', 900), sumOf(2, 't', 1), sumOf(3, 't', 2))).toEqual([
    [3, unitId('t'), 2],
    [2, unitId('t'), 1],
    [1, unitId('ha'), 900],
  ]);
  expect(ranked(sumOf(1, '°C', 10), sumOf(2, '°C', 20), sumOf(3, '°F', 30))).toEqual([
    [2, unitId('°C'), 20],
    [1, unitId('°C'), 10],
    [3, unitId('°F'), 30],
  ]);
});

it('gives sums that differ in their last digits alone the order of their ids', () => {
  const [more, less] = [0.1 + 0.2, 0.3];
  expect(ranked(sumOf(2, 't', more), sumOf(1, 't', less))).toEqual([
    [1, unitId('t'), 0.3],
    [2, unitId('t'), 0.3],
  ]);
});

describe('values of one combination', () => {
  const ordersOf = (values: readonly number[]): number[][] =>
    values.length < 2
      ? [[...values]]
      : values.flatMap((value, at) => ordersOf(values.toSpliced(at, 1)).map((rest) => [value, ...rest]));

  it.each([
    ['of the whole range of doubles', [1e300, -7, 1e-280, 7, -1e300], 1e-280],
    [
      'beyond the largest double on the way',
      [Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE, 1],
      Number.MAX_VALUE,
    ],
    ['beyond the largest double', [Number.MAX_VALUE, Number.MAX_VALUE], Number.POSITIVE_INFINITY],
    ['halfway between two doubles, and a little above', [2 ** 53, 1, 2 ** -60], 2 ** 53 + 2],
    ['halfway between two doubles, and a little below', [2 ** 53 + 2, 1, -(2 ** -60)], 2 ** 53 + 2],
    ['halfway, with a rest too small to multiply', [2 ** -300, 2 ** -353, 2 ** -900], 2 ** -300 + 2 ** -352],
    ['that cancel out', [0.1, -0.1, 0], 0],
  ])('%s add up to the same in any order', (_, values, total) => {
    for (const order of ordersOf(values))
      expect(addByKey(order.map((value) => sumOf(1, 't', value)))).toMatchObject([{ value: total }]);
  });
});
