import { expect, it } from 'vitest';
import { degreeDays } from '../../../src/agronomy/degree-days/degree-days.js';
import { degreeDaysMatrix } from '../../../src/agronomy/degree-days/matrix.js';

const [tmin, tmax] = [Float64Array.of(10, 12), Float64Array.of(20, 24)];

it('equal extremes are not inverted, and filled columns are not the caller’s', () => {
  const [low, high] = [Float64Array.of(15, 12, 16), Float64Array.of(15, Number.NaN, 20)];
  const { days_inverted, days_interpolated } = degreeDays({
    tmin: low,
    tmax: high,
    base: 10,
    missing: { interpolate: 2 },
  });
  expect([days_inverted, days_interpolated]).toEqual([0, 1]);
  expect(high).toEqual(Float64Array.of(15, Number.NaN, 20));
});

it('a day counts with both extremes, whatever they are', () => {
  const infinite = Float64Array.of(Number.NEGATIVE_INFINITY, 12);
  expect(degreeDays({ tmin: infinite, tmax, base: 10 }).days_counted).toBe(2);
  const endless = { tmin: infinite, tmax: Float64Array.of(Number.POSITIVE_INFINITY, 20), base: 10 };
  expect(degreeDays(endless).days_counted).toBe(1);
  expect(() => degreeDays({ ...endless, missing: 'error' })).toThrow(/1 of 2 days .*first day 1/);
  const filled = { ...endless, regions: 2, days: 1, missing: { interpolate: 1 } };
  expect([...degreeDaysMatrix(filled).days_counted]).toEqual([0, 1]);
  const matrix = { tmin, tmax, regions: 2, days: 1, base: 10 };
  expect(() => degreeDaysMatrix({ ...matrix, foo: 1 } as never)).toThrow(/degreeDaysMatrix/);
});

it('counts a mean exactly at the cap as not above it, by the vertical cut-off', () => {
  const days = { tmin: Float64Array.of(60, 70), tmax: Float64Array.of(80, 102) };
  const rule = { base: 46, cap: 86, cutoff: 'vertical', temperature_unit: 'fahrenheit' } as const;
  expect([...degreeDays({ ...days, ...rule }).daily]).toEqual([24, 40]);
});
