import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TextTable } from '../../../src/search/indexing/text-table.js';

const anyText = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'ÿ', 'Ā', '\u{1f33d}', '\ud83c'), maxLength: 5 }),
);

it('has the texts that it is made of', () => {
  fc.assert(
    fc.property(fc.array(anyText), (texts) => {
      const table = TextTable.of(texts);
      expect(Array.from({ length: table.length }, (_, i) => table.at(i))).toEqual(texts);
      expect(texts.map((_, i) => table.lengthOf(i))).toEqual(texts.map(({ length }) => length));
    }),
  );
  const long = 'long ж '.repeat(10_000);
  expect(TextTable.of(['', long]).at(1)).toBe(long);
});

it('finds texts and prefixes as sorted lists of texts do', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyText), anyText, (texts, wanted) => {
      const sorted = [...texts].sort();
      const table = TextTable.of(sorted);
      expect(table.find(wanted)).toBe(sorted.indexOf(wanted));
      const [from, to] = table.prefixRange(wanted);
      const prefixed = sorted.filter(
        (text) => text.startsWith(wanted) && !text.startsWith(`${wanted}\uffff`),
      );
      expect(sorted.slice(from, to)).toEqual(prefixed);
    }),
  );
});
