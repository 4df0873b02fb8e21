import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cropWeightedAverage } from '../../../src/agronomy/weighting/weighted-average.js';
import { weightSeries } from '../../../src/agronomy/weighting/weighted-series.js';
import { weightsByYear, weightsFromMeans } from '../../../src/agronomy/weighting/weights.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { ofYear, type PeriodValue, regionValues, WEIGHTS, YIELDS } from './region-values.js';

const IOWA = { id: 7, name: 'Iowa' };
const OHIO = { id: 8, name: 'Ohio' };
const UTAH = { id: 9, name: 'Utah' };
const STATES = [IOWA, OHIO, UTAH];

const AREAS = regionValues([
  ofYear(0, 2012, 30),
  ofYear(0, 2013, null),
  ofYear(0, 2014, 50),
  ofYear(1, 2012, 10),
  ofYear(1, 2013, 20),
  ofYear(1, 2014, 0),
  ofYear(2, 2013, null),
]);

describe('weightsFromMeans', () => {
  it("are each region's mean over its periods, normalised; a region without data has weight 0 and is listed", () => {
    expect(weightsFromMeans(AREAS, STATES)).toEqual({ weights: [40 / 50, 10 / 50, 0], without_data: [UTAH] });
  });

  it('can be restricted to the periods that overlap an interval', () => {
    const of2014 = { start_date: '2014-01-01', end_date: '2014-12-31' };
    expect(weightsFromMeans(AREAS, STATES, of2014)).toEqual({ weights: [1, 0, 0], without_data: [UTAH] });
    const { weights } = weightsFromMeans(AREAS, STATES, { start_date: '2012-12-31', end_date: '2013-01-01' });
    expect(weights).toEqual([30 / 45, 15 / 45, 0]);
    expect(weightsFromMeans(AREAS, STATES, { end_date: '2012-06-01' }).weights).toEqual([0.75, 0.25, 0]);
  });

  it('treats NaN as missing, like a null', () => {
    const columns = { ...AREAS, value: AREAS.value.with(0, Number.NaN) };
    expect(weightsFromMeans(columns, STATES).weights).toEqual([50 / 60, 10 / 60, 0]);
  });

  it('sums to 1, and does not depend on the order of the rows or the unit of the values', () => {
    const amount = fc.double({ min: 0.001, max: 1e6, noNaN: true });
    const row = fc.tuple(fc.nat(2), fc.integer({ min: 1990, max: 2020 }), amount);
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), amount, (rows, factor) => {
        const of = (list: typeof rows, by: number) =>
          weightsFromMeans(
            regionValues(list.map(([region, year, value]): PeriodValue => ofYear(region, year, value * by))),
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
    const attempt = () => weightsFromMeans(AREAS, STATES, { start_date: '2020-01-01' });
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(
      /the weights of 3 regions sum to 0 \(without data: Iowa, Ohio, Utah\); choose a crop/,
    );
    const zeros = regionValues([ofYear(0, 2012, 0), ofYear(1, 2012, 0)]);
    expect(() => weightsFromMeans(zeros, [IOWA, OHIO])).toThrow(/every mean is 0/);
  });

  it('refuses a row whose region is not in the list', () => {
    expect(() => weightsFromMeans(AREAS, [IOWA])).toThrow(ArgumentError);
    expect(() => weightsFromMeans(AREAS, [IOWA])).toThrow(/row 3 belongs to region 1 of 1/);
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
        const rows = some.flatMap((areas, i) => areas.map((one, region) => ofYear(region, 2000 + i, one)));
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
    const areas = [ofYear(0, 2012, 1), ofYear(1, 2012, 3), ofYear(0, 2013, 0), ofYear(1, 2013, 0)];
    const byYear = weightsByYear(regionValues(areas), [IOWA, OHIO]);
    expect(byYear.get(2012)!.weights).toEqual([0.25, 0.75]);
    expect(byYear.get(2013)).toEqual({ weights: [Number.NaN, Number.NaN], without_data: [] });
    const zero = regionValues([ofYear(0, 2012, 0), ofYear(1, 2013, 0)]);
    expect(() => weightsByYear(zero, [IOWA, OHIO])).toThrow(
      /the weights of 2 regions sum to 0 \(every mean is 0/,
    );
  });
});

const wrong = (call: () => unknown, argument: RegExp) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(argument);
};

describe('columns that cannot be weighed', () => {
  it.each([
    ['start_date', new BigInt64Array(4), /columns\.start_date: it has 4 rows, and region 5/],
    ['end_date', new BigInt64Array(6), /columns\.end_date: it has 6 rows, and region 5/],
    ['value', new Float64Array(4), /columns\.value: it has 4 rows, and region 5/],
  ])('are refused by the name of the column: %s %o', (name, value, message) => {
    const columns = { ...YIELDS, [name]: value } as never;
    wrong(() => cropWeightedAverage(columns, WEIGHTS), message);
    wrong(() => weightSeries(columns, WEIGHTS), message);
    wrong(() => weightsFromMeans(columns, [{ id: 7, name: 'Iowa' }]), message);
  });
});
