import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cropWeightedAverage, sharedPeriods } from '../../../src/agronomy/weighting/weighted-average.js';
import { weightSeries } from '../../../src/agronomy/weighting/weighted-series.js';
import {
  type RegionColumns,
  type RegionWeights,
  weightsByYear,
} from '../../../src/agronomy/weighting/weights.js';
import { DAY_MS } from '../../../src/model/time.js';
import { ofYear, regionValues, WEIGHTS, YIELDS } from './region-values.js';

const NAN = Number.NaN;

describe('cropWeightedAverage', () => {
  it('averages the regions with a value, unless they have less than half of the weight', () => {
    const average = cropWeightedAverage(YIELDS, WEIGHTS);
    expect(average.value).toEqual(Float64Array.of(95, 120, NAN));
    expect(average.weight_present).toEqual(Float64Array.of(1, 0.75, 0.25));
    expect(cropWeightedAverage(YIELDS, WEIGHTS, { min_weight_present: 0.25 }).value).toEqual(
      Float64Array.of(95, 120, 60),
    );
    expect(cropWeightedAverage(YIELDS, WEIGHTS, { min_weight_present: 0.8 }).value).toEqual(
      Float64Array.of(95, NAN, NAN),
    );
  });

  it('sums across regions by period if it is not renormalised', () => {
    const average = cropWeightedAverage(YIELDS, WEIGHTS, { renormalise: false });
    expect([...average.end_date].map((ms) => new Date(Number(ms)).getUTCFullYear())).toEqual([
      2012, 2013, 2014,
    ]);
    expect(average.value).toEqual(Float64Array.of(95, 90, 15));
    expect(average.weight_present).toEqual(Float64Array.of(1, 0.75, 0.25));
  });

  it('is missing where no region of positive weight has a value', () => {
    const iowaAlone: RegionWeights = { weights: [1, 0], without_data: [] };
    for (const renormalise of [false, true]) {
      expect(cropWeightedAverage(YIELDS, iowaAlone, { renormalise }).value).toEqual(
        Float64Array.of(100, 120, NAN),
      );
    }
  });

  it('treats a region without a weight of the year like one without a value', () => {
    const areas = regionValues([
      ofYear(0, 2012, 30),
      ofYear(0, 2013, 30),
      ofYear(1, 2012, 10),
      ofYear(1, 2014, 10),
    ]);
    const regions = [
      { id: 7, name: 'Iowa' },
      { id: 8, name: 'Ohio' },
    ];
    const byYear = weightsByYear(areas, regions);
    const yields = regionValues(
      [0, 1].flatMap((region) => [2012, 2013, 2014].map((year) => ofYear(region, year, 100))),
    );
    expect(weightSeries(yields, byYear)).toEqual(Float64Array.of(75, 75, NAN, 25, NAN, 25));
    const weighting_func = (weight: number, value: number) => weight * value;
    expect(weightSeries(yields, byYear, weighting_func)).toEqual(weightSeries(yields, byYear));
    for (const options of [{}, { weighting_func }]) {
      const average = cropWeightedAverage(yields, byYear, { ...options, renormalise: false });
      expect(average.weight_present).toEqual(Float64Array.of(1, 0.75, 0.25));
      expect(average.value).toEqual(Float64Array.of(100, 75, 25));
      expect(cropWeightedAverage(yields, byYear, { ...options, min_weight_present: 0 }).value).toEqual(
        Float64Array.of(100, 100, 100),
      );
    }
  });

  it('is between the minimum and the maximum of its period when renormalised', () => {
    const value = fc.double({ min: -50, max: 50, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.option(value), fc.option(value)), { minLength: 1, maxLength: 9 }),
        (years) => {
          const columns = regionValues(
            years.flatMap(([a, b], i) => [ofYear(0, 2000 + i, a), ofYear(1, 2000 + i, b)]),
          );
          const average = cropWeightedAverage(columns, WEIGHTS, { min_weight_present: 0 });
          years.forEach((pair, i) => {
            const known = pair.filter((one) => one !== null);
            const value = average.value[i]!;
            const isBetween = value >= Math.min(...known) - 1e-9 && value <= Math.max(...known) + 1e-9;
            expect(known.length === 0 ? Number.isNaN(value) : isBetween).toBe(true);
          });
        },
      ),
    );
  });
});

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
