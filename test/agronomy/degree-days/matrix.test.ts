import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { degreeDays } from '../../../src/agronomy/degree-days/degree-days.js';
import {
  type DegreeDaysMatrixOptions,
  degreeDaysMatrix,
  type MatrixLayout,
} from '../../../src/agronomy/degree-days/matrix.js';
import type { MissingDays } from '../../../src/agronomy/degree-days/missing-days.js';
import { CUTOFFS, DEGREE_DAY_METHODS, type DegreeDayMethod } from '../../../src/agronomy/degree-days/plan.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { countRuns } from '../../endurance.js';

const METHODS = Object.keys(DEGREE_DAY_METHODS) as DegreeDayMethod[];

const temperature = fc.oneof(
  { weight: 5, arbitrary: fc.double({ min: -20, max: 45, noNaN: true }) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
);

/** A region-major matrix of random size, with missing values. */
const matrix = fc
  .record({ regions: fc.integer({ min: 1, max: 5 }), days: fc.integer({ min: 1, max: 9 }) })
  .chain(({ regions, days }) => {
    const values = fc.array(temperature, { minLength: regions * days, maxLength: regions * days });
    return fc.record({
      regions: fc.constant(regions),
      days: fc.constant(days),
      tmin: values.map((list) => Float64Array.from(list)),
      tmax: values.map((list) => Float64Array.from(list)),
      next_tmin: fc.option(
        fc
          .array(temperature, { minLength: regions, maxLength: regions })
          .map((list) => Float64Array.from(list)),
        { nil: undefined },
      ),
    });
  });

function toDayMajor(
  values: Float64Array,
  { regions, days }: { regions: number; days: number },
): Float64Array {
  return values.map((_, i) => values[(i % regions) * days + Math.floor(i / regions)]!);
}

describe('degreeDaysMatrix', () => {
  it('equals degreeDays region by region, in both layouts, by every method, cut-off and policy', () => {
    const rule = fc.record({
      method: fc.constantFrom(...METHODS),
      cutoff: fc.constantFrom(...CUTOFFS),
      missing: fc.constantFrom<MissingDays>('zero', { interpolate: 1 }, { interpolate: 3 }),
    });
    const layouts = fc.constantFrom<MatrixLayout>('region-major', 'day-major');
    fc.assert(
      fc.property(
        matrix,
        rule,
        layouts,
        fc.boolean(),
        ({ regions, days, tmin, tmax, next_tmin }, rule, layout, daily) => {
          const arrange = (values: Float64Array) =>
            layout === 'region-major' ? values : toDayMajor(values, { regions, days });
          const all = { ...rule, base: 10, cap: 30 };
          const result = degreeDaysMatrix({
            tmin: arrange(tmin),
            tmax: arrange(tmax),
            regions,
            days,
            layout,
            daily,
            next_tmin,
            ...all,
          });
          const each = Array.from({ length: regions }, (_, region) => {
            const row = (values: Float64Array) => values.slice(region * days, (region + 1) * days);
            return degreeDays({ tmin: row(tmin), tmax: row(tmax), next_tmin: next_tmin?.[region], ...all });
          });
          expect([...result.totals]).toEqual(each.map(({ total }) => total));
          expect([...result.days_counted]).toEqual(each.map(({ days_counted }) => days_counted));
          expect([...result.coverage]).toEqual(each.map(({ coverage }) => coverage));
          const expected = Float64Array.from(each.flatMap((one) => [...one.daily]));
          expect(result.daily).toEqual(daily ? arrange(expected) : null);
        },
      ),
      { numRuns: countRuns({ quick: 75, all: 300 }) },
    );
  });

  const TWO: DegreeDaysMatrixOptions = {
    tmin: Float64Array.of(10, 12, Number.NaN, 20),
    tmax: Float64Array.of(20, 24, 22, 30),
    regions: 2,
    days: 2,
    base: 10,
  };

  it('names the rule, the shape and the policy', () => {
    expect(degreeDaysMatrix({ ...TWO, cap: 20 })).toMatchObject({
      method: 'average',
      cutoff: 'horizontal',
      base: 10,
      cap: 20,
      temperature_unit: 'celsius',
      totals: Float64Array.of(13, 10),
      days_counted: Uint32Array.of(2, 1),
      coverage: Float64Array.of(1, 0.5),
      daily: null,
      regions: 2,
      days: 2,
      layout: 'region-major',
      missing: 'zero',
    });
  });

  it('refuses next minima that are not one a region', () => {
    expect(() => degreeDaysMatrix({ ...TWO, next_tmin: Float64Array.of(1) })).toThrow(
      /next_tmin must be a Float64Array of 2 values/,
    );
  });

  it.each<[what: string, options: object, argument: string, message: RegExp]>([
    ['a short buffer', { tmax: new Float64Array(3) }, 'tmax', /2 regions × 2 days = 4 values/],
    ['an Arrow vector', { tmin: { length: 4, data: [] } }, 'tmin', /must be a Float64Array/],
    ['no region', { regions: 0 }, 'regions', /regions: 0 is not a whole number of at least 1/],
    ['half a day', { days: 0.5 }, 'days', /not a whole number of at least 1/],
    ['an unknown layout', { layout: 'wide' }, 'layout', /choose one of region-major, day-major/],
  ])('%s is an ArgumentError', (_what, options, argument, message) => {
    const attempt = () => degreeDaysMatrix({ ...TWO, ...options } as DegreeDaysMatrixOptions);
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(expect.objectContaining({ argument }));
  });
});
