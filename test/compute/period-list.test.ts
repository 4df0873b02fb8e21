import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PeriodList } from '../../src/compute/period-list.js';
import { DAY_MS } from '../../src/model/time.js';

test('every row finds its own period, and each period is there once, by its end and then its start', () => {
  const time = fc.integer({ min: -5, max: 5 }).map((day) => day * DAY_MS);
  fc.assert(
    fc.property(fc.array(fc.tuple(time, time), { maxLength: 60, size: 'max' }), (rows) => {
      const list = new PeriodList((start, end) => ({ start, end, rows: 0 }));
      for (const [start, end] of rows) {
        const period = list.find(start, end);
        expect(period).toMatchObject({ start, end });
        period.rows++;
      }
      const periods = list.sorted();
      expect(periods.reduce((sum, period) => sum + period.rows, 0)).toBe(rows.length);
      for (const [at, { start, end }] of periods.entries()) {
        const before = periods[at - 1] ?? { start: Number.NEGATIVE_INFINITY, end: Number.NEGATIVE_INFINITY };
        expect(before.end < end || (before.end === end && before.start < start)).toBe(true);
      }
    }),
  );
});
