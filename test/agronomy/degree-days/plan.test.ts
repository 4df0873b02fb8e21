import { expect, it } from 'vitest';
import { cornHeatUnits } from '../../../src/agronomy/degree-days/corn-heat-units.js';
import { degreeDays } from '../../../src/agronomy/degree-days/degree-days.js';
import { degreeDaysMatrix } from '../../../src/agronomy/degree-days/matrix.js';
import {
  DEGREE_DAY_METHODS,
  TEMPERATURE_SYMBOLS,
  usesNextMinimum,
} from '../../../src/agronomy/degree-days/plan.js';
import { ArgumentError } from '../../../src/model/errors.js';

it('the double methods alone use the minimum of the next day', () => {
  expect(DEGREE_DAY_METHODS.filter((method) => usesNextMinimum(method))).toEqual([
    'double-sine',
    'double-triangle',
  ]);
  expect([usesNextMinimum(undefined), usesNextMinimum('none' as never)]).toEqual([false, undefined]);
});

it('temperatures have the symbols of their scales', () => {
  expect(TEMPERATURE_SYMBOLS).toEqual({ celsius: '°C', fahrenheit: '°F' });
});

const [tmin, tmax] = [Float64Array.of(10, 12), Float64Array.of(20, 24)];

it.each<[options: object, message: RegExp]>([
  [{ tmin: 'cold' }, /tmin/],
  [{ tmax: 'warm' }, /tmax/],
  [{ base: Number.NaN }, /base is NaN/],
  [{ cap: Number.NaN }, /cap/],
  [{ start: 'spring' }, /start/],
  [{ foo: 1 }, /degreeDays.*foo|foo.*degreeDays/],
  [{ min_temporal_coverage: -0.1 }, /min_temporal_coverage/],
  [{ min_temporal_coverage: 1.1 }, /min_temporal_coverage/],
])('degree days refuse %o by name', (options, message) => {
  const attempt = () => degreeDays({ tmin, tmax, base: 10, ...options } as never);
  expect(attempt).toThrow(ArgumentError);
  expect(attempt).toThrow(message);
});

it('the whole coverage may be asked for, and none', () => {
  for (const min_temporal_coverage of [0, 1])
    expect(degreeDays({ tmin, tmax, base: 10, min_temporal_coverage }).coverage).toBe(1);
});

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
  expect(() => degreeDays({ ...endless, missing: 'error' })).toThrow(/1 of 2 days .*first day 0/);
  const filled = { ...endless, regions: 2, days: 1, missing: { interpolate: 1 } };
  expect([...degreeDaysMatrix(filled).days_counted]).toEqual([0, 1]);
  const matrix = { tmin, tmax, regions: 2, days: 1, base: 10 };
  expect(() => degreeDaysMatrix({ ...matrix, foo: 1 } as never)).toThrow(/degreeDaysMatrix/);
});

it.each(DEGREE_DAY_METHODS)('a cap at or below the base leaves each day 0, and counts it: %s', (method) => {
  for (const cap of [10, 4]) {
    for (const cutoff of ['horizontal', 'vertical', 'intermediate'] as const) {
      const { total, days_counted, daily } = degreeDays({ tmin, tmax, base: 10, cap, cutoff, method });
      expect([total, days_counted, ...daily]).toEqual([0, 2, 0, 0]);
      const all = degreeDaysMatrix({ tmin, tmax, regions: 1, days: 2, base: 10, cap, cutoff, method });
      expect([...all.totals, ...all.days_counted]).toEqual([0, 2]);
    }
  }
});

it.each([
  ['average', 0],
  ['mcmaster-wilhelm-1', 0],
  ['mcmaster-wilhelm-2', 1],
] as const)('the vertical cut-off looks at the mean of a day or at its extremes: %s', (method, expected) => {
  const day = { tmin: Float64Array.of(12), tmax: Float64Array.of(38) };
  const rule = { base: 10, cap: 24, cutoff: 'vertical', method } as const;
  expect(degreeDays({ ...day, ...rule }).total).toBe(expected);
});

it.each(DEGREE_DAY_METHODS)('a matrix has the totals of its regions, by every cut-off: %s', (method) => {
  const [low, high] = [Float64Array.of(10, 12, 3, 26), Float64Array.of(20, 34, 28, 38)];
  for (const cutoff of ['none', 'horizontal', 'vertical', 'intermediate'] as const) {
    const rule = { base: 10, cap: 24, cutoff, method };
    const { totals } = degreeDaysMatrix({ tmin: low, tmax: high, regions: 2, days: 2, ...rule });
    for (const region of [0, 1]) {
      const days = [2 * region, 2 * region + 2] as const;
      const alone = degreeDays({ tmin: low.subarray(...days), tmax: high.subarray(...days), ...rule });
      expect(totals[region]).toBe(alone.total);
    }
  }
  expect.assertions(8);
});

it('corn heat units refuse other arguments by their names', () => {
  expect(() => cornHeatUnits({ tmin: 'cold', tmax } as never)).toThrow(/tmin/);
  expect(() => cornHeatUnits({ tmin, tmax: 'warm' } as never)).toThrow(/tmax/);
  expect(() => cornHeatUnits({ tmin, tmax, foo: 1 } as never)).toThrow(/cornHeatUnits/);
});
