import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearestWord } from '../../../src/model/names/edit-distance.js';

/** The recursive definition. */
function distanceByDefinition(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [tailA, tailB] = [a.slice(1), b.slice(1)];
  const swapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0];
  return Math.min(
    distanceByDefinition(tailA, b) + 1,
    distanceByDefinition(a, tailB) + 1,
    distanceByDefinition(tailA, tailB) + (a[0] === b[0] ? 0 : 1),
    swapped ? distanceByDefinition(a.slice(2), b.slice(2)) + 1 : Number.POSITIVE_INFINITY,
  );
}

const shortWord = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });

describe('editDistance', () => {
  it('is the optimal string alignment distance', () => {
    fc.assert(
      fc.property(shortWord, shortWord, (a, b) => {
        expect(editDistance(a, b, 9)).toBe(distanceByDefinition(a, b));
      }),
    );
  });

  it('is above the maximum when the true distance is', () => {
    fc.assert(
      fc.property(shortWord, shortWord, fc.nat({ max: 3 }), (a, b, max) => {
        const distance = distanceByDefinition(a, b);
        if (distance <= max) expect(editDistance(a, b, max)).toBe(distance);
        else expect(editDistance(a, b, max)).toBeGreaterThan(max);
      }),
    );
  });
});

describe('nearestWord', () => {
  it('finds the known word that is meant', () => {
    const known = ['item', 'region', 'start_date', 'compress_format', 'end_date'];
    expect(nearestWord('itm', known)).toBe('item');
    expect(nearestWord('compressFormat', known)).toBe('compress_format');
    expect(nearestWord('startdate', known)).toBe('start_date');
    expect(nearestWord('region_name', known)).toBe('region');
    expect(nearestWord('colour', known)).toBeUndefined();
  });

  it('never finds another word that is spelt alike', () => {
    expect(nearestWord('Goats', ['Corn', 'Oats'])).toBeUndefined();
    expect(nearestWord('price', ['rice', 'spice'])).toBeUndefined();
    expect(nearestWord('otas', ['Oats'])).toBe('Oats');
    expect(nearestWord('botton', ['cotton'])).toBe('cotton');
    expect(nearestWord('rain_oats', ['oats'])).toBe('oats');
  });
});
