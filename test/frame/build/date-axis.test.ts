import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { epochAt, epochWords, gridOf, setEpoch } from '../../../src/columns/series-dates.js';
import { dateAxis } from '../../../src/frame/build/date-axis.js';
import type { DateSpan } from '../../../src/frame/build/date-span.js';
import { dayGrid, gridAxis } from '../../../src/frame/build/day-grid.js';
import { mergedAxis } from '../../../src/frame/build/merged-axis.js';
import { DAY_MS } from '../../../src/model/time.js';
import { countRuns } from '../../endurance.js';

const spanOf = (dates: readonly number[]): DateSpan => ({
  ends: Float64Array.from(dates),
  from: 0,
  to: dates.length,
});

/** The same dates in their shortest form. */
const packed = ({ ends, from, to }: DateSpan): DateSpan => ({
  ends: gridOf((ends as Float64Array).subarray(from, to)),
  from: 0,
  to: to - from,
});

/** The same dates within a column that has other rows before and after them. */
const amid = ({ ends, to }: DateSpan, rows: number): DateSpan => {
  const others = new Array<number>(rows).fill(1);
  if (ends instanceof Float64Array)
    return { ends: Float64Array.of(...others, ...ends, ...others), from: rows, to: rows + to };
  return { ends: { ...ends, firstMs: ends.firstMs - rows * ends.stepMs }, from: rows, to: rows + to };
};

const rowsOf = (axis: ReturnType<typeof dateAxis>, span: DateSpan) => {
  const rows = new Int32Array(span.to - span.from);
  const first = axis.locate(span, rows);
  return first === -1 ? [...rows] : Array.from(rows, (_, i) => first + i);
};

const anyDays = fc.array(fc.integer({ min: -300, max: 300 }), { minLength: 1, maxLength: 40 });
const stepped = fc
  .record({
    first: fc.integer({ min: -90, max: 90 }),
    by: fc.integer({ min: -9, max: 9 }),
    n: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ first, by, n }) => Array.from({ length: n }, (_, i) => first + i * by));
const series = fc.array(fc.oneof(stepped, anyDays), { minLength: 1, maxLength: 6 });
const offset = fc.constantFrom(0, 3_600_000, -1, DAY_MS - 1);
const runs = { numRuns: countRuns({ quick: 75, all: 1_000 }) };

describe('the axis of all dates', () => {
  test('is the same for a grid of days and the merged list, in every form, among whatever other rows', () => {
    fc.assert(
      fc.property(series, offset, fc.nat(3), (lists, time, rows) => {
        const spans = lists.map((dates) => spanOf(dates.map((day) => day * DAY_MS + time)));
        const { origin, days } = dayGrid(spans)!;
        const expected = mergedAxis(spans);
        for (const form of [(span: DateSpan) => span, packed]) {
          const formed = spans.map((span) => amid(form(span), rows));
          const grid = dayGrid(formed)!;
          expect(grid).toMatchObject({ origin, days });
          for (const axis of [gridAxis(formed, grid), mergedAxis(formed)]) {
            expect(axis.dates).toEqual(expected.dates);
            expect(axis.length).toBe(expected.length);
            spans.forEach((span, at) => {
              expect(rowsOf(axis, formed[at]!)).toEqual(rowsOf(expected, span));
            });
          }
        }
      }),
      runs,
    );
  });

  test('locates a span by its first row when, and only when, its rows follow one another', () => {
    fc.assert(
      fc.property(series, offset, (lists, time) => {
        const spans = lists.map((dates) => spanOf(dates.map((day) => day * DAY_MS + time)));
        for (const formed of [spans, spans.map(packed)]) {
          for (const axis of [gridAxis(formed, dayGrid(formed)!), mergedAxis(formed)]) {
            for (const span of formed) {
              const rows = rowsOf(axis, span);
              const areConsecutive = rows.every((row, i) => row === rows[0]! + i);
              expect(axis.locate(span, new Int32Array(rows.length))).toBe(areConsecutive ? rows[0] : -1);
            }
          }
        }
      }),
      runs,
    );
  });

  test('has every date once, ascending, and finds each', () => {
    const dates = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 1, maxLength: 80 });
    const times = fc.array(dates, { maxLength: 8 });
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
      runs,
    );
  });

  test('has the dates of the rows of a span, not those before or after', () => {
    const all = spanOf([1, 5, 6, 7, 20].map((day) => day * DAY_MS));
    for (const ends of [all.ends, gridOf(all.ends as Float64Array), { firstMs: 0, stepMs: DAY_MS }]) {
      const spans = [{ ends, from: 1, to: 4 }, spanOf([30 * DAY_MS])];
      const days = ends === all.ends || ArrayBuffer.isView(ends) ? [5, 6, 7, 30] : [1, 2, 3, 30];
      for (const axis of [dateAxis(spans), mergedAxis(spans)]) {
        expect([...axis.dates].map((ms) => Number(ms) / DAY_MS)).toEqual(days);
        expect(rowsOf(axis, spans[0]!)).toEqual([0, 1, 2]);
        expect(rowsOf(axis, spans[1]!)).toEqual([3]);
        expect(axis.length).toBe(4);
      }
    }
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
