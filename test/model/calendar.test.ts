import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CALENDARS,
  monthsPeriod,
  type Period,
  periodAt,
  shiftDate,
  yearsPeriod,
} from '../../src/model/calendar.js';
import { DAY_MS, formatDay } from '../../src/model/time.js';

const shifted = (day: string, by: Parameters<typeof shiftDate>[1], times?: number) =>
  formatDay(shiftDate(Date.parse(day), by, times));
const period = (day: string, ...rest: [Parameters<typeof periodAt>[1], number?]) => {
  const { startMs, endMs } = periodAt(Date.parse(day), ...rest);
  return `${formatDay(startMs)} ${formatDay(endMs)}`;
};
const anyDay = fc.integer({ min: -100_000, max: 100_000 }).map((day) => day * DAY_MS);

describe('whole months and years', () => {
  const days = ({ startMs, endMs }: Period) => [startMs, endMs].map(formatDay);

  test('include their last day, across the turn of the year and in leap years', () => {
    expect(days(monthsPeriod(2011, 9, 12))).toEqual(['2011-09-01', '2012-08-31']);
    expect(days(monthsPeriod(2012, 2, 1))).toEqual(['2012-02-01', '2012-02-29']);
    expect(days(yearsPeriod(1565, 5))).toEqual(['1565-01-01', '1569-12-31']);
  });
});

describe('shiftDate', () => {
  test('a day that the month lacks becomes the last day of the month', () => {
    expect(shifted('2001-03-31', { months: 1 }, -1)).toBe('2001-02-28');
    expect(shifted('2004-02-29', { years: 1 }, -1)).toBe('2003-02-28');
    expect(shifted('2003-12-31', { months: 2 })).toBe('2004-02-29');
    expect(shifted('0050-01-31', { months: 1 })).toBe('0050-02-28');
  });
});

describe('periodAt', () => {
  test.each([
    ['2024-02-29', 'monthly', undefined, '2024-02-01 2024-02-29'],
    ['2024-12-31', 'quarterly', undefined, '2024-10-01 2024-12-31'],
    ['2024-08-31', 'annual', 9, '2023-09-01 2024-08-31'],
    ['2024-09-01', 'annual', 9, '2024-09-01 2025-08-31'],
    ['2024-01-15', 'quarterly', 9, '2023-12-01 2024-02-29'],
    ['2024-03-03', 'weekly', undefined, '2024-02-26 2024-03-03'],
    ['2024-03-04', 'weekly', undefined, '2024-03-04 2024-03-10'],
    ['1969-12-31', 'weekly', undefined, '1969-12-29 1970-01-04'],
    ['2024-02-21', '10-day', undefined, '2024-02-21 2024-02-29'],
    ['2024-02-20', '10-day', undefined, '2024-02-11 2024-02-20'],
  ] as const)('%s is in the %s period (first month %s) %s', (day, calendar, firstMonth, expected) => {
    expect(period(day, calendar, firstMonth)).toBe(expected);
  });

  test('a period contains its day, and the next period starts on the day after its end', () => {
    fc.assert(
      fc.property(
        anyDay,
        fc.constantFrom(...CALENDARS),
        fc.integer({ min: 1, max: 12 }),
        (day, calendar, first) => {
          const { startMs, endMs } = periodAt(day, calendar, first);
          expect(startMs).toBeLessThanOrEqual(day);
          expect(endMs).toBeGreaterThanOrEqual(day);
          expect(periodAt(startMs, calendar, first)).toEqual({ startMs, endMs });
          expect(periodAt(endMs, calendar, first)).toEqual({ startMs, endMs });
          expect(periodAt(endMs + DAY_MS, calendar, first).startMs).toBe(endMs + DAY_MS);
        },
      ),
    );
  });
});
