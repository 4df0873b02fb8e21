import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PeriodValues } from '../../../src/charts/lines.js';
import { moveAlong, nearestRow, rowAt } from '../../../src/explorer/chart/explore.js';

const DAY_MS = 86_400_000;

function lineOf(days: readonly number[], values: readonly (number | null)[]): PeriodValues {
  return {
    start: Float64Array.from(days, (day) => day * DAY_MS),
    end: Float64Array.from(days, (day) => day * DAY_MS),
    value: Float64Array.from(values, (value) => value ?? Number.NaN),
    unit: '',
  };
}

const lines = fc.uniqueArray(fc.nat({ max: 4000 }), { minLength: 1, maxLength: 40 }).chain((days) =>
  fc
    .array(fc.option(fc.nat({ max: 9 }), { nil: null, freq: 3 }), {
      minLength: days.length,
      maxLength: days.length,
    })
    .map((values) =>
      lineOf(
        [...days].sort((a, b) => a - b),
        values,
      ),
    ),
);

describe('the cursor of a chart', () => {
  it('is at the period that holds a moment, and at none in a gap', () => {
    const line = lineOf([0, 1, 5], [1, 2, 3]);
    expect(rowAt(line, 1.5 * DAY_MS)).toBe(1);
    expect(rowAt(line, 3 * DAY_MS)).toBe(-1);
    expect(rowAt(line, -1)).toBe(-1);
    expect(rowAt(line, 6 * DAY_MS)).toBe(-1);
  });

  it('finds the value that begins nearest, as a search of all rows does', () => {
    fc.assert(
      fc.property(lines, fc.nat({ max: 4100 }), (line, day) => {
        const ms = day * DAY_MS;
        const known = [...line.value.keys()].filter((row) => !Number.isNaN(line.value[row]!));
        const row = nearestRow(line, ms);
        if (known.length === 0) {
          expect(row).toBe(-1);
          return;
        }
        const distance = (one: number) => Math.abs(line.start[one]! - ms);
        expect(known).toContain(row);
        expect(distance(row)).toBe(Math.min(...known.map(distance)));
      }),
    );
  });

  it('moves from value to value, over nulls and gaps, and stays at the ends', () => {
    const line = lineOf([0, 1, 2, 400], [1, null, 3, 4]);
    expect(moveAlong(line, 0, 'ArrowRight')).toBe(2 * DAY_MS);
    expect(moveAlong(line, 2 * DAY_MS, 'ArrowLeft')).toBe(0);
    expect(moveAlong(line, 0, 'ArrowLeft')).toBe(0);
    expect(moveAlong(line, 0, 'PageDown')).toBe(400 * DAY_MS);
    expect(moveAlong(line, 400 * DAY_MS, 'Home')).toBe(0);
    expect(moveAlong(line, 0, 'End')).toBe(400 * DAY_MS);
    expect(moveAlong(line, 0, 'x')).toBe(null);
  });
});
