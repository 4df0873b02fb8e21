import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, mayBeMisspelt } from '../../src/model/names/edit-distance.js';
import { allowedEdits, FuzzyMatcher, letterSetsOf } from '../../src/search/fuzzy-match.js';
import { TextTable } from '../../src/search/indexing/text-table.js';

const matcherOf = (words: readonly string[]) => new FuzzyMatcher(TextTable.of(words), letterSetsOf(words));

describe('findNear', () => {
  it('finds exactly the words within the allowed edits that may be meant', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abeßж'), minLength: 3, maxLength: 9 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 15 }), word, (words, wanted) => {
        const max = allowedEdits(wanted);
        const expected = words.filter(
          (other) => max > 0 && editDistance(wanted, other, 9) <= max && mayBeMisspelt(wanted, other),
        );
        expect([...matcherOf(words).findNear(wanted).keys()].sort()).toEqual(expected.sort());
      }),
    );
  });

  it('finds no other word for a short one', () => {
    const near = (wanted: string) => [...matcherOf(['oats', 'rice', 'sorghum']).findNear(wanted).keys()];
    expect([near('goats'), near('price'), near('aots'), near('orghum')]).toEqual([
      [],
      [],
      ['oats'],
      ['sorghum'],
    ]);
  });

  it('puts the likelier of equally near words first', () => {
    const near = (wanted: string, words: string[]) => [...matcherOf(words).findNear(wanted).keys()];
    expect(near('irak', ['iran', 'iraq'])).toEqual(['iraq', 'iran']);
    expect(near('austrlia', ['austria', 'australia'])).toEqual(['australia', 'austria']);
    expect(near('barly', ['early', 'barley'])[0]).toBe('barley');
  });
});
