import { expect, it } from 'vitest';
import { degreeDays } from '../../../src/agronomy/degree-days/degree-days.js';

const tmax = Float64Array.of(20, 24);

it('equal extremes are not inverted, and filled columns are not the caller’s', () => {
  const [low, high] = [Float64Array.of(15, 12, 16), Float64Array.of(15, Number.NaN, 20)];
  const { days_inverted, days_interpolated } = degreeDays({
    tmin: low,
    tmax: high,
    base_temperature: 10,
    missing: { interpolate: 2 },
    min_temporal_coverage: 0.6,
  });
  expect([days_inverted, days_interpolated]).toEqual([0, 1]);
  expect(high).toEqual(Float64Array.of(15, Number.NaN, 20));
});

it('a day counts with two finite extremes', () => {
  const infinite = { tmin: Float64Array.of(Number.NEGATIVE_INFINITY, 12), tmax, base_temperature: 10 };
  expect(() => degreeDays(infinite)).toThrow(/^only 50\.0% .* \(first missing: day 1\)/);
  expect(degreeDays({ ...infinite, min_temporal_coverage: 0.5 })).toMatchObject({
    total: 8,
    days_counted: 1,
  });
});

it('counts a mean exactly at the cap as not above it, by the vertical cut-off', () => {
  const days = { tmin: Float64Array.of(60, 70), tmax: Float64Array.of(80, 102) };
  const rule = {
    base_temperature: 46,
    upper_temperature_cap: 86,
    cutoff: 'vertical',
    temperature_unit: 'fahrenheit',
  } as const;
  expect([...degreeDays({ ...days, ...rule }).daily]).toEqual([24, 40]);
});
