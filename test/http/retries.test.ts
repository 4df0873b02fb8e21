import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '../../src/http/retries.js';

const SENT = 'Thu, 01 Jan 2026 00:00:00 GMT';

describe('readRetryAfter', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['-5', 0],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', null],
    [' ', null],
    [null, null],
  ])('reads %j as %j ms', (header, ms) => {
    expect(readRetryAfter(header, SENT)).toBe(ms);
  });

  it('compares a date with the clock of this machine when the answer has none', () => {
    expect(readRetryAfter('Thu, 01 Jan 2999 00:00:00 GMT', null)).toBeGreaterThan(86_400_000);
    expect(readRetryAfter('Thu, 01 Jan 2015 00:00:00 GMT', 'yesterday')).toBe(0);
  });
});
