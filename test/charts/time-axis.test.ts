import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeTicks } from '../../src/charts/time-axis.js';

const span = (from: string, to: string): [number, number] => [Date.parse(from), Date.parse(to)];
const texts = (from: string, to: string, max = 9) => timeTicks(span(from, to), max).map(({ text }) => text);

describe('timeTicks', () => {
  it('labels years, months or days by the span', () => {
    expect(texts('1990-01-01', '2019-12-31')).toEqual(['1990', '1995', '2000', '2005', '2010', '2015']);
    expect(texts('2012-11-20', '2013-04-10')).toEqual(['Dec', '2013', 'Feb', 'Mar', 'Apr']);
    expect(texts('2012-05-03', '2012-05-08')).toEqual(['3 May', '4 May', '5 May', '6 May', '7 May', '8 May']);
  });

  it('stays within the span and the maximum number of ticks', () => {
    const day = fc.integer({ min: -40_000, max: 40_000 });
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 60_000 }), (from, length) => {
        const domain: [number, number] = [from * 86_400_000, (from + length) * 86_400_000];
        const ticks = timeTicks(domain, 9);
        expect(ticks.length).toBeLessThanOrEqual(10);
        for (const { at } of ticks) {
          expect(at).toBeGreaterThanOrEqual(domain[0]);
          expect(at).toBeLessThanOrEqual(domain[1]);
        }
      }),
    );
  });
});
