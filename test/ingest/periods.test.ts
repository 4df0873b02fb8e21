import { describe, expect, it } from 'vitest';
import { dayMs, monthsPeriod, yearsPeriod } from '../../src/ingest/periods.js';
import { formatDay } from '../../src/model/time.js';

const days = ({ startMs, endMs }: { startMs: number; endMs: number }): string[] =>
  [startMs, endMs].map(formatDay);

describe('periods', () => {
  it('include their last day, over the turn of a year and in leap years', () => {
    expect(days(monthsPeriod(2011, 9, 12))).toEqual(['2011-09-01', '2012-08-31']);
    expect(days(monthsPeriod(2012, 2, 1))).toEqual(['2012-02-01', '2012-02-29']);
    expect(days(yearsPeriod(1565, 5))).toEqual(['1565-01-01', '1569-12-31']);
  });

  it('take years below 100 as they are', () => {
    expect(formatDay(dayMs(99, 1, 1))).toBe('0099-01-01');
  });
});
