import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '../../src/model/retry-after.js';

const NOW_MS = Date.UTC(2026, 0, 1);

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
    expect(readRetryAfter(header, NOW_MS)).toBe(ms);
  });
});
