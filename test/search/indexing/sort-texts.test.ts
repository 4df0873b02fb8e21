import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortTexts } from '../../../src/search/indexing/sort-texts.js';
import { finish, finishInTurns } from '../../../src/search/indexing/work.js';

it('sorts as one sort does, for one piece and for several', () => {
  const odd = fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 4 }), { maxLength: 30 });
  fc.assert(
    fc.property(odd, (texts) => {
      expect(finish(sortTexts(texts))).toEqual([...texts].sort());
    }),
  );
  for (const count of [5_000, 5_001, 12_345, 15_001]) {
    const texts = Array.from({ length: count }, (_, i) => `${(i * 7919) % 99_991}\u{1f33d}\uffff`);
    expect(finish(sortTexts(texts))).toEqual([...texts].sort());
  }
});

it('pauses within each piece of work, and not only between merges', async () => {
  let pauses = 0;
  const texts = Array.from({ length: 40_000 }, (_, i) => String((i * 7919) % 99_991));
  const sorted = await finishInTurns(sortTexts(texts), async () => void pauses++);
  expect(sorted).toEqual([...texts].sort());
  // 8 runs, then 8 pieces of merges three times.
  expect(pauses).toBe(8 + 3 * 8);
});
