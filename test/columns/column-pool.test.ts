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

test('columns of up to 64 KiB share buffers of a megabyte, larger ones have their own', () => {
  const pool = new ColumnPool(8_192);
  const buffers = Array.from({ length: 17 }, () => pool.values().buffer);
  expect(new Set(buffers.slice(0, 16)).size).toBe(1);
  expect(buffers[16]).not.toBe(buffers[0]);
  expect(buffers[16]!.byteLength).toBe(1_048_576);
  const larger = new ColumnPool(8_193);
  expect(larger.values().buffer.byteLength).toBe(65_600);
  expect(larger.bitmap().buffer.byteLength).toBe(1_048_576);
});
