import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedEdits, editDistance, FuzzyMatcher } from '../../src/search/fuzzy-match.js';

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

describe('findNear', () => {
  it('finds exactly the words within the allowed edits', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abeßж'), minLength: 3, maxLength: 9 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 15 }), word, (words, wanted) => {
        const max = allowedEdits(wanted);
        const expected = words.filter((other) => max > 0 && editDistance(wanted, other, 9) <= max);
        expect([...new FuzzyMatcher(new Set(words)).findNear(wanted).keys()].sort()).toEqual(expected.sort());
      }),
    );
  });

  it('puts the likelier of equally near words first', () => {
    const near = (wanted: string, words: string[]) => [
      ...new FuzzyMatcher(new Set(words)).findNear(wanted).keys(),
    ];
    expect(near('irak', ['iran', 'iraq'])).toEqual(['iraq', 'iran']);
    expect(near('austrlia', ['austria', 'australia'])).toEqual(['australia', 'austria']);
    expect(near('barly', ['early', 'barley'])[0]).toBe('barley');
  });
});
