import { describe, expect, it } from 'vitest';
import { CROP_RULES } from '../../src/agronomy/degree-days/crop-rules.js';
import { degreeDays } from '../../src/agronomy/degree-days/degree-days.js';
import { dailyOf, seasonHeadline, seasonsOf } from '../../src/charts/degree-day-seasons.js';
import { WRITE } from '../../src/explorer/controls/format.js';
import { readSeries, type SeriesPoints } from '../../src/frame/series/series-points.js';
import { daily, longOf } from '../frame/verbs.js';

const series = (from: string, values: readonly (number | null)[]) =>
  readSeries(longOf([{ frequency_id: 1 }, daily(from, values)]))[0]!;

const DAYS = 6 * 365 + 1;
const rule = { unit: 'celsius', base: 10, cap: null, method: 'average', from: '05-01', to: '05-10' } as const;

describe('the seasons of a place', () => {
  it('sum the mean above the base, and are compared with what is usual', () => {
    const tmin = series('2013-01-01', new Array(DAYS).fill(12));
    const tmax = series('2013-01-01', new Array(DAYS).fill(20));
    const { seasons, climatology } = seasonsOf({ tmin, tmax }, rule);
    expect(seasons.map(({ label, total, days }) => [label, total, days])).toEqual([
      ['2013', 60, 10],
      ['2014', 60, 10],
      ['2015', 60, 10],
      ['2016', 60, 10],
      ['2017', 60, 10],
      ['2018', 60, 10],
    ]);
    expect(climatology?.mean.at(-1)).toBe(60);
  });

  it.each(CROP_RULES)('of $name are those of its published rule', ({ rule: { unit, base, cap, method } }) => {
    // A day from 60 to 90 °F, which is from 15.56 to 32.22 °C.
    const [low, high] = unit === 'fahrenheit' ? [60, 90] : [140 / 9, 290 / 9];
    const [tmin, tmax] = [low, high].map((value) => series('2013-01-01', new Array(DAYS).fill(value)));
    const seasons = seasonsOf({ tmin: tmin!, tmax: tmax! }, { ...rule, unit, base, cap, method }).seasons;
    const clamped = method === 'mcmaster-wilhelm-2' && cap !== null ? Math.min(high, cap) : high;
    expect(seasons[0]!.total).toBeCloseTo(10 * ((low + clamped) / 2 - base), 9);
    const title = seasonHeadline(seasons[0]!, undefined, WRITE);
    expect(title).toContain(unit === 'celsius' ? '°C·day' : '°F·day');
    expect(title).toContain(' degree days, ');
  });

  it('compare the latest with those before it, and with nothing where they are fewer than five', () => {
    // The ten days of 2018 are ten degrees warmer.
    const warmer = (values: number[], low: number) => [
      ...values.slice(0, 5 * 365 + 1),
      ...values.slice(5 * 365 + 1).map(() => low),
    ];
    const tmin = series('2013-01-01', warmer(new Array(DAYS).fill(12), 22));
    const tmax = series('2013-01-01', warmer(new Array(DAYS).fill(20), 30));
    const { seasons, climatology } = seasonsOf({ tmin, tmax }, rule);
    expect(seasons.at(-1)!.total).toBe(160);
    expect(climatology!.samples.at(-1)).toEqual(Float64Array.of(60, 60, 60, 60, 60));
    expect(seasonHeadline(seasons.at(-1)!, climatology!, WRITE)).toMatch(
      /, 167% above the median of 5 earlier /,
    );
    expect(seasonHeadline(seasons[0]!, climatology!, WRITE)).toMatch(/, equal to the median of 5 earlier /);
    const later = (one: SeriesPoints) => series('2014-01-01', [...one.value].slice(365));
    expect(seasonsOf({ tmin: later(tmin), tmax: later(tmax) }, rule).climatology).toBeNull();
  });

  it('use the minimum of the day after a season by the double methods, as the client does', () => {
    const lows = new Array(DAYS).fill(12);
    // 11 May 2013, the day after the first season.
    lows[130] = 2;
    const [tmin, tmax] = [lows, new Array(DAYS).fill(20)].map((values) => series('2013-01-01', values));
    const double = { ...rule, method: 'double-sine' } as const;
    const [first, second] = seasonsOf({ tmin: tmin!, tmax: tmax! }, double).seasons;
    const days = { tmin: new Array(10).fill(12), tmax: new Array(10).fill(20), method: double.method };
    expect(first!.total).toBe(degreeDays({ ...days, base_temperature: 10, next_tmin: 2 }).total);
    expect(second!.total).toBe(degreeDays({ ...days, base_temperature: 10 }).total);
    expect(first!.total).toBeLessThan(second!.total);
  });

  it('leave a season with missing days out of what is usual, and show its coverage', () => {
    const values = new Array(DAYS).fill(20);
    values[120] = null;
    const tmin = series('2013-01-01', values);
    const { seasons } = seasonsOf({ tmin, tmax: tmin }, rule);
    expect(seasons[0]).toMatchObject({ coverage: 0.9, total: 90, isWhole: false });
    expect(seasons[1]).toMatchObject({ coverage: 1, total: 100, isWhole: true });
  });

  it('put days that are missing in one line where they belong', () => {
    const { start_date, tmin, tmax } = dailyOf(series('2014-01-02', [1, 2]), series('2014-01-01', [5, 6]));
    expect(start_date).toBe('2014-01-01');
    expect([...tmin]).toEqual([Number.NaN, 1, 2]);
    expect([...tmax]).toEqual([5, 6, Number.NaN]);
  });
});
