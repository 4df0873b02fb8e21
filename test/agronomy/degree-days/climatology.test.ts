import { describe, expect, it } from 'vitest';
import { climatologyOf, compareToClimatology } from '../../../src/agronomy/degree-days/climatology.js';
import { ArgumentError } from '../../../src/model/errors.js';

const NAN = Number.NaN;
const at = (start_date: string, ...values: number[]) => ({ start_date, values: Float64Array.from(values) });

describe('climatologyOf', () => {
  const years = [1, 2, 3, 4, 5].map((value) => at(`${2000 + value}-05-01`, value, 10 * value, NAN));

  it('computes percentiles, mean and standard deviation of each calendar day', () => {
    const climatology = climatologyOf(years, { percentiles: [50, 0, 100] });
    expect(climatology).toMatchObject({
      days: ['05-01', '05-02', '05-03'],
      percentiles: [0, 50, 100],
      curves: [1, 3, 5].map((value) => Float64Array.of(value, 10 * value, NAN)),
      mean: Float64Array.of(3, 30, NAN),
    });
    const sd = [2.5, 250].map((variance) => expect.closeTo(Math.sqrt(variance)));
    expect([...climatology.sd]).toEqual([...sd, NAN]);
  });

  it('describes by five percentiles unless others are wanted, from values in any order', () => {
    const shuffled = [5, 1, 4, 2, 3].map((value) => at(`200${value}-05-01`, value));
    const { percentiles, curves, samples } = climatologyOf(shuffled);
    expect(percentiles).toEqual([10, 25, 50, 75, 90]);
    expect(curves.map((curve) => curve[0])).toEqual([1.4, 2, 3, 4, 4.6]);
    expect(samples).toEqual([Float64Array.of(1, 2, 3, 4, 5)]);
  });

  it('has the days of the longest season, in their order', () => {
    const seasons = [at('2001-12-31', 1), at('2002-12-31', 2, 3), at('2003-12-31', NAN)];
    const { days, samples } = climatologyOf(seasons);
    expect(days).toEqual(['12-31', '01-01']);
    expect(samples.map((sample) => [...sample])).toEqual([[1, 2], [3]]);
    const year = { start_date: '2003-03-01', values: new Float64Array(366) };
    expect(climatologyOf([year]).days).toHaveLength(365);
    expect(climatologyOf([at('2001-05-01T00:00:00Z', 1), at('2002-05-01', 2)]).mean[0]).toBe(1.5);
  });

  it('describes a day by the seasons that reach it', () => {
    const { days, mean, sd } = climatologyOf([at('2001-05-01', 1), at('2002-05-01', 3, 7)]);
    expect(days).toEqual(['05-01', '05-02']);
    expect(mean).toEqual(Float64Array.of(2, 7));
    expect(sd[1]).toBeNaN();
  });

  it('matches days by month and day, and leaves 29 February out', () => {
    const { days, mean } = climatologyOf([at('2004-02-28', 1, 2, 3), at('2005-02-28', 5, 7)]);
    expect(days).toEqual(['02-28', '03-01']);
    expect(mean).toEqual(Float64Array.of(3, 5));
  });

  const other = [at('2001-05-01', 1), at('2002-05-02', 1)];
  const long = (days: number) => [{ start_date: '2001-05-01', values: new Float64Array(days) }];

  it.each<[what: string, seasons: Parameters<typeof climatologyOf>[0], options: object, message: RegExp]>([
    ['no season', [], {}, /seasons is empty/],
    ['different first days', other, {}, /starts on 2002-05-02/],
    ['a season over a leap year', long(367), {}, /367 days/],
    ['a season over a common year, whose first day would count twice', long(366), {}, /366 days/],
    ['a percentile below 0', years, { percentiles: [-1, 50] }, /-1 is not between 0 and 100/],
    ['a percentile of 101', years, { percentiles: [101] }, /101 is not between 0 and 100/],
    ['unknown options', years, { percentile: [5] }, /climatologyOf/],
  ])('refuses %s', (_what, seasons, options, message) => {
    const attempt = () => climatologyOf(seasons, options);
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(message);
  });
});

describe('compareToClimatology', () => {
  const reference = () =>
    climatologyOf([2005, 2006, 2007, 2009].map((year, i) => at(`${year}-02-27`, i + 1, i + 1, 2)));

  it('computes the percentile and the z-score of each day', () => {
    const { percentile, z } = compareToClimatology(reference(), at('2022-02-27', 4, 0, 2, NAN));
    expect([...percentile]).toEqual([100, 0, 62.5, NAN]);
    const sd = Math.sqrt(5 / 3);
    expect([...z]).toEqual([expect.closeTo(1.5 / sd), expect.closeTo(-2.5 / sd), NAN, NAN]);
  });

  it('compares 29 February to 28 February', () => {
    const { z } = compareToClimatology(reference(), at('2024-02-27', 2.5, 2.5, 3.5, 2));
    expect(z[2]).toBeCloseTo(1 / Math.sqrt(5 / 3), 9);
    expect(z[3]).toBeNaN();
  });

  it('is NaN on a day outside the climatology', () => {
    const { percentile, z } = compareToClimatology(reference(), at('2022-08-01', 3));
    expect([percentile[0], z[0]]).toEqual([NAN, NAN]);
  });

  it('has no z-score where the reference does not vary', () => {
    const constant = climatologyOf([at('2001-05-01', 2, 1), at('2002-05-01', 2, 3)]);
    const { percentile, z } = compareToClimatology(constant, at('2022-05-01', 3, 2));
    expect([...percentile]).toEqual([100, 50]);
    expect([...z]).toEqual([NAN, 0]);
  });

  it('is NaN where the reference has no value', () => {
    const empty = climatologyOf([at('2001-05-01', NAN, 1)]);
    const { percentile, z } = compareToClimatology(empty, at('2022-05-01', 3, 3));
    expect([...percentile, ...z]).toEqual([NAN, 100, NAN, NAN]);
  });
});
