import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ColumnPool } from '../../src/columns/column-pool.js';

test('columns never overlap, start at multiples of 64 bytes, and are zero', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0, 1, 63, 64, 1_000, 8_191, 8_193, 20_000),
      fc.integer({ min: 1, max: 40 }),
      (length, columns) => {
        const pool = new ColumnPool(length);
        const taken = Array.from({ length: columns }, () => [pool.values(), pool.bitmap()] as const);
        taken.forEach(([values, bitmap], at) => {
          expect(values).toHaveLength(length);
          expect(bitmap).toHaveLength(Math.ceil(length / 64) * 8);
          expect(values.byteOffset % 64).toBe(0);
          expect(values.every((value) => value === 0) && bitmap.every((byte) => byte === 0)).toBe(true);
          values.fill(at + 1);
          bitmap.fill(at + 1);
        });
        taken.forEach(([values, bitmap], at) => {
          expect(values.every((value) => value === at + 1)).toBe(true);
          expect(bitmap.every((byte) => byte === at + 1)).toBe(true);
        });
      },
    ),
    { numRuns: 40 },
  );
});
