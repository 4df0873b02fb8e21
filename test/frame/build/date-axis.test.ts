import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { epochAt, epochWords, setEpoch } from '../../../src/columns/epoch-words.js';
import {
  type DateSpan,
  dateAxis,
  dayGrid,
  gridAxis,
  mergedAxis,
} from '../../../src/frame/build/date-axis.js';
import { DAY_MS } from '../../../src/model/time.js';

const spanOf = (dates: readonly number[]): DateSpan => ({
  ends: epochWords(BigInt64Array.from(dates, BigInt)),
  from: 0,
  to: dates.length,
});

const rowsOf = (axis: ReturnType<typeof dateAxis>, span: DateSpan) => {
  const rows = new Int32Array(span.to - span.from);
  const first = axis.locate(span, rows);
  return first === -1 ? [...rows] : Array.from(rows, (_, i) => first + i);
};

const days = fc.array(fc.array(fc.integer({ min: -300, max: 300 }), { maxLength: 40 }), { maxLength: 6 });
const offset = fc.constantFrom(0, 3_600_000, -1, DAY_MS - 1);

describe('the axis of all dates', () => {
  test('is the same for a grid of days and the merged list', () => {
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

  test('has every date once, ascending, and finds each', () => {
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
          expect(rowsOf(axis, spans[at]!).map((row) => expected[row])).toEqual(dates);
        });
      }),
      { numRuns: 300 },
    );
  });

  test('locates an unbroken run of days by its first day', () => {
    const run = spanOf([3, 4, 5, 6].map((day) => day * DAY_MS));
    const gap = spanOf([2, 4].map((day) => day * DAY_MS));
    for (const axis of [dateAxis([run, gap]), mergedAxis([run, gap])]) {
      expect(axis.locate(run, new Int32Array(4))).toBe(1);
      expect(axis.locate(gap, new Int32Array(2))).toBe(-1);
    }
  });

  test('a date off the grid, or too long a span, has no grid', () => {
    expect(dayGrid([spanOf([0, DAY_MS]), spanOf([1])])).toBeNull();
    expect(dayGrid([spanOf([0, 5_000_000 * DAY_MS])])).toBeNull();
    expect(dayGrid([spanOf([]), spanOf([-DAY_MS, DAY_MS])])).toMatchObject({ origin: -DAY_MS, days: 3 });
  });
});

test('milliseconds round-trip through two words', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (ms) => {
      const words = epochWords(new BigInt64Array(1));
      setEpoch(words, 0, ms);
      expect(epochAt(words, 0)).toBe(ms);
      expect(epochAt(epochWords(BigInt64Array.of(BigInt(ms))), 0)).toBe(ms);
    }),
  );
});
