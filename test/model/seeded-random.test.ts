import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pickOne, seededRandom, shuffle } from '../../src/model/seeded-random.js';

describe('seededRandom', () => {
  it('is repeatable, stays below 1, and differs between seeds', () => {
    const draw = (seed: number) => Array.from({ length: 100 }, seededRandom(seed));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    for (const number of draw(7)) expect(number >= 0 && number < 1).toBe(true);
  });

  it('picks every element about equally often', () => {
    const random = seededRandom(1);
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) counts[pickOne([0, 1, 2, 3], random)]!++;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it('shuffles without losing an element', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 0 }), (list, seed) => {
        const sorted = (some: number[]) => [...some].sort((a, b) => a - b);
        expect(sorted(shuffle(list, seededRandom(seed)))).toEqual(sorted(list));
      }),
    );
  });
});
