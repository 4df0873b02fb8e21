import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FREQUENCIES, type FrequencyName } from '../../src/model/frequency.js';
import { periodGrid, periodStart } from '../../src/model/period-grid.js';
import { DAY_MS, formatDay, parseTime } from '../../src/model/time.js';

const ms = (day: string) => parseTime(day, 'day');
const frequencyOf = (name: FrequencyName) => FREQUENCIES.find((frequency) => frequency.name === name)!;

describe('periodGrid', () => {
  it('numbers every day by the period that contains it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FREQUENCIES),
        fc.integer({ min: -40_000, max: 40_000 }),
        fc.integer({ min: -40_000, max: 40_000 }),
        (frequency, anchor, day) => {
          const grid = periodGrid(frequency, anchor * DAY_MS);
          const index = grid.index(day * DAY_MS);
          expect(grid.start(index)).toBeLessThanOrEqual(day * DAY_MS);
          expect(grid.start(index + 1)).toBeGreaterThan(day * DAY_MS);
        },
      ),
    );
  });

  it('has 46 eight-day periods and 36 dekads in every year', () => {
    for (const [name, periods] of [
      ['8-day', 46],
      ['10-day', 36],
    ] as const) {
      const grid = periodGrid(frequencyOf(name), 0);
      const first = grid.index(ms('2024-01-01'));
      expect(formatDay(grid.start(first + periods))).toBe('2025-01-01');
      expect(formatDay(grid.start(first + periods - 1))).toBe(name === '8-day' ? '2024-12-26' : '2024-12-21');
    }
  });

  it('starts on the last day of each month where the anchor is one, and otherwise on its day', () => {
    const lengths = { monthly: 1, quarterly: 3, annual: 12, '5-year': 60 } as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(lengths) as (keyof typeof lengths)[])),
        fc.integer({ min: 0, max: 30_000 }),
        fc.integer({ min: -40, max: 40 }),
        (name, anchor, index) => {
          const [year, month, day] = formatDay(anchor * DAY_MS)
            .split('-')
            .map(Number) as [number, number, number];
          const isLast = formatDay((anchor + 1) * DAY_MS).endsWith('-01');
          const last = new Date(Date.UTC(year, month + lengths[name] * index, 0));
          const expected = last.setUTCDate(Math.min(isLast ? 31 : day, last.getUTCDate()));
          expect(formatDay(periodGrid(frequencyOf(name), anchor * DAY_MS).start(index))).toBe(
            formatDay(expected),
          );
        },
      ),
    );
  });

  it.each([
    ['10-day', '2024-02-29', '2024-02-21'],
    ['8-day', '2023-12-31', '2023-12-27'],
    ['monthly', '2024-02-29', '2024-02-01'],
    ['monthly', '2024-02-15', '2024-01-16'],
    ['quarterly', '2023-02-28', '2022-12-01'],
    ['annual', '2024-08-31', '2023-09-01'],
  ] as const)('the %s period that ends on %s starts on %s', (name, end, start) => {
    expect(formatDay(periodStart(frequencyOf(name), ms(end)))).toBe(start);
  });
});
