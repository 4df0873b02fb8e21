import { expect, it } from 'vitest';
import { countDaysBeyond, findSpells } from '../../../src/agronomy/weather/days-beyond.js';
import { ArgumentError } from '../../../src/model/errors.js';

const VALUES = Float64Array.of(-1, 0, 25, 30, Number.NaN, 31);

it.each([
  [{ above: 30 }, 1],
  [{ at_least: 30 }, 2],
  [{ below: 0 }, 1],
  [{ at_most: 0 }, 2],
  [{ above: 0, at_most: 30 }, 2],
])('counts days %j', (bounds, days) => {
  expect(countDaysBeyond(VALUES, bounds)).toEqual({ days, days_counted: 5, coverage: 5 / 6 });
});

it('has no coverage without days', () => {
  const none = { days: 0, days_counted: 0, coverage: 0 };
  expect(countDaysBeyond(new Float64Array(0), { above: 1 })).toEqual(none);
});

it('refuses to count without a bound', () => {
  expect(() => countDaysBeyond(VALUES, {})).toThrow(ArgumentError);
  expect(() => countDaysBeyond(VALUES, {})).toThrow(/pass above, at_least, below or at_most/);
});

const RAIN = {
  start_date: '2012-02-27',
  values: Float64Array.of(0, 0.9, 5, 0, 0, 0, 2, 0, Number.NaN, 0, 0, 0),
};

it('finds dry spells, and says which may be longer', () => {
  expect(findSpells(RAIN, { below: 1, min_days: 2 })).toEqual([
    { start_date: '2012-02-27', end_date: '2012-02-28', days: 2, open: true },
    { start_date: '2012-03-01', end_date: '2012-03-03', days: 3, open: false },
    { start_date: '2012-03-07', end_date: '2012-03-09', days: 3, open: true },
  ]);
});

it('leaves out shorter ones', () => {
  expect(findSpells(RAIN, { below: 1, min_days: 4 })).toEqual([]);
  expect(findSpells(RAIN, { below: 1, min_days: 1 }).map(({ days }) => days)).toEqual([2, 3, 1, 3]);
});
