import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOfThreshold } from '../../../src/agronomy/degree-days/date-of-threshold.js';
import { ArgumentError } from '../../../src/model/errors.js';

const SEASON = {
  daily: Float64Array.of(5, 0, 7, 3),
  interval: { start_date: '2020-02-27', end_date: '2020-03-01' },
};

describe('dateOfThreshold', () => {
  it('is the first day on which the sum reaches the threshold', () => {
    expect(dateOfThreshold(SEASON, 5)).toEqual({ date: '2020-02-27', days: 1, accumulated: 5 });
    expect(dateOfThreshold(SEASON, 5.1)).toEqual({ date: '2020-02-29', days: 3, accumulated: 12 });
    expect(dateOfThreshold(SEASON, 15)).toEqual({ date: '2020-03-01', days: 4, accumulated: 15 });
    expect(dateOfThreshold(SEASON, 15.1)).toBeNull();
  });

  it('counts from the biofix', () => {
    expect(dateOfThreshold(SEASON, 7, { biofix: '2020-02-28' })).toEqual({
      date: '2020-02-29',
      days: 2,
      accumulated: 7,
    });
  });

  it('is never earlier for a higher threshold', () => {
    const values = fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { minLength: 1, maxLength: 40 });
    const targets = fc.double({ min: 0.1, max: 400, noNaN: true });
    fc.assert(
      fc.property(values, targets, targets, (list, a, b) => {
        const season = { ...SEASON, daily: Float64Array.from(list) };
        const low = dateOfThreshold(season, Math.min(a, b));
        const high = dateOfThreshold(season, Math.max(a, b));
        if (high !== null) expect(high.days).toBeGreaterThanOrEqual(low!.days);
        if (low !== null) expect(low.accumulated).toBeGreaterThanOrEqual(Math.min(a, b));
      }),
    );
  });

  it.each<[what: string, attempt: () => unknown, message: RegExp]>([
    ['no dates', () => dateOfThreshold({ ...SEASON, interval: null }, 5), /pass `start` to degreeDays/],
    ['no degree days', () => dateOfThreshold(undefined as never, 5), /^degreeDays/],
    ['no daily values', () => dateOfThreshold({ ...SEASON, daily: [1] } as never, 5), /^degreeDays.*daily/],
    [
      'dates without a first',
      () => dateOfThreshold({ ...SEASON, interval: {} } as never, 5),
      /^degreeDays.*interval/,
    ],
    ['a threshold in words', () => dateOfThreshold(SEASON, '5' as never), /threshold is "5"; pass/],
    ['unknown options', () => dateOfThreshold(SEASON, 5, { from: 'x' } as never), /dateOfThreshold/],
    ['a biofix that is no date', () => dateOfThreshold(SEASON, 5, { biofix: 'soon' }), /biofix/],
    ['a threshold of 0', () => dateOfThreshold(SEASON, 0), /threshold is 0; pass degree days above 0/],
    ['a threshold that is NaN', () => dateOfThreshold(SEASON, Number.NaN), /threshold is NaN/],
    [
      'a biofix outside',
      () => dateOfThreshold(SEASON, 5, { biofix: '2020-03-02' }),
      /^biofix 2020-03-02 is not one of the 4 days/,
    ],
  ])('refuses %s', (_what, attempt, message) => {
    expect(attempt).toThrow(ArgumentError);
    expect(attempt).toThrow(message);
  });
});
