import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DateSpan, dateAxis, dayGrid, gridAxis, mergedAxis } from '../../src/frame/date-axis.js';
import { epochAt, epochWords, setEpoch } from '../../src/frame/epoch.js';
import { DAY_MS } from '../../src/model/time.js';

const spanOf = (dates: readonly number[]): DateSpan => ({
  ends: epochWords(BigInt64Array.from(dates, BigInt)),
  from: 0,
  to: dates.length,
});

const rowsOf = (axis: ReturnType<typeof dateAxis>, span: DateSpan) => {
  const rows = new Int32Array(span.to - span.from);
  const consecutive = axis.locate(span, rows);
  return { rows: [...rows], consecutive };
};

const days = fc.array(fc.array(fc.integer({ min: -300, max: 300 }), { maxLength: 40 }), { maxLength: 6 });
const offset = fc.constantFrom(0, 3_600_000, -1, DAY_MS - 1);

describe('the axis of all dates', () => {
  test('is the same over a grid of days as over the merged list', () => {
    fc.assert(
      fc.property(days, offset, (series, time) => {
        const spans = series.map((dates) => spanOf(dates.map((day) => day * DAY_MS + time)));
        const grid = dayGrid(spans)!;
        const merged = mergedAxis(spans);
        const gridded = gridAxis(spans, grid);
        expect(gridded.dates).toEqual(merged.dates);
        for (const span of spans) expect(rowsOf(gridded, span)).toEqual(rowsOf(merged, span));
      }),
      { numRuns: 300 },
    );
  });

  test('holds every date once, ascending, and finds each of them', () => {
    const times = fc.array(fc.array(fc.integer({ min: -5_000, max: 5_000 }), { maxLength: 80 }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(times, (series) => {
        const spans = series.map(spanOf);
        const axis = dateAxis(spans);
        const expected = [...new Set(series.flat())].sort((a, b) => a - b);
        expect([...axis.dates].map(Number)).toEqual(expected);
        series.forEach((dates, at) => {
          const { rows, consecutive } = rowsOf(axis, spans[at]!);
          expect(rows.map((row) => expected[row])).toEqual(dates);
          expect(consecutive).toBe(rows.every((row, i) => i === 0 || row === rows[i - 1]! + 1));
        });
      }),
      { numRuns: 300 },
    );
  });

  test('a date off the grid, or centuries of days too many, leave the grid', () => {
    expect(dayGrid([spanOf([0, DAY_MS]), spanOf([1])])).toBeNull();
    expect(dayGrid([spanOf([0, 5_000_000 * DAY_MS])])).toBeNull();
    expect(dayGrid([spanOf([]), spanOf([-DAY_MS, DAY_MS])])).toEqual({ origin: -DAY_MS, days: 3 });
  });
});

test('milliseconds pass through their two words unchanged', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (ms) => {
      const words = epochWords(new BigInt64Array(1));
      setEpoch(words, 0, ms);
      expect(epochAt(words, 0)).toBe(ms);
      expect(epochAt(epochWords(BigInt64Array.of(BigInt(ms))), 0)).toBe(ms);
    }),
  );
});
