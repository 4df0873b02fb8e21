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
  it('has no weight where a region has one in other years, and the share of the others then', () => {
    const byYear = weightsByYear(AREAS, STATES);
    expect(byYear.get(2013)).toEqual({
      weights: [Number.NaN, expect.closeTo(20 / (40 + 20), 12), 0],
      without_data: [IOWA, UTAH],
    });
    expect(byYear.get(2014)!.weights).toEqual([1, 0, 0]);
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
