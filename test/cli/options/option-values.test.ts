import { describe, expect, it } from 'vitest';
import { parseDate, parseExpiry, parseNumber, parseShare } from '../../../src/cli/options/option-values.js';
import { DAY_MS } from '../../../src/model/time.js';

describe('option values', () => {
  it('parse numbers and shares', () => {
    expect(parseNumber('-2.5')).toBe(-2.5);
    for (const text of ['', ' ', 'x', 'Infinity']) expect(() => parseNumber(text)).toThrow('Give a number');
    expect(parseShare('0.9')).toBe(0.9);
    for (const text of ['-0.1', '1.1']) expect(() => parseShare(text)).toThrow('from 0 to 1');
  });

  it('check dates and keep their text', () => {
    expect(parseDate('2015-06-01')).toBe('2015-06-01');
    for (const text of ['2015-02-30', 'June', '']) expect(() => parseDate(text)).toThrow('YYYY-MM-DD');
  });

  it('parse time spans from now and future dates', () => {
    const now = Date.UTC(2020, 0, 1);
    expect(parseExpiry('12h', now)).toBe(now + DAY_MS / 2);
    expect(parseExpiry('2w', now)).toBe(now + 14 * DAY_MS);
    expect(parseExpiry('1y', now)).toBe(now + 365 * DAY_MS);
    expect(parseExpiry('2020-01-02', now)).toBe(now + DAY_MS);
    expect(() => parseExpiry('2019-12-31', now)).toThrow('a time in the future');
  });
});
