import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interpolateGaps, refuseMissingDays } from '../../../src/agronomy/degree-days/missing-days.js';
import { CoverageError } from '../../../src/model/errors.js';

const NAN = Number.NaN;

function filled(values: readonly number[], longest: number): number[] {
  const copy = Float64Array.from(values);
  interpolateGaps(copy, { from: 0, stride: 1, count: copy.length }, longest);
  return [...copy];
}

describe('interpolateGaps', () => {
  it('fills inner gaps up to the maximum, and leaves longer ones', () => {
    expect(filled([1, NAN, 3, NAN, NAN, 9, NAN], 1)).toEqual([1, 2, 3, NAN, NAN, 9, NAN]);
    expect(filled([NAN, 1, NAN, 3, NAN, NAN, 9], 2)).toEqual([NAN, 1, 2, 3, 5, 7, 9]);
    expect(filled([NAN, NAN], 9)).toEqual([NAN, NAN]);
  });

  it('changes only its own strand', () => {
    const two = Float64Array.of(1, NAN, NAN, NAN, 3, 5);
    interpolateGaps(two, { from: 0, stride: 2, count: 3 }, 5);
    expect(two).toEqual(Float64Array.of(1, NAN, 2, NAN, 3, 5));
  });

  it('never alters a known value, and restores a straight line from any of its points', () => {
    const known = fc.array(fc.boolean(), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(known, fc.integer({ min: 1, max: 30 }), (flags, longest) => {
        const line = flags.map((isKnown, i) => (isKnown ? 3 * i - 7 : NAN));
        filled(line, longest).forEach((value, i) => {
          if (flags[i]) expect(value).toBe(line[i]);
          else if (!Number.isNaN(value)) expect(value).toBeCloseTo(3 * i - 7, 9);
        });
      }),
    );
  });
});

describe('refuseMissingDays', () => {
  it('tells how many days are missing, which is the first, and the share of the others', () => {
    const [tmin, tmax] = [Float64Array.of(1, 2, NAN, 4), Float64Array.of(5, NAN, 7, 8)];
    const refuse = (startMs: number | null) => () => refuseMissingDays(tmin, tmax, startMs);
    expect(refuse(null)).toThrow(CoverageError);
    expect(refuse(null)).toThrow(/^2 of 4 days lack tmin or tmax, first day 1 of the columns;/);
    expect(refuse(Date.UTC(2020, 1, 28))).toThrow(/first 2020-02-29;/);
    expect(refuse(null)).toThrow(expect.objectContaining({ coverage: 0.5, required: 1 }));
    expect(() => refuseMissingDays(tmin, tmin, 0)).toThrow(/^1 of 4 days .*first 1970-01-03;/);
    expect(() => refuseMissingDays(tmin.slice(0, 2), tmin.slice(0, 2), null)).not.toThrow();
  });
});
