import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodeKeys } from '../../../src/ingest/reading/code-keys.js';

type Row = [codes: Uint8Array | Uint16Array, bounds: Int32Array];

/** The texts with something between them, as the fields of a row have. */
function rowOf(texts: readonly string[], isWide: boolean): Row {
  const text = texts.map((one) => `,${one}`).join('');
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  const bounds: number[] = [];
  for (const [i, one] of texts.entries()) {
    const start = i === 0 ? 1 : bounds.at(-1)! + 1;
    bounds.push(start, start + one.length);
  }
  return [isWide ? Uint16Array.from(codes) : Uint8Array.from(codes), Int32Array.from(bounds)];
}

const numberOf = (keys: CodeKeys, row: Row): number => {
  const found = keys.find(...row);
  return found < 0 ? keys.add(...row) : found;
};

describe('CodeKeys', () => {
  it('numbers distinct keys in order of appearance, whatever their order and the width of their codes', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\0', '\x01'), maxLength: 3 });
    const rows = fc.array(fc.tuple(fc.tuple(text, text), fc.boolean()), { maxLength: 200 });
    fc.assert(
      fc.property(rows, (given) => {
        const keys = new CodeKeys();
        const expected = new Map<string, number>();
        for (const [texts, isWide] of given) {
          const key = JSON.stringify(texts);
          if (!expected.has(key)) expected.set(key, expected.size);
          expect(numberOf(keys, rowOf(texts, isWide))).toBe(expected.get(key));
        }
      }),
    );
  });

  it('finds each of many keys again, in order and in reverse', () => {
    const keys = new CodeKeys();
    const rows = Array.from({ length: 5_000 }, (_, i) => rowOf([`USC${i}`, 'TMAX'], false));
    expect(rows.map((row) => numberOf(keys, row))).toEqual(rows.map((_, i) => i));
    expect(rows.map((row) => keys.find(...row))).toEqual(rows.map((_, i) => i));
    expect(rows.toReversed().map((row) => keys.find(...row))).toEqual(rows.map((_, i) => 4_999 - i));
  });

  it('does not keep a key of more than 256 codes', () => {
    const keys = new CodeKeys();
    const row = rowOf(['a'.repeat(300)], false);
    expect([keys.add(...row), keys.find(...row)]).toEqual([-1, -1]);
  });
});
