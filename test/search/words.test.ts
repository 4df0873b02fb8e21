import { describe, expect, it } from 'vitest';
import { fold } from '../../src/search/fold.js';
import { distinctMeanings, SYNONYMS, singular, termsOf } from '../../src/search/words.js';

describe('singular', () => {
  it.each([
    ['tomatoes', 'tomato'],
    ['soybeans', 'soybean'],
    ['cherries', 'cherry'],
    ['peaches', 'peach'],
    ['boxes', 'box'],
    ['leaves', 'leaf'],
    ['olives', 'olive'],
    ['oats', 'oat'],
    ['grass', 'grass'],
    ['citrus', 'citrus'],
    ['tennis', 'tennis'],
    ['gas', 'gas'],
  ])('of %s is %s', (word, expected) => {
    expect(singular(word)).toBe(expected);
  });
});

describe('meaningOf', () => {
  it.each([
    ['Maize (corn)', 'corn'],
    ['soya beans', 'soybean'],
    ['Rape or colza seed', 'rapeseed'],
    ['the United States of America', 'united_states'],
    ['US Virgin Islands', 'united_states virgin island'],
    ['St. Kitts and Nevis', 'saint kitt nevis'],
    ['OR', 'or'],
    ['of the', 'of the'],
  ])('reads %j as %j', (text, expected) => {
    expect(distinctMeanings(fold(text)).join(' ')).toBe(expected);
  });
});

describe('termsOf', () => {
  it('keeps the words as written beside their meaning', () => {
    expect(termsOf('soya beans oil')).toEqual([
      { written: 'soya beans', meaning: 'soybean' },
      { written: 'oil', meaning: 'oil' },
    ]);
  });
});

describe('SYNONYMS', () => {
  it('are folded, and each phrase has one meaning', () => {
    const phrases = SYNONYMS.flat();
    expect(phrases.filter((phrase) => fold(phrase) !== phrase)).toEqual([]);
    const meant = new Map<string, Set<string>>();
    for (const [kept, ...read] of SYNONYMS) {
      for (const phrase of [kept, ...read]) {
        const key = distinctMeanings(phrase).join(' ');
        meant.set(key, (meant.get(key) ?? new Set()).add(kept));
      }
    }
    expect([...meant.values()].filter(({ size }) => size > 1)).toEqual([]);
    expect(phrases.filter((phrase, at) => phrases.indexOf(phrase) !== at)).toEqual([]);
  });
});
