import { describe, expect, it } from 'vitest';
import { badArgument } from '../../src/model/errors.js';
import { formatTime, parseTime } from '../../src/model/time.js';

/** Texts that are no times of day. */
const TIMES = [
  '25:00',
  '24:01',
  '24:00:00.001',
  '99:99',
  '12:60',
  '12:00:61',
  '12',
  '1:00',
  '12:00+99:00',
  '12:00+02:60',
];

describe('parseTime', () => {
  it.each([
    ['2012-05-01T12:30', '2012-05-01T12:30:00.000Z'],
    ['2012-05-01 12:30:15.5', '2012-05-01T12:30:15.500Z'],
    ['2012-05-01T00:30:00+02:00', '2012-04-30T22:30:00.000Z'],
    ['2012-05-01T24:00', '2012-05-02T00:00:00.000Z'],
    ['2012-12-31 24:00:00+02:00', '2012-12-31T22:00:00.000Z'],
    ['2012-06-30T23:59:60Z', '2012-07-01T00:00:00.000Z'],
    ['2012-05-01T00:30:00-0130', '2012-05-01T02:00:00.000Z'],
  ])('reads %s as %s', (text, expected) => {
    expect(formatTime(parseTime(text, 'time'))).toBe(expected);
  });

  it.each([
    '2011-02-29',
    '2011-13-01',
    '2011-1-1',
    '',
    'today',
    '0000-01-01',
    '0000-02-29T12:00:00Z',
    '0001-01-01T00:00+00:01',
    '9999-12-31T23:59-00:01',
    ...TIMES.map((time) => `2011-01-01T${time}`),
  ])('refuses %j and names the argument', (text) => {
    expect(() => parseTime(text, 'start_date')).toThrow(
      badArgument('start_date', `"${text}" is not a date`, {
        remedy: 'write YYYY-MM-DD or an ISO 8601 timestamp',
      }),
    );
  });
});
