import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weightSeries } from '../../../src/agronomy/weighting/weighted-series.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { ofYear, regionValues, WEIGHTS, YIELDS } from './region-values.js';

const NAN = Number.NaN;

describe('weightSeries', () => {
  it('calls any weighting function, for values only', () => {
    const seen: number[] = [];
    const weighted = weightSeries(YIELDS, WEIGHTS, (weight, value) => {
      seen.push(value);
      return value + weight;
    });
    expect(weighted).toEqual(Float64Array.of(100.75, 120.75, NAN, 80.25, 60.25));
    expect(seen).toEqual([100, 120, 80, 60]);
  });

  it('applies the weights of the year in which a period starts', () => {
    const byYear = new Map([
      [2012, WEIGHTS],
      [2013, { weights: [0.5, 0.5], without_data: [] }],
      [2014, { weights: [0, 1], without_data: [] }],
    ]);
    expect(weightSeries(YIELDS, byYear)).toEqual(Float64Array.of(75, 60, NAN, 20, 60));
    byYear.delete(2013);
    expect(() => weightSeries(YIELDS, byYear)).toThrow(/no weights for 2013, only for 2012, 2014/);
  });

  it('is weight × value in every row, in runs of any length, by the function too', () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const run = fc.tuple(fc.nat(1), fc.array(fc.option(value), { minLength: 1, maxLength: 28, size: 'max' }));
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 4 }), (runs) => {
        const rows = runs.flatMap(([region, values]) => values.map((one) => [region, one] as const));
        const columns = regionValues(rows.map(([region, value], i) => ofYear(region, 1900 + i, value)));
        const expected = Float64Array.from(rows, ([region, one]) =>
          one === null ? NAN : WEIGHTS.weights[region]! * one,
        );
        expect(weightSeries(columns, WEIGHTS)).toEqual(expected);
        expect(weightSeries(columns, WEIGHTS, (weight, value) => weight * value)).toEqual(expected);
      }),
    );
  });

  it('refuses a region without a weight in weights by year', () => {
    const byYear = new Map([2012, 2013, 2014].map((year) => [year, { weights: [1], without_data: [] }]));
    expect(() => weightSeries(YIELDS, byYear)).toThrow(/row 3 belongs to region 1 of 1/);
  });

  it('refuses a row of a region that has no weight', () => {
    const attempt = () => weightSeries(YIELDS, { weights: [1], without_data: [] });
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(/row 3 belongs to region 1 of 1; pass .* a weight for every region/);
  });
});
