import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readWeights,
  type SeriesWeights,
  weightsByYear,
  weightsFromMeans,
  weightsOfPositions,
} from '../../../src/agronomy/weighting/weights.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { regionValues, type YearValue } from './region-values.js';

const IOWA = { id: 7, name: 'Iowa' };
const OHIO = { id: 8, name: 'Ohio' };
const UTAH = { id: 9, name: 'Utah' };
const STATES = [IOWA, OHIO, UTAH];

const AREAS = regionValues([
  [0, 2012, 30],
  [0, 2013, null],
  [0, 2014, 50],
  [1, 2012, 10],
  [1, 2013, 20],
  [1, 2014, 0],
  [2, 2013, null],
]);

describe('weightsFromMeans', () => {
  it("are each region's mean over its periods, normalised; a region without data has weight 0 and is listed", () => {
    expect(weightsFromMeans(AREAS, STATES)).toEqual({ weights: [40 / 50, 10 / 50, 0], without_data: [UTAH] });
  });

  it('sums to 1, and does not depend on the order of the rows or the unit of the values', () => {
    const amount = fc.double({ min: 0.001, max: 1e6, noNaN: true });
    const row = fc.tuple(fc.nat(2), fc.integer({ min: 1990, max: 2020 }), amount);
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), amount, (rows, factor) => {
        const of = (list: typeof rows, by: number) =>
          weightsFromMeans(
            regionValues(list.map(([region, year, value]): YearValue => [region, year, value * by])),
            STATES,
          ).weights;
        const weights = of(rows, 1);
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
        const close = weights.map((weight) => expect.closeTo(weight, 9));
        expect(of(rows.toReversed(), 1)).toEqual(close);
        expect(of(rows, factor)).toEqual(close);
      }),
    );
  });

  it('refuses a total of zero, and names the regions without data', () => {
    const attempt = () => weightsFromMeans([], STATES);
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(
      /the weights of 3 regions sum to 0 \(without data: Iowa, Ohio, Utah\); choose a crop/,
    );
    const zeros = regionValues([
      [0, 2012, 0],
      [1, 2012, 0],
    ]);
    expect(() => weightsFromMeans(zeros, [IOWA, OHIO])).toThrow(/every mean is 0/);
  });
});

describe('weightsByYear', () => {
  it('returns the weights of each year in which a period starts', () => {
    const byYear = weightsByYear(AREAS, STATES);
    expect([...byYear.keys()]).toEqual([2012, 2013, 2014]);
    expect(byYear.get(2012)).toEqual({ weights: [0.75, 0.25, 0], without_data: [UTAH] });
  });

  it('has no weight where a region has one in other years, and the share of the others then', () => {
    const byYear = weightsByYear(AREAS, STATES);
    expect(byYear.get(2013)).toEqual({
      weights: [Number.NaN, expect.closeTo(20 / (40 + 20), 12), 0],
      without_data: [IOWA, UTAH],
    });
    expect(byYear.get(2014)!.weights).toEqual([1, 0, 0]);
  });

  it('sums to 1 in every year in which no weight is missing', () => {
    const area = fc.option(fc.double({ min: 1, max: 100, noNaN: true }));
    fc.assert(
      fc.property(fc.array(fc.tuple(area, area, area), { minLength: 1, maxLength: 6 }), (years) => {
        const some = years.filter((areas) => areas.some((one) => one !== null));
        fc.pre(some.length > 0);
        const rows = some.flatMap((areas, i) =>
          areas.map((one, region): YearValue => [region, 2000 + i, one]),
        );
        for (const [year, { weights, without_data }] of weightsByYear(regionValues(rows), STATES)) {
          const areas = some[year - 2000]!;
          const isUnknown = (region: number) => some.every((each) => each[region] === null);
          const isMissing = areas.map((one, region) => one === null && !isUnknown(region));
          expect(weights.map(Number.isNaN)).toEqual(isMissing);
          expect(without_data).toEqual(STATES.filter((_, region) => areas[region] === null));
          const sum = weights.reduce((total, weight) => total + (Number.isNaN(weight) ? 0 : weight), 0);
          if (isMissing.includes(true)) expect(sum).toBeLessThan(1);
          else expect(sum).toBeCloseTo(1, 12);
        }
      }),
    );
  });

  it('has no weights in a year whose total is zero, and refuses values that are zero in all years', () => {
    const areas: YearValue[] = [
      [0, 2012, 1],
      [1, 2012, 3],
      [0, 2013, 0],
      [1, 2013, 0],
    ];
    const byYear = weightsByYear(regionValues(areas), [IOWA, OHIO]);
    expect(byYear.get(2012)!.weights).toEqual([0.25, 0.75]);
    expect(byYear.get(2013)).toEqual({ weights: [Number.NaN, Number.NaN], without_data: [] });
    expect(() => weightsByYear(regionValues(areas.slice(2)), [IOWA, OHIO])).toThrow(
      /the weights of 2 regions sum to 0 \(every mean is 0/,
    );
  });
});

describe('weights by year', () => {
  const byYear: SeriesWeights = new Map([
    [2012, { weights: [0.75, 0.25], without_data: [] }],
    [2014, { weights: [0, 1], without_data: [] }],
  ]);

  it('are those of the year in which a period starts', () => {
    const { of, total } = weightsOfPositions(byYear);
    const read = (region: number, date: string) => of(region, Date.parse(date));
    expect([read(0, '2012-01-01'), read(1, '2012-12-31'), read(0, '2014-06-01')]).toEqual([0.75, 0.25, 0]);
    expect([read(1, '2012-05-01'), total]).toEqual([0.25, 1]);
    expect(() => read(0, '2013-01-01')).toThrow(
      /weights: there are no weights for 2013, only for 2012, 2014/,
    );
  });
});

describe('weights of a caller', () => {
  it('are added where a region is named twice, and refused when negative or all 0', () => {
    const list = [1, 0, 2].map((weight, at) => ({ id: [7, 8, 7][at]!, weight }));
    expect(Object.fromEntries(readWeights(list))).toEqual({ 7: 3, 8: 0 });
    for (const weight of [-1, 0, Number.NaN])
      expect(() => readWeights([{ id: 7, weight }])).toThrow(
        /no weight may be negative, and at least one must be above 0/,
      );
  });
});
