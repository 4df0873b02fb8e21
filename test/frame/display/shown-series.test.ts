import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sparkline } from '../../../src/frame/display/shown-series.js';

test('follows the values and leaves gaps', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe('▁▂▃▄▅▆▇█');
  expect(sparkline([0, Number.NaN, 7, 3.5])).toBe('▁ █▅');
  expect(
    sparkline(
      Array.from({ length: 700 }, (_, i) => (i % 7 === 0 ? 0 : 1)),
      4,
    ),
  ).toHaveLength(0);
  expect(
    sparkline(
      Array.from({ length: 1000 }, (_, i) => i),
      10,
    ),
  ).toBe('▁▂▃▃▄▅▆▆▇█');
});

test('is empty for fewer than three values or equal ones', () => {
  expect(sparkline([])).toBe('');
  expect(sparkline([1, 2])).toBe('');
  expect(sparkline([5, 5, 5, 5])).toBe('');
  expect(sparkline([Number.NaN, 1, Number.NaN, 2])).toBe('');
});

test('is never longer than the width', () => {
  fc.assert(
    fc.property(fc.array(fc.double()), fc.integer({ min: 1, max: 50 }), (values, width) => {
      expect(sparkline(values, width).length).toBeLessThanOrEqual(width);
    }),
  );
});
