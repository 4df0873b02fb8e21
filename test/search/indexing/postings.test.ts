import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Postings, PostingsBuilder } from '../../../src/search/indexing/postings.js';
import { finish } from '../../../src/search/indexing/work.js';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ж', '\u{1f33d}'), minLength: 1, maxLength: 4 });
const entries = fc.array(fc.array(word, { maxLength: 5 }), { maxLength: 12 });
const demand = fc.record({
  words: fc.array(word, { maxLength: 3 }),
  prefixes: fc.array(word, { maxLength: 2 }),
});

function postingsOf(given: readonly string[][]): Postings {
  const builder = new PostingsBuilder();
  for (const [at, words] of given.entries()) builder.add(at, words);
  return finish(builder.build());
}

describe('Postings', () => {
  it('find the first entries that meet enough demands', () => {
    fc.assert(
      fc.property(
        entries,
        fc.array(demand, { maxLength: 4 }),
        fc.nat(4),
        fc.nat(6),
        (given, demands, min, max) => {
          const met = (words: string[]) =>
            demands.filter(
              (one) =>
                one.words.some((wanted) => words.includes(wanted)) ||
                one.prefixes.some((prefix) => words.some((other) => other.startsWith(prefix))),
            ).length;
          const expected = given.flatMap((words, at) => (met(words) >= min ? [at] : []));
          const order = Uint32Array.from(given, (_, at) => given.length - 1 - at);
          const found = postingsOf(given).find(demands, { min, max, order });
          expect(found).toEqual(expected.reverse().slice(0, max));
        },
      ),
    );
  });

  it('find entries by a whole text and by a prefix', () => {
    fc.assert(
      fc.property(entries, word, (given, text) => {
        const postings = postingsOf(given);
        const entriesWith = (test: (other: string) => boolean) =>
          given.flatMap((texts, at) => (texts.some(test) ? [at] : []));
        expect(postings.findText(text)).toEqual(entriesWith((other) => other === text));
        expect(postings.has(text)).toBe(postings.findText(text).length > 0);
        const prefixed = entriesWith((other) => other.startsWith(text));
        const order = Uint32Array.from(given.keys());
        expect(postings.findPrefix(text, 5, order)).toEqual(prefixed.slice(0, 5));
      }),
    );
  });
});
