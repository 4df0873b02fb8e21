import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Member, type RollUpRule, rollUpSeries } from '../../../src/agronomy/roll-up/roll-up-series.js';

const NONE = Number.NaN;

/** A member with these values in years from 2000 on. */
function member(values: readonly number[] | null, weight = 1): Member {
  if (values === null) return { weight, points: null };
  const years = values.map((_, i) => 2000 + i);
  return {
    weight,
    points: {
      start: Float64Array.from(years, (year) => Date.UTC(year, 0, 1)),
      end: Float64Array.from(years, (year) => Date.UTC(year, 11, 31)),
      value: Float64Array.from(values),
    },
  };
}

const rolled = (members: readonly Member[], rule: Partial<RollUpRule>) => {
  const { value, below_coverage } = rollUpSeries(members, { how: 'sum', min_coverage: 1, ...rule });
  return [[...value], below_coverage];
};

describe('rolling up', () => {
  const MEMBERS = [member([1, 2, 3], 3), member([10, NONE, 30], 1)];

  it('sums, averages and weighs the regions that have a value', () => {
    expect(rolled(MEMBERS, {})).toEqual([[11, NONE, 33], 1]);
    expect(
      rolled(
        MEMBERS.map((each) => ({ ...each, weight: 1 })),
        { how: 'mean' },
      ),
    ).toEqual([[5.5, NONE, 16.5], 1]);
    expect(rolled(MEMBERS, { how: 'weighted' })).toEqual([[13 / 4, NONE, 39 / 4], 1]);
  });

  it('joins the remarks of a period', () => {
    const [a, b] = MEMBERS.map(({ points }, i) => {
      const remarks = ['{"flag":"E"}', null, `{"flag":"${i}"}`];
      return { weight: 1, points: { ...points!, remarks } };
    });
    const { remarks } = rollUpSeries([a!, b!], { how: 'sum', min_coverage: 1 });
    expect(remarks).toEqual(['{"flag":"E"}', null, '{"flag":["0","1"]}']);
  });

  it('accepts a share of the regions, or of their weight', () => {
    expect(rolled(MEMBERS, { min_coverage: 0.75 })).toEqual([[11, 2, 33], 0]);
    expect(rolled(MEMBERS, { min_coverage: 0.76 })[1]).toBe(1);
    expect(rolled(MEMBERS, { how: 'weighted', min_coverage: 0.7 })).toEqual([[13 / 4, 2, 39 / 4], 0]);
  });

  it('counts regions that the frame lacks as without a value', () => {
    expect(rolled([member([4]), member(null)], {})).toEqual([[NONE], 1]);
    expect(rolled([member([4]), member(null)], { min_coverage: 0.5 })).toEqual([[4], 0]);
  });

  it('completes a sum by the value of the rest, in the periods and for the members that have none', () => {
    const [a, b, c] = [member([1, 2, 3]), member([10, NONE, NONE]), member(null)] as const;
    const rest = (values: number[], restOf: Member[]): Member => ({ ...member(values, 0), restOf });
    expect(rolled([a, b, c, rest([NONE, 5, 6], [b, c])], {})).toEqual([[NONE, 7, 9], 1]);
    expect(rolled([a, b, c, rest([4, 5, NONE], [c])], {})).toEqual([[15, NONE, NONE], 2]);
    const twice = [rest([4, 5, 6], [b, c]), rest([1, 1, 1], [b, c])];
    expect(rolled([a, b, c, ...twice], {})).toEqual([[16, 8, 10], 0]);
  });

  it('is null where no region has a value, whatever the coverage', () => {
    expect(rolled([member([NONE]), member([NONE])], { min_coverage: 0 })).toEqual([[NONE], 1]);
    expect(rolled([member([5], 0), member(null, 1)], { how: 'weighted', min_coverage: 0 })).toEqual([
      [NONE],
      1,
    ]);
  });

  it('orders periods by their end, and takes the latest date on which a value became available', () => {
    const points = (year: number, available: number) => ({
      ...member([year]).points!,
      end: Float64Array.of(Date.UTC(year, 11, 31)),
      available: Float64Array.of(available),
    });
    const result = rollUpSeries(
      [
        { weight: 1, points: points(2005, 7) },
        { weight: 1, points: points(2001, 5) },
        { weight: 1, points: points(2005, 9) },
        { weight: 1, points: points(2005, NONE) },
      ],
      { how: 'sum', min_coverage: 0 },
    );
    expect([...result.value]).toEqual([2001, 6015]);
    expect([...result.available!]).toEqual([5, 9]);
  });

  it('weights that are equal give the mean, and the mean of equal values is that value', () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 9 }), (all, weight) => {
        const [[weighted]] = rolled(
          all.map((value) => member([value], weight)),
          { how: 'weighted' },
        ) as [number[]];
        const [[mean]] = rolled(
          all.map((value) => member([value])),
          { how: 'mean' },
        ) as [number[]];
        expect(weighted).toBeCloseTo(mean!, 9);
        const [[same]] = rolled(
          all.map(() => member([7], weight)),
          { how: 'weighted' },
        ) as [number[]];
        expect(same).toBeCloseTo(7, 12);
      }),
    );
  });
});
