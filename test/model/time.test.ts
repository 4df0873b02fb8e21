import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArgumentError } from '../../src/model/errors.js';
import { calendarDay, DAY_MS, formatDay, formatTime, parseTime, utcDay } from '../../src/model/time.js';

describe('utcDay', () => {
  it('counts months from 1, accepts a month or day out of range, and takes years below 100 as they are', () => {
    expect(formatDay(utcDay(2012, 2, 29))).toBe('2012-02-29');
    expect(formatDay(utcDay(2012, 13, 1))).toBe('2013-01-01');
    expect(formatDay(utcDay(2012, 3, 0))).toBe('2012-02-29');
    expect(formatDay(utcDay(99, 1, 1))).toBe('0099-01-01');
  });
});

describe('calendarDay', () => {
  it('is null for a day that the calendar does not have', () => {
    expect(calendarDay(2012, 2, 29)).toBe(utcDay(2012, 2, 29));
    expect([
      calendarDay(2011, 2, 29),
      calendarDay(2011, 13, 1),
      calendarDay(2011, 0, 1),
      calendarDay(2011, 1, 0),
    ]).toEqual([null, null, null, null]);
    expect(calendarDay(Number.NaN, 1, 1)).toBeNull();
  });
});

describe('parseTime', () => {
  it('reads every day and time that is formatted', () => {
    fc.assert(
      fc.property(fc.integer({ min: utcDay(0, 1, 1), max: utcDay(10_000, 1, 1) - 1 }), (ms) => {
        expect(parseTime(formatTime(ms), 'time')).toBe(ms);
        expect(parseTime(formatDay(ms), 'day')).toBe(Math.floor(ms / DAY_MS) * DAY_MS);
      }),
    );
  });

  it.each([
    ['2012-05-01T12:30', '2012-05-01T12:30:00.000Z'],
    ['2012-05-01 12:30:15.5', '2012-05-01T12:30:15.500Z'],
    ['2012-05-01T00:30:00+02:00', '2012-04-30T22:30:00.000Z'],
    ['2012-05-01T00:30:00-0130', '2012-05-01T02:00:00.000Z'],
  ])('reads %s as %s', (text, expected) => {
    expect(formatTime(parseTime(text, 'time'))).toBe(expected);
  });

  it.each(['2011-02-29', '2011-13-01', '2011-1-1', '2011-01-01T25:00', '', 'today'])(
    'refuses %j and names the argument',
    (text) => {
      expect(() => parseTime(text, 'start_date')).toThrow(
        new ArgumentError(
          'start_date',
          `start_date: "${text}" is not a date; write YYYY-MM-DD or an ISO 8601 timestamp`,
        ),
      );
    },
  );
});
