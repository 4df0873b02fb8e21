import { describe, expect, it } from 'vitest';
import { headline } from '../../src/charts/headline.js';
import { writerIn } from '../../src/charts/language.js';
import { type Line, yearsBefore } from '../../src/charts/lines.js';
import { WRITE } from '../../src/explorer/controls/format.js';
import { DAY_MS } from '../../src/model/time.js';

const annual = (region: string, values: readonly number[], change: Partial<Line> = {}): Line => ({
  metric: 'Yield',
  item: 'Corn',
  region,
  label: region,
  unit: 'bu/ac (corn)',
  periodDays: 365,
  start: Float64Array.from(values, (_, i) => Date.UTC(2014 + i, 0, 1)),
  end: Float64Array.from(values, (_, i) => Date.UTC(2014 + i, 11, 31)),
  value: Float64Array.from(values),
  ...change,
});

/** Daily values until 25 June 2015, each year a degree warmer. */
const daily = (change: Partial<Line>): Line => {
  const days = Float64Array.from({ length: 1272 }, (_, i) => Date.UTC(2012, 0, 1) + i * DAY_MS);
  return {
    ...annual('Seattle', [], change),
    periodDays: 1,
    start: days,
    end: days,
    value: days.map((day) => new Date(day).getUTCFullYear() - 2000),
    ...change,
  };
};

