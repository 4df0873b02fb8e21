import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packDates, spanDays, unpackDates } from '../../src/columns/packed-dates.js';
import { DAY_MS } from '../../src/model/time.js';

const datesOf = (firstMs: number, steps: readonly number[]): BigInt64Array => {
  let ms = firstMs;
  return BigInt64Array.from([0, ...steps], (step) => {
    ms += step;
    return BigInt(ms);
  });
};

const anyFirst = fc.integer({ min: -8e12, max: 8e12 });

describe('packed dates', () => {
  it('unpack to the dates that were packed', () => {
    fc.assert(
      fc.property(anyFirst, fc.array(fc.integer({ min: 1, max: 255 })), (firstMs, days) => {
        const dates = datesOf(
          firstMs,
          days.map((day) => day * DAY_MS),
        );
        const packed = packDates(dates)!;
        expect(unpackDates(packed)).toEqual(dates);
        expect(spanDays(packed)).toBe(days.reduce((sum, day) => sum + day, 1));
      }),
    );
  });

  it.each([
    ['part of a day', 3_600_000],
    ['no day', 0],
    ['a day back', -DAY_MS],
    ['256 days', 256 * DAY_MS],
    ['a day and a millisecond', DAY_MS + 1],
  ])('do not exist for neighbours %s apart', (_, step) => {
    expect(packDates(datesOf(0, [DAY_MS, step, DAY_MS]))).toBeNull();
  });
});
