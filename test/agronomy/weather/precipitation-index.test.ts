import { describe, expect, it } from 'vitest';
import {
  lowerGamma,
  standardisedPrecipitationIndex,
} from '../../../src/agronomy/weather/precipitation-index.js';
import { ArgumentError } from '../../../src/model/errors.js';

/** Rain of 300 months, some of them dry. */
const RAIN = Float64Array.from({ length: 300 }, (_, i) =>
  Math.max(0, ((i * 7919) % 101) - 30 + (i % 12) * 3),
);
const MONTHS = [0, 11, 12, 37, 100, 150, 222, 299];

describe('standardised precipitation index', () => {
  // The same sums, Thom's estimates, scipy.special.gammainc and scipy.stats.norm.ppf of SciPy 1.10.1.
  it.each([
    [1, [-0.467699, 0.173394, 1.169799, -0.706303, 0.387987, 1.230825, -1.174987, -0.114354]],
    [3, [Number.NaN, -0.786582, -0.325896, -2.247682, 0.169419, 0.173282, -1.248573, 1.225754]],
    [12, [Number.NaN, -2.196433, -0.793223, 1.299365, 0.569949, -0.24874, -0.673126, 1.532671]],
  ])('over %d months', (months, wanted) => {
    const index = standardisedPrecipitationIndex(RAIN, { months });
    MONTHS.forEach((month, i) => {
      if (Number.isNaN(wanted[i])) expect(index[month]).toBeNaN();
      else expect(index[month]).toBeCloseTo(wanted[i]!, 6);
    });
  });

  it('is missing where a month is, and in calendar months with too few years', () => {
    const rain = RAIN.slice();
    rain[100] = Number.NaN;
    const index = standardisedPrecipitationIndex(rain, { months: 2 });
    expect([...index.subarray(99, 103)].map(Number.isNaN)).toEqual([false, true, true, false]);
    const short = RAIN.subarray(0, 228);
    expect(standardisedPrecipitationIndex(short).every(Number.isNaN)).toBe(true);
    expect(standardisedPrecipitationIndex(short, { min_years: 18 }).some(Number.isFinite)).toBe(true);
  });

  it('is missing where rain is always the same, and cut where the distribution says nothing', () => {
    expect(standardisedPrecipitationIndex(new Float64Array(300).fill(5)).every(Number.isNaN)).toBe(true);
    const flood = Float64Array.from({ length: 360 }, (_, i) => (i === 300 ? 5000 : 10 + (i % 7)));
    expect(standardisedPrecipitationIndex(flood, { months: 1 })[300]).toBeLessThanOrEqual(3.09);
  });

  it('refuses negative rain', () => {
    expect(() => standardisedPrecipitationIndex(Float64Array.of(1, -2))).toThrow(ArgumentError);
    expect(() => standardisedPrecipitationIndex(Float64Array.of(1, -2))).toThrow(/month 1 has -2/);
  });
});

// By scipy.special.gammainc of SciPy 1.10.1.
it.each([
  [0.5, 0.1, 0.34527915398142317],
  [0.5, 3, 0.9856941215645704],
  [1, 2, 0.8646647167633873],
  [5, 2.5, 0.10882198108584877],
  [20, 30, 0.9781265315586091],
  [200, 190, 0.2433474271006237],
  [0.01, 1e-5, 0.8963367982671969],
  [3, 100, 1],
  [3, 0, 0],
])('P(%d, %d)', (a, x, value) => {
  expect(lowerGamma(a, x)).toBeCloseTo(value, 11);
});