describe('the sentence of a chart', () => {
  it('has the digits of most stored values, though a few are finer and a month is a sum or a mean', () => {
    const rain = daily({ metric: 'Precipitation quantity', item: 'Precipitation', unit: 'in' });
    const value = rain.value.map((_, day) => (day % 5 === 0 ? 0.0001 : 0.05));
    expect(headline([{ ...rain, value }], WRITE)).toContain('May 2015: 1.25 in');
    const heat = daily({ metric: 'Temperature', item: 'Temperature', unit: '°F' });
    const whole = heat.value.map((_, day) => 60 + (day % 7));
    expect(headline([{ ...heat, value: whole }], WRITE)).toMatch(/May 2015: \d\d\.\d °F/);
  });

  it('compares the latest year with the ten before', () => {
    const values = [...Array(10).fill(200), 212];
    expect(headline([annual('Iowa', values)], WRITE)).toBe(
      'Iowa corn yield 2024: 212 bu/ac, 6% above the average of the 10 years before',
    );
    expect(headline([annual('Iowa', values.slice(-3))], WRITE)).toBe('Iowa corn yield 2016: 212 bu/ac');
  });

  it('compares values on both sides of zero in their unit, to the decimals of the data', () => {
    expect(headline([annual('Iowa', [4, 4, 2.52, -0.7])], WRITE)).toBe(
      'Iowa corn yield 2017: −0.70 bu/ac, 4.21 bu/ac below the average of the 3 years before',
    );
    expect(headline([annual('Iowa', [-1, 2, 2, 1])], WRITE)).toMatch(/1 bu\/ac, equal to the average/);
  });

  it('compares the latest whole month of daily values with the same month of other years, degrees by their difference', () => {
    const temperature = daily({ metric: 'Temperature', item: 'Temperature max', unit: '°C' });
    expect(headline([temperature], WRITE)).toBe(
      'Seattle temperature max, mean of May 2015: 15 °C, 2 °C above the average of this month of the 3 years before',
    );
    expect(headline([{ ...temperature, unit: 'K' }], WRITE)).toContain(': 15 K, 2 K above');
    // A mean of whole degrees has the digits that the chart of monthly means has.
    const odd = temperature.value.map((value, i) => value + (i % 3 === 0 ? 1 : 0));
    expect(headline([{ ...temperature, value: odd }], WRITE)).toContain(': 15.3 °C, 2 °C above');
    const mean = { ...temperature, metric: 'Temperature, trailing mean of 5 days' };
    expect(headline([mean], WRITE, 'nothing')).toMatch(/^Seattle temperature max, trailing mean of 5 days /);
    const rain = daily({ metric: 'Precipitation quantity', item: 'Precipitation', unit: 'mm' });
    expect(headline([rain], WRITE)).toMatch(/^Seattle precipitation, sum of May 2015: 465 mm, 15% above /);
  });

  it('says no sum of a month that lacks a day, and sums neither depths nor rates nor grain', () => {
    const rain = daily({ metric: 'Precipitation quantity', item: 'Precipitation', unit: 'mm' });
    const without = (line: Line, day: number): Line => {
      const others = (_: number, row: number) => line.start[row] !== day;
      const [start, end, value] = [line.start, line.end, line.value].map((one) => one.filter(others));
      return { ...line, start: start!, end: end!, value: value! };
    };
    expect(headline([without(rain, Date.UTC(2015, 4, 3))], WRITE)).toMatch(
      /^Seattle precipitation, sum of April 2015:/,
    );
    expect(headline([without(rain, Date.UTC(2014, 4, 3))], WRITE)).toBe(
      'Seattle precipitation, sum of May 2015: 465 mm',
    );
    for (const [metric, item, unit] of [
      ['Snow depth', 'Snow on the ground', 'mm'],
      ['Precipitation', 'Precipitation', 'mm/day'],
      ['Stocks', 'Grain', 't'],
    ] as const)
      expect(headline([daily({ metric, item, unit })], WRITE)).toMatch(/ May 2015: 15 /);
    const short = daily({ metric: 'Temperature', item: 'Temperature max', unit: '°C' });
    const first = (column: Float64Array) => column.slice(0, 12);
    const begun = { ...short, start: first(short.start), end: first(short.end), value: first(short.value) };
    expect(headline([begun], WRITE)).toBeNull();
    expect(headline([{ ...short, periodDays: 91 }], WRITE)).toBeNull();
  });

  it('names the values of two or three lines, and the highest and the lowest of more', () => {
    const lines = [210, 205.4, 128, 99].map((value, i) => annual(`State ${i}`, [1, value]));
    expect(headline(lines.slice(0, 2), WRITE)).toBe('Corn yield 2015: State 0 210, State 1 205.4 bu/ac');
    expect(headline(lines, WRITE)).toBe(
      'Corn yield 2015: State 0 is the highest of 4 with 210 bu/ac, State 3 the lowest with 99',
    );
  });

  it('says how values changed, and what an index is of', () => {
    const change = annual('Iowa', [3, -4.25], { unit: '%' });
    expect(headline([change], WRITE, 'change')).toBe('Iowa corn yield 2015: 4.25% less than a year earlier');
    const other = annual('Ohio', [3, 7], { unit: '%' });
    expect(headline([change, other], WRITE, 'change')).toBe(
      'Corn yield 2015: Iowa −4.25%, Ohio +7% from a year earlier',
    );
    const index = annual('Iowa', [100, 517 / 3], { unit: '' });
    expect(headline([index], WRITE, 'index')).toBe('Iowa corn yield 2015: 172.3, with 2014 = 100');
  });

  it('compares with all years that a chart of the latest year draws', () => {
    const days = Float64Array.from({ length: 365 * 15 }, (_, i) => Date.UTC(2001, 0, 1) + i * DAY_MS);
    const line = daily({ unit: '°C', start: days, end: days, value: days.map(() => 4) });
    expect(headline([line], WRITE, 'years')).toMatch(/of this month of the 14 years before$/);
    expect(headline([line], WRITE)).toMatch(/of the 10 years before$/);
    const next = (column: Float64Array) => Float64Array.from([...column, Date.UTC(2016, 0, 3)]);
    const begun = {
      ...line,
      start: next(days),
      end: next(days),
      value: Float64Array.from([...line.value, 9]),
    };
    // The chart draws 2016, of which no month is complete.
    expect(headline([begun], WRITE, 'years')).toBeNull();
  });

  it('keeps the order of its words around texts from right to left', () => {
    const month = {
      start: Float64Array.of(Date.UTC(2014, 4, 1)),
      end: Float64Array.of(Date.UTC(2014, 4, 31)),
    };
    const line = annual('مصر', [212], { ...month, periodDays: 30, unit: 'mm' });
    expect(headline([line], writerIn(['ar-EG']))).toBe(
      '\u2068مصر\u2069 corn yield \u2068مايو ٢٠١٤\u2069: \u2068٢١٢\u2069 mm',
    );
  });

  it('names the last value of each line that measures another thing, and is none for lines without a value', () => {
    const iowa = annual('Iowa', [1.5, 2]);
    const others = ['Wheat', 'Rye', 'Oats'].map((item) => ({ ...iowa, item }));
    expect(headline([iowa, others[0]!], WRITE)).toBe(
      'Iowa corn yield 2015: 2.0 bu/ac; Iowa wheat yield 2015: 2.0 bu/ac',
    );
    expect(headline([iowa, ...others], WRITE)).toMatch(
      /; Iowa rye yield 2015: 2\.0 bu\/ac; and 1 more series$/,
    );
    expect(headline([iowa, others[0]!], WRITE, 'change')).toBe(
      'Iowa corn yield 2015: 2.0 bu/ac more than a year earlier; Iowa wheat yield 2015: 2.0 bu/ac more than a year earlier',
    );
    expect(headline([annual('Iowa', [])], WRITE)).toBeNull();
    expect(headline([], WRITE)).toBeNull();
  });
});

it('tells of years before only as far as they follow one another', () => {
  const line = (years: readonly number[], length = 1) => ({
    start: Float64Array.from(years, (year) => Date.UTC(year, 0, 1)),
    end: Float64Array.from(years, (year) => Date.UTC(year + length, 0, 0)),
    value: Float64Array.from(years),
  });
  expect([...yearsBefore(line([1990, 2018, 2019, 2020]))]).toEqual([2018, 2019]);
  expect([...yearsBefore(line([2000, 2005, 2010, 2015], 5))]).toEqual([]);
  expect(yearsBefore(line(Array.from({ length: 30 }, (_, i) => 1991 + i)))).toHaveLength(10);
});
