import { describe, expect, it } from 'vitest';
import { parseExpiry } from '../../../src/cli/options/flags.js';
import { DAY_MS } from '../../../src/model/time.js';

describe('option values', () => {
  it('parse time spans from now and future dates', () => {
    const now = Date.UTC(2020, 0, 1);
    expect(parseExpiry('12h', now)).toBe(now + DAY_MS / 2);
    expect(parseExpiry('2w', now)).toBe(now + 14 * DAY_MS);
    expect(parseExpiry('1y', now)).toBe(now + 365 * DAY_MS);
    expect(parseExpiry('2020-01-02', now)).toBe(now + DAY_MS);
    expect(() => parseExpiry('2019-12-31', now)).toThrow('a time in the future');
  });
});
