import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharedPeriods } from '../../../src/agronomy/weights/shared-periods.js';
import { cropWeightedAverage } from '../../../src/agronomy/weights/weighted-average.js';
import type { RegionColumns } from '../../../src/agronomy/weights/weights.js';
import { DAY_MS } from '../../../src/model/time.js';

interface Row {
  region: number;
  day: number;
  value: number;
}

function columnsOf(rows: readonly Row[]): RegionColumns {
  const times = BigInt64Array.from(rows, ({ day }) => BigInt(day * DAY_MS));
  return {
    region: Uint32Array.from(rows, ({ region }) => region),
    start_date: times,
    end_date: times.slice(),
    value: Float64Array.from(rows, ({ value }) => value),
    value_valid: null,
  };
}

const block = (region: number, days: readonly number[]): Row[] =>
  days.map((day) => ({ region, day, value: day + region }));

describe('shared periods', () => {
  it('are detected, also before 1970', () => {
    const shared = sharedPeriods(columnsOf([...block(0, [-2, -1, 5]), ...block(1, [-2, -1, 5])]));
    expect(shared).toEqual({ length: 3, regions: Uint32Array.of(0, 1) });
  });

  it.each([
    ['no row', []],
    ['another length', [...block(0, [1, 2, 3]), ...block(1, [1, 2])]],
    ['other periods', [...block(0, [1, 2]), ...block(1, [1, 3])]],
    ['descending periods', [...block(0, [2, 1]), ...block(1, [2, 1])]],
    ['a period twice', [...block(0, [1, 1]), ...block(1, [1, 1])]],
    ['two regions in a block', [...block(0, [1, 2]), ...block(1, [1]), ...block(2, [2])]],
  ])('are not detected in %s', (_, rows) => {
    expect(sharedPeriods(columnsOf(rows))).toBe(null);
  });

  it('differ by a single start or end, wherever it is', () => {
    const rows = [...block(0, [1, 2, 3, 4, 5]), ...block(1, [1, 2, 3, 4, 5])];
    expect(sharedPeriods(columnsOf(rows))).toEqual({ length: 5, regions: Uint32Array.of(0, 1) });
    for (const name of ['start_date', 'end_date'] as const)
      for (let row = 5; row < 10; row++)
        for (const step of [1n, -1n, 2n ** 32n]) {
          const columns = columnsOf(rows);
          columns[name][row]! += step;
          expect(sharedPeriods(columns), `${name} ${row}`).toBeNull();
        }
  });

  it('ascend by their ends, and where those are equal by their starts', () => {
    const of = (starts: bigint[], ends: bigint[]) =>
      sharedPeriods({
        ...columnsOf(block(0, starts.map(Number))),
        start_date: BigInt64Array.from(starts),
        end_date: BigInt64Array.from(ends),
      });
    expect(of([1n, 2n], [9n, 9n])).not.toBeNull();
    expect(of([2n, 1n], [8n, 9n])).not.toBeNull();
    expect(of([2n, 1n], [9n, 9n])).toBeNull();
    expect(of([1n, 1n], [9n, 9n])).toBeNull();
    expect(of([1n, 2n], [9n, 8n])).toBeNull();
  });

  it('yield the same averages as looking up the period of each row', () => {
    const value = fc.oneof(
      { weight: 4, arbitrary: fc.double({ min: -50, max: 50, noNaN: true }) },
      fc.constant(Number.NaN),
    );
    const sizes = fc.record({
      regions: fc.integer({ min: 1, max: 5 }),
      days: fc.integer({ min: 1, max: 9 }),
    });
    const grid = sizes.chain(({ regions, days }) =>
      fc.record({
        regions: fc.constant(regions),
        values: fc.array(value, { minLength: regions * days, maxLength: regions * days }),
        weights: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
          minLength: regions,
          maxLength: regions,
        }),
        renormalise: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(grid, ({ regions, values, weights, renormalise }) => {
        const days = values.length / regions;
        const rows = values.map((one, i) => ({ region: Math.floor(i / days), day: i % days, value: one }));
        const columns = columnsOf(rows);
        const regionWeights = { weights, without_data: [] };
        const fast = cropWeightedAverage(columns, regionWeights, { renormalise });
        const slow = cropWeightedAverage(columns, regionWeights, {
          renormalise,
          weighting_func: (weight, one) => weight * one,
        });
        expect(fast).toEqual(slow);
      }),
    );
  });
});
