import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cornHeatUnits } from '../../../src/agronomy/degree-days/corn-heat-units.js';
import { ArgumentError } from '../../../src/model/errors.js';

function ofDay(tmin: number, tmax: number): number {
  return cornHeatUnits({ tmin: [tmin], tmax: [tmax] }).total;
}

describe('cornHeatUnits', () => {
  it('sums the days with both values, where enough have them', () => {
    const tmin = Float64Array.of(5, Number.NaN, 3, 10);
    const tmax = Float64Array.of(9, 20, Number.NaN, 20);
    expect(() => cornHeatUnits({ tmin, tmax })).toThrow(/^only 50\.0% of the days/);
    const { daily, ...rest } = cornHeatUnits({ tmin, tmax, min_temporal_coverage: 0.5 });
    expect([...daily]).toEqual([expect.closeTo(0.504, 9), 0, 0, expect.closeTo(17.454, 9)]);
    expect(rest).toEqual({ total: expect.closeTo(17.958, 9), days: 4, days_counted: 2, coverage: 0.5 });
  });

  it('is never negative, however hot or cold the day', () => {
    const temperature = fc.double({ min: -40, max: 60, noNaN: true });
    fc.assert(fc.property(temperature, temperature, (a, b) => ofDay(a, b) >= 0));
  });

  it('peaks near 30 °C', () => {
    const best = 10 + 3.33 / (2 * 0.084);
    expect(best).toBeCloseTo(29.8, 1);
    expect(ofDay(10, best)).toBeGreaterThan(ofDay(10, best + 1));
    expect(ofDay(10, best)).toBeGreaterThan(ofDay(10, best - 1));
  });

  it.each([
    ['different lengths', 2, 3],
    ['no days', 0, 0],
  ])('refuses columns of %s', (_what, lows, highs) => {
    const columns = { tmin: new Float64Array(lows), tmax: new Float64Array(highs) };
    expect(() => cornHeatUnits(columns)).toThrow(ArgumentError);
  });
});
