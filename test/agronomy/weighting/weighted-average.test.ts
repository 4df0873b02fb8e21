import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cropWeightedAverage } from '../../../src/agronomy/weighting/weighted-average.js';
import { weightSeries } from '../../../src/agronomy/weighting/weighted-series.js';
import { type RegionWeights, weightsByYear } from '../../../src/agronomy/weighting/weights.js';
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
