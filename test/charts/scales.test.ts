import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearScale, niceTicks, spreadHeights, tickText } from '../../src/charts/scales.js';

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe('niceTicks', () => {
  it('returns round numbers that enclose the values', () => {
    expect(niceTicks(0, 3244, 6)).toEqual([0, 500, 1000, 1500, 2000, 2500, 3000, 3500]);
    expect(niceTicks(-0.3, 0.4, 4)).toEqual([-0.4, -0.2, 0, 0.2, 0.4]);
    expect(niceTicks(5, 5, 4)[0]).toBeLessThanOrEqual(5);
  });

  it('encloses any values evenly, in about the wanted number of steps', () => {
    fc.assert(
      fc.property(
        number,
        fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
        fc.integer({ min: 2, max: 10 }),
        (low, span, wanted) => {
          const ticks = niceTicks(low, low + span, wanted);
          const step = ticks[1]! - ticks[0]!;
          expect(ticks[0]!).toBeLessThanOrEqual(low + step * 1e-6);
          expect(ticks.at(-1)!).toBeGreaterThanOrEqual(low + span - step * 1e-6);
          expect(ticks.length).toBeLessThanOrEqual(1.3 * wanted + 3);
        },
      ),
    );
  });
});

describe('spreadHeights', () => {
  it('keeps heights that already have the gap', () => {
    expect(spreadHeights([30, 10], 15, [0, 100])).toEqual([30, 10]);
  });

  it('spreads neighbours around their mean, within the bounds', () => {
    expect(spreadHeights([50, 50], 10, [0, 100])).toEqual([45, 55]);
    expect(spreadHeights([99, 98], 10, [0, 100])).toEqual([100, 90]);
  });

  it('keeps order, gap and bounds for any heights', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { minLength: 1, maxLength: 40 }),
        (wished) => {
          const heights = spreadHeights(wished, 15, [0, 300]);
          const gap = Math.min(15, 300 / Math.max(1, wished.length - 1));
          const order = wished.map((_, i) => i).sort((a, b) => wished[a]! - wished[b]!);
          order.forEach((i, rank) => {
            expect(heights[i]).toBeGreaterThanOrEqual(-1e-6);
            expect(heights[i]).toBeLessThanOrEqual(300 + 1e-6);
            if (rank > 0) expect(heights[i]! - heights[order[rank - 1]!]!).toBeGreaterThanOrEqual(gap - 1e-6);
          });
        },
      ),
    );
  });
});

describe('linearScale and tickText', () => {
  it('maps the ends of the domain to the ends of the range', () => {
    const scale = linearScale([10, 20], [100, 0]);
    expect([scale(10), scale(15), scale(20)]).toEqual([100, 50, 0]);
    expect(linearScale([5, 5], [0, 9])(5)).toBe(0);
  });

  it('writes as many decimals as the step has', () => {
    expect([tickText(1500, 500), tickText(0.2, 0.1), tickText(1, 0.25)]).toEqual(['1,500', '0.2', '1.0']);
  });
});
