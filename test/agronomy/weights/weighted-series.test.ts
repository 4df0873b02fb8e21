import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cropWeightedAverage,
  weightSeries,
  weightSeriesInto,
} from '../../../src/agronomy/weights/weighted-series.js';
import type { RegionWeights } from '../../../src/agronomy/weights/weights.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { ofYear, regionValues } from './region-values.js';

const NAN = Number.NaN;
const HALVES: RegionWeights = { weights: [0.75, 0.25], without_data: [] };
const YIELDS = regionValues([
  ofYear(0, 2012, 100),
  ofYear(0, 2013, 120),
  ofYear(0, 2014, null),
  ofYear(1, 2012, 80),
  ofYear(1, 2014, 60),
]);

describe('weightSeries', () => {
  it('multiplies each value by the weight of its region; a null stays missing', () => {
    expect(weightSeries(YIELDS, HALVES)).toEqual(Float64Array.of(75, 90, NAN, 20, 15));
  });

  it('takes any weighting function, and asks it about values only', () => {
    const seen: number[] = [];
    const weighted = weightSeries(YIELDS, HALVES, (weight, value) => {
      seen.push(value);
      return value + weight;
    });
    expect(weighted).toEqual(Float64Array.of(100.75, 120.75, NAN, 80.25, 60.25));
    expect(seen).toEqual([100, 120, 80, 60]);
  });

  it('takes the weights of the year in which a period starts', () => {
    const byYear = new Map([
      [2012, HALVES],
      [2013, { weights: [0.5, 0.5], without_data: [] }],
      [2014, { weights: [0, 1], without_data: [] }],
    ]);
    expect(weightSeries(YIELDS, byYear)).toEqual(Float64Array.of(75, 60, NAN, 20, 60));
    byYear.delete(2013);
    expect(() => weightSeries(YIELDS, byYear)).toThrow(/no weights of 2013 \(there are of 2012, 2014\)/);
  });

  it('agrees with the default when the function is weight × value', () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1), fc.option(value)), { minLength: 1 }), (rows) => {
        const columns = regionValues(rows.map(([region, value], i) => ofYear(region, 1900 + i, value)));
        expect(weightSeries(columns, HALVES, (weight, value) => weight * value)).toEqual(
          weightSeries(columns, HALVES),
        );
      }),
    );
  });

  it('refuses a row of a region that has no weight', () => {
    const attempt = () => weightSeries(YIELDS, { weights: [1], without_data: [] });
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(/row 3 belongs to region 1 of 1; weigh every region/);
  });
});

describe('weightSeriesInto', () => {
  it('writes the same values to memory at hand, which may be the values themselves', () => {
    const expected = weightSeries(YIELDS, HALVES);
    const value = YIELDS.value.slice();
    expect(weightSeriesInto(value, { ...YIELDS, value }, HALVES)).toBe(value);
    expect(value).toEqual(expected);
  });

  it('refuses memory of another length', () => {
    expect(() => weightSeriesInto(new Float64Array(4), YIELDS, HALVES)).toThrow(/room for 4 values of 5/);
  });
});

describe('cropWeightedAverage', () => {
  it('sums across regions by period, and says how much weight had a value', () => {
    const average = cropWeightedAverage(YIELDS, HALVES);
    expect([...average.end_date].map((ms) => new Date(Number(ms)).getUTCFullYear())).toEqual([
      2012, 2013, 2014,
    ]);
    expect(average.value).toEqual(Float64Array.of(95, 90, 15));
    expect(average.weight_present).toEqual(Float64Array.of(1, 0.75, 0.25));
  });

  it('is renormalised to the regions at hand where that is wanted', () => {
    expect(cropWeightedAverage(YIELDS, HALVES, { renormalise: true }).value).toEqual(
      Float64Array.of(95, 120, 60),
    );
  });

  it('is missing where no region that weighs anything has a value', () => {
    const iowaAlone: RegionWeights = { weights: [1, 0], without_data: [] };
    for (const renormalise of [false, true]) {
      expect(cropWeightedAverage(YIELDS, iowaAlone, { renormalise }).value).toEqual(
        Float64Array.of(100, 120, NAN),
      );
    }
  });

  it('lies between the least and the greatest value of its period when renormalised', () => {
    const value = fc.double({ min: -50, max: 50, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.option(value), fc.option(value)), { minLength: 1, maxLength: 9 }),
        (years) => {
          const columns = regionValues(
            years.flatMap(([a, b], i) => [ofYear(0, 2000 + i, a), ofYear(1, 2000 + i, b)]),
          );
          const average = cropWeightedAverage(columns, HALVES, { renormalise: true });
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
