import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FREQUENCIES, type FrequencyName } from '../../src/model/frequency.js';
import { periodGrid } from '../../src/model/period-grid.js';
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
});
