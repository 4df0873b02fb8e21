import { describe, expect, it } from 'vitest';
import { growingSeasons } from '../../../src/agronomy/weather/growing-season.js';

/** Daily means of years at 0 °C, with 10 °C between the given days. */
function means(from: string, to: string, warm: readonly [string, string][]) {
  const dayOf = (date: string) => (Date.parse(date) - Date.parse(from)) / 86_400_000;
  const values = new Float64Array(dayOf(to) + 1);
  for (const [first, last] of warm) values.fill(10, dayOf(first), dayOf(last) + 1);
  return { start_date: from, values };
}

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
