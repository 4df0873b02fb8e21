import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { usdaReleaseMs } from '../../../src/ingest/usda/calendar.js';
import { formatDay } from '../../../src/model/time.js';

// A wrong day would show figures as known before they were. The days of past years do not change any more.
it('has the days on which USDA released WASDE from 2014 to 2026', () => {
  const days = Array.from({ length: 13 * 12 }, (_, at) =>
    formatDay(usdaReleaseMs(2014 + Math.floor(at / 12), (at % 12) + 1)),
  );
  expect(days).toContain('2019-06-11');
  expect(createHash('sha256').update(days.join()).digest('hex')).toBe(
    '1f96e66b803cf7cc84d4f07ab1d58d452bead2cb4687ce92e065aab18655b61a',
  );
});
