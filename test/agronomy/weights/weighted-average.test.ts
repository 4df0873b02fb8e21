import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cropWeightedAverage } from '../../../src/agronomy/weights/weighted-average.js';
import { weightSeries } from '../../../src/agronomy/weights/weighted-series.js';
import { type RegionWeights, weightsByYear } from '../../../src/agronomy/weights/weights.js';
import { ofYear, regionValues, WEIGHTS, YIELDS } from './region-values.js';

const NAN = Number.NaN;

describe('cropWeightedAverage', () => {
  it('sums across regions by period, with the weight of the regions that have a value', () => {
    const average = cropWeightedAverage(YIELDS, WEIGHTS);
    expect([...average.end_date].map((ms) => new Date(Number(ms)).getUTCFullYear())).toEqual([
      2012, 2013, 2014,
    ]);
    expect(average.value).toEqual(Float64Array.of(95, 90, 15));
    expect(average.weight_present).toEqual(Float64Array.of(1, 0.75, 0.25));
  });

  it('is renormalised to the regions with a value if requested', () => {
    expect(cropWeightedAverage(YIELDS, WEIGHTS, { renormalise: true }).value).toEqual(
      Float64Array.of(95, 120, 60),
    );
  });

  it('is by the weighting function that is given', () => {
    const columns = regionValues(
      [0, 1].flatMap((region) => [2012, 2013].map((year) => ofYear(region, year, 10))),
    );
    const weighting_func = (weight: number, value: number) => weight + value;
    expect(cropWeightedAverage(columns, WEIGHTS).value).toEqual(Float64Array.of(10, 10));
    expect(cropWeightedAverage(columns, WEIGHTS, { weighting_func }).value).toEqual(Float64Array.of(21, 21));
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
      const average = cropWeightedAverage(yields, byYear, options);
      expect(average.weight_present).toEqual(Float64Array.of(1, 0.75, 0.25));
      expect(average.value).toEqual(Float64Array.of(100, 75, 25));
      expect(cropWeightedAverage(yields, byYear, { ...options, renormalise: true }).value).toEqual(
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
          const average = cropWeightedAverage(columns, WEIGHTS, { renormalise: true });
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
