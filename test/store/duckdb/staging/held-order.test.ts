import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderHeld } from '../../../../src/store/duckdb/staging/held-order.js';
import { HeldPoints } from '../../../../src/store/duckdb/staging/held-points.js';
import { newPoints } from '../../conformance/sample-data.js';

const SERIES = 5;

/** Days with times, near each other and thousands of years apart. */
const day = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.integer({ min: -8, max: 8 }).map((hours) => hours / 4),
  fc.constantFrom(-900_000, 900_000),
);
const row = fc.record({
  series: fc.integer({ min: 0, max: SERIES - 1 }),
  day,
  days: fc.constantFrom(0, 0, 0, 1, 1.5),
});

describe('orderHeld', () => {
  it('groups rows by series, each in order of its periods, and finds the series that repeat one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(row, { maxLength: 12 }), { maxLength: 4 }), async (parts) => {
        const held = new HeldPoints();
        for (const part of parts) {
          const points = newPoints(part.map((one) => ({ ...one, value: 1 })));
          held.add(
            Int32Array.from(part, ({ series }) => series),
            points,
          );
        }
        const rows = parts.flat();
        const compare = (a: number, b: number) =>
          rows[a]!.day - rows[b]!.day || rows[a]!.day + rows[a]!.days - (rows[b]!.day + rows[b]!.days);
        const { rows: found, starts, repeated } = await orderHeld(held, SERIES);
        for (let series = 0; series < SERIES; series++) {
          const wanted = [...rows.keys()].filter((i) => rows[i]!.series === series);
          wanted.sort((a, b) => compare(a, b) || a - b);
          expect([...found.subarray(starts[series], starts[series + 1])]).toEqual(wanted);
          const repeats = wanted.some((one, i) => i > 0 && compare(wanted[i - 1]!, one) === 0);
          expect(repeated.includes(series)).toBe(repeats);
        }
      }),
      { numRuns: 200 },
    );
  });
});
