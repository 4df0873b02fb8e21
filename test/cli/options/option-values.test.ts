import { describe, expect, it } from 'vitest';
import { date, expiry, finiteNumber, share, wholeNumber } from '../../../src/cli/options/option-values.js';
import { DAY_MS } from '../../../src/model/time.js';

describe('option values', () => {
  it('read whole numbers of a range', () => {
    expect(wholeNumber(0, 65_535)('8470')).toBe(8470);
    for (const text of ['', '-1', '1.5', '1e3', '65536', 'x'])
      expect(() => wholeNumber(0, 65_535)(text)).toThrow('from 0 to 65535');
  });

  it('read numbers and shares', () => {
    expect(finiteNumber('-2.5')).toBe(-2.5);
    for (const text of ['', ' ', 'x', 'Infinity']) expect(() => finiteNumber(text)).toThrow('Give a number');
    expect(share('0.9')).toBe(0.9);
    for (const text of ['-0.1', '1.1']) expect(() => share(text)).toThrow('from 0 to 1');
  });

  it('leave dates as they are', () => {
    expect(date('2015-06-01')).toBe('2015-06-01');
    for (const text of ['2015-02-30', 'June', '']) expect(() => date(text)).toThrow('YYYY-MM-DD');
  });

  it('read spans from now on', () => {
    const now = Date.UTC(2020, 0, 1);
    expect(expiry('12h', now)).toBe(now + DAY_MS / 2);
    expect(expiry('2w', now)).toBe(now + 14 * DAY_MS);
    expect(expiry('1y', now)).toBe(now + 365 * DAY_MS);
    expect(expiry('2020-01-02', now)).toBe(now + DAY_MS);
    expect(() => expiry('2019-12-31', now)).toThrow('a time in the future');
  });
});
