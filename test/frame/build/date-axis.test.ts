import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { epochAt, epochWords, setEpoch } from '../../../src/columns/epoch-words.js';
import { packDates } from '../../../src/columns/series-dates.js';
import { dateAxis } from '../../../src/frame/build/date-axis.js';
import type { DateSpan } from '../../../src/frame/build/date-span.js';
import { dayGrid, gridAxis } from '../../../src/frame/build/day-grid.js';
import { mergedAxis } from '../../../src/frame/build/merged-axis.js';
import { DAY_MS } from '../../../src/model/time.js';
import { countRuns } from '../../endurance.js';

const spanOf = (dates: readonly number[]): DateSpan => ({
  ends: BigInt64Array.from(dates, BigInt),
  from: 0,
  to: dates.length,
});

/** The same dates in their shortest form. */
const packed = ({ ends, from, to }: DateSpan): DateSpan => ({
  ends: packDates(ends as BigInt64Array, from, to),
  from: 0,
  to: to - from,
});

const rowsOf = (axis: ReturnType<typeof dateAxis>, span: DateSpan) => {
  const rows = new Int32Array(span.to - span.from);
  const first = axis.locate(span, rows);
  return first === -1 ? [...rows] : Array.from(rows, (_, i) => first + i);
};

const anyDays = fc.array(fc.integer({ min: -300, max: 300 }), { maxLength: 40 });
const days = fc.array(anyDays, { maxLength: 6 });
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
      { numRuns: countRuns({ quick: 300, few: 40 }) },
    );
  });

  test('is the same for dates in every form, some of them steps of a grid', () => {
    const step = fc
      .record({ first: fc.integer({ min: -90, max: 90 }), by: fc.integer({ min: -9, max: 9 }), n: fc.nat(9) })
      .map(({ first, by, n }) => Array.from({ length: n }, (_, i) => first + i * by));
    fc.assert(
      fc.property(fc.array(fc.oneof(step, anyDays)), offset, (series, time) => {
        const spans = series.map((dates) => spanOf(dates.map((day) => day * DAY_MS + time)));
        const short = spans.map(packed);
        const expected = mergedAxis(spans);
        for (const axis of [gridAxis(short, dayGrid(short)!), mergedAxis(short)]) {
          expect(axis.dates).toEqual(expected.dates);
          spans.forEach((span, at) => {
            expect(rowsOf(axis, short[at]!)).toEqual(rowsOf(expected, span));
          });
        }
      }),
      { numRuns: countRuns({ quick: 300, few: 40 }) },
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
      { numRuns: countRuns({ quick: 300, few: 40 }) },
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
