import { describe, expect, it } from 'vitest';
import { frostDates, growingSeasons } from '../../../src/agronomy/weather/frost-and-growth.js';
import { ArgumentError } from '../../../src/model/errors.js';

/** Values of consecutive days: one for the given ranges of days, another for the rest. */
function valuesOf(
  from: string,
  to: string,
  [usual, other]: readonly [number, number],
  ranges: readonly (readonly [string, string])[],
) {
  const dayOf = (date: string) => (Date.parse(date) - Date.parse(from)) / 86_400_000;
  const values = new Float64Array(dayOf(to) + 1).fill(usual);
  for (const [first, last] of ranges) values.fill(other, dayOf(first), dayOf(last) + 1);
  return { start_date: from, values };
}

/** Minima of 10 °C from a day to another, with frost on the given days. */
const minima = (from: string, to: string, frosts: readonly string[]) =>
  valuesOf(
    from,
    to,
    [10, -1],
    frosts.map((day) => [day, day]),
  );

/** Daily means of years at 0 °C, with 10 °C between the given days. */
const means = (from: string, to: string, warm: readonly [string, string][]) =>
  valuesOf(from, to, [0, 10], warm);

describe('frost dates', () => {
  it('are the last before midsummer and the first after it', () => {
    const frosts = ['2011-02-01', '2011-04-20', '2011-10-01', '2012-05-01'];
    const [first, second] = frostDates(minima('2011-01-01', '2012-12-31', frosts));
    expect(first).toEqual({
      year: 2011,
      last_frost: '2011-04-20',
      first_frost: '2011-10-01',
      frost_free_days: 163,
      coverage: 1,
    });
    expect(second).toEqual({
      year: 2012,
      last_frost: '2012-05-01',
      first_frost: null,
      frost_free_days: null,
      coverage: expect.closeTo(353 / 366, 2),
    });
  });

  it('of the southern hemisphere are about January', () => {
    const series = minima('2011-06-01', '2012-06-30', ['2011-09-15', '2012-05-20']);
    expect(frostDates(series, { midsummer: '01-15' })).toMatchObject([
      {
        year: 2012,
        last_frost: '2011-09-15',
        first_frost: '2012-05-20',
        frost_free_days: 247,
        coverage: 351 / 366,
      },
    ]);
  });

  it('take a threshold of their own, and count missing days', () => {
    const { start_date, values } = minima('2012-01-14', '2013-01-13', []);
    values.fill(Number.NaN, 0, 183);
    values[200] = 2;
    expect(frostDates({ start_date, values }, { threshold: 2.5 })).toMatchObject([
      { last_frost: null, first_frost: '2012-08-01', frost_free_days: null, coverage: 183 / 366 },
    ]);
    expect(frostDates({ start_date, values }, { threshold: 2 })).toMatchObject([{ first_frost: null }]);
  });

  it('refuse a midsummer that is no day', () => {
    expect(() => frostDates(minima('2012-01-01', '2012-01-02', []), { midsummer: 'July' })).toThrow(
      ArgumentError,
    );
  });
});

describe('growing seasons', () => {
  it('begin with six warm days and end with six cold ones after 1 July', () => {
    const series = means('2012-01-01', '2013-12-31', [
      ['2012-03-01', '2012-03-05'],
      ['2012-04-01', '2012-04-06'],
      ['2012-05-01', '2012-10-14'],
      ['2012-10-20', '2012-10-22'],
    ]);
    expect(growingSeasons(series)).toEqual([
      { year: 2012, start_date: '2012-04-01', end_date: '2012-10-22', days: 205, coverage: 1 },
      { year: 2013, start_date: null, end_date: null, days: 0, coverage: 1 },
    ]);
  });

  it('last to the end of the year when no cold days come', () => {
    const series = means('2012-01-01', '2012-12-31', [['2012-01-01', '2012-12-31']]);
    expect(growingSeasons(series)).toMatchObject([
      { start_date: '2012-01-01', end_date: '2012-12-31', days: 366 },
    ]);
  });

  it('may end before July only after it: a cold June does not end them', () => {
    const series = means('2012-01-01', '2012-12-31', [
      ['2012-04-01', '2012-05-31'],
      ['2012-07-03', '2012-09-30'],
    ]);
    expect(growingSeasons(series)).toMatchObject([{ start_date: '2012-04-01', end_date: '2012-09-30' }]);
  });

  it('of the southern hemisphere go across the new year; part of a year is left out', () => {
    const series = means('2011-07-01', '2012-12-31', [['2011-09-10', '2012-04-20']]);
    expect(growingSeasons(series, { year_start: '07-01' })).toMatchObject([
      { year: 2011, start_date: '2011-09-10', end_date: '2012-04-20', days: 224 },
    ]);
  });

  it('of a year from the last day of August may end from the last day of February on', () => {
    const series = means('2011-08-31', '2012-08-30', [['2011-10-01', '2012-02-28']]);
    expect(growingSeasons(series, { year_start: '08-31' })).toMatchObject([{ end_date: '2012-02-28' }]);
  });

  it('have no run over a missing day, and say the coverage', () => {
    const series = means('2013-01-01', '2013-12-31', [['2013-04-01', '2013-09-30']]);
    series.values[92] = Number.NaN;
    expect(growingSeasons(series)).toMatchObject([{ start_date: '2013-04-04', coverage: 364 / 365 }]);
  });
});
