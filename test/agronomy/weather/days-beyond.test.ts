import { expect, it } from 'vitest';
import { countDaysBeyond } from '../../../src/agronomy/weather/days-beyond.js';
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
  expect(countDaysBeyond(new Float64Array(0), { above: 1 })).toEqual({
    days: 0,
    days_counted: 0,
    coverage: 0,
  });
});

it('refuses to count without a bound', () => {
  expect(() => countDaysBeyond(VALUES, {})).toThrow(ArgumentError);
  expect(() => countDaysBeyond(VALUES, {})).toThrow(/pass above, at_least, below or at_most/);
});
