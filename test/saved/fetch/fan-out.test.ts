import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchesOf } from '../../../src/saved/fetch/fan-out.js';

describe('batchesOf', () => {
  it('covers every position once, in order, in batches of the maximum size for a request', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.integer({ min: 1, max: 50 }), (count, concurrency) => {
        const batches = batchesOf(count, { concurrency });
        const positions = batches.flatMap(({ from, to }) =>
          Array.from({ length: to - from }, (_, i) => from + i),
        );
        expect(positions).toEqual(Array.from({ length: count }, (_, i) => i));
        for (const { from, to } of batches) expect(to - from).toBeLessThanOrEqual(500);
      }),
    );
  });

  it('makes as many batches as can be in flight, unless they would be too small', () => {
    expect(batchesOf(1000, { concurrency: 10 })).toHaveLength(10);
    expect(batchesOf(12, { concurrency: 10 })).toEqual([{ from: 0, to: 12 }]);
    expect(batchesOf(3, { concurrency: 1, max: 1 })).toHaveLength(3);
    expect(batchesOf(0, { concurrency: 10 })).toEqual([]);
  });
});
