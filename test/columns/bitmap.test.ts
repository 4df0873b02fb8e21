import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blankNulls, copyBits, emptyBitmap, isValid, nanAtNulls, setBit } from '../../src/columns/bitmap.js';

/** Fast-check alone would stop at ten bits, and hardly ever set eight neighbours. */
const flags = fc
  .array(
    fc.oneof(
      fc.array(fc.boolean(), { maxLength: 9 }),
      fc.nat(20).map((length) => Array<boolean>(length).fill(true)),
    ),
    { maxLength: 9, size: 'max' },
  )
  .map((runs) => runs.flat().slice(0, 90));
const pack = (bits: readonly boolean[]) => {
  const bitmap = emptyBitmap(bits.length);
  bits.forEach((bit, i) => {
    if (bit) setBit(bitmap, i);
  });
  return bitmap;
};
const unpack = (bitmap: Uint8Array, length: number) => Array.from({ length }, (_, i) => isValid(bitmap, i));

test('copyBits copies any run to any row and changes nothing else', () => {
  fc.assert(
    fc.property(flags, fc.nat(90), fc.nat(90), fc.nat(40), (bits, from, count, at) => {
      const first = Math.min(from, bits.length);
      const run = bits.slice(first, first + count);
      const target = emptyBitmap(at + run.length + 9);
      copyBits(target, at, { bitmap: pack(bits), at: first, count: run.length });
      const expected = [...Array<boolean>(at).fill(false), ...run, ...Array<boolean>(9).fill(false)];
      expect(unpack(target, expected.length)).toEqual(expected);
    }),
  );
});

test('copyBits copies a run without a bitmap as all valid', () => {
  fc.assert(
    fc.property(fc.nat(70), fc.nat(70), (from, count) => {
      const target = emptyBitmap(from + count + 9);
      copyBits(target, from, { bitmap: null, at: 0, count });
      expect(
        unpack(target, from + count + 9).map((bit, i) => bit === (i >= from && i < from + count)),
      ).not.toContain(false);
    }),
  );
});

test('nanAtNulls and blankNulls write NaN in null rows only, without needless copies', () => {
  fc.assert(
    fc.property(flags, (bits) => {
      const values = Float64Array.from(bits.keys());
      const expected = Float64Array.from(bits, (bit, i) => (bit ? i : Number.NaN));
      const safe = nanAtNulls(values, pack(bits));
      expect(safe).toEqual(expected);
      expect(values).toEqual(Float64Array.from(bits.keys()));
      expect(nanAtNulls(safe, pack(bits))).toBe(safe);
      blankNulls(values, pack(bits));
      expect(values).toEqual(expected);
    }),
  );
});
