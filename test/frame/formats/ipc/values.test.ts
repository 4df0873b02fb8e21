import { describe, expect, it } from 'vitest';
import { checkIndices, checkOffsets, checkViews } from '../../../../src/frame/formats/ipc/values.js';
import { refusalOf } from './refusal.js';

/** Values after some bytes of another column, and where they stand. */
function placed(values: ArrayBufferView, before = 16) {
  const bytes = new Uint8Array(before + values.byteLength + 8).fill(0xee);
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), before);
  return { view: new DataView(bytes.buffer), range: { at: before, length: values.byteLength } };
}

describe('indices of a dictionary', () => {
  const TYPES = [
    [8, true, (rows: number[]) => Int8Array.from(rows)],
    [8, false, (rows: number[]) => Uint8Array.from(rows)],
    [16, true, (rows: number[]) => Int16Array.from(rows)],
    [16, false, (rows: number[]) => Uint16Array.from(rows)],
    [32, true, (rows: number[]) => Int32Array.from(rows)],
    [32, false, (rows: number[]) => Uint32Array.from(rows)],
    [64, true, (rows: number[]) => BigInt64Array.from(rows, BigInt)],
    [64, false, (rows: number[]) => BigUint64Array.from(rows, BigInt)],
  ] as const;

  it.each(TYPES)(
    'of %i bits (signed: %s) refer to an entry in every row with a value',
    (bits, signed, pack) => {
      const check = (
        rows: number[],
        { entries = 3, length = rows.length, valid = null as Uint8Array | null, before = 16 } = {},
      ) =>
        refusalOf(() => {
          const { view, range } = placed(pack(rows), before);
          checkIndices(view, range, { name: 'a', length, valid, type: { bits, signed }, entries });
        });
      expect(check([0, 1, 2, 0])).toBe('fine');
      expect(check([0, 1, 3, 4])).toContain('row 2 of column "a" is entry 3 of a dictionary that has 3');
      expect(check([0, 1, 3], { valid: Uint8Array.of(0b011) })).toBe('fine');
      expect(check([9, 1, 3], { valid: Uint8Array.of(0b110) })).toContain('row 2 of column "a" is entry 3');
      expect(check([0, 0, 7], { length: 2 })).toBe('fine');
      expect(check([0, 7], { length: 5 })).toContain('row 1 of column "a" is entry 7');
      expect(check([0, 1], { length: 5 })).toBe('fine');
      expect(check([0, 1, 3], { before: 13 })).toContain('row 2 of column "a" is entry 3');
      expect(check([0], { entries: 0 })).toContain(
        'row 0 of column "a" is entry 0 of a dictionary that has 0',
      );
      expect(check([], { entries: 0 })).toBe('fine');
      if (signed) expect(check([0, -1])).toContain('row 1 of column "a" is entry -1');
    },
  );
});

describe.each([
  [4 as const, (rows: number[]) => Int32Array.from(rows)],
  [8 as const, (rows: number[]) => BigInt64Array.from(rows, BigInt)],
])('offsets of %i bytes', (bytes, pack) => {
  const check = (rows: number[], end = 6) =>
    refusalOf(() => {
      const { view, range } = placed(pack(rows));
      checkOffsets(view, range, { name: 'a', length: rows.length - 1, bytes, end, what: 'list' });
    });

  it('never descend, and end within the values', () => {
    expect(check([0, 2, 2, 6])).toBe('fine');
    expect(check([1, 2, 3])).toBe('fine');
    expect(check([0, 3, 2, 6])).toContain('list 2 of column "a" begins before the previous one');
    expect(check([-1, 2])).toContain('list 0 of column "a" begins before');
    expect(check([0, 2, 7])).toContain('the values of column "a" reach past their end');
    expect(check([0, 6])).toBe('fine');
    expect(check([0, 9, 6])).toContain('list 2 of column "a" begins before');
  });
});

it('offsets of 8 bytes may be larger than 4 bytes hold', () => {
  const { view, range } = placed(BigInt64Array.of(0n, 2n ** 32n));
  const check = (end: number) =>
    refusalOf(() => checkOffsets(view, range, { name: 'a', length: 1, bytes: 8, end, what: 'list' }));
  expect(check(2 ** 32)).toBe('fine');
  expect(check(2 ** 32 - 1)).toContain('the values of column "a" reach past their end');
});

describe('views of texts', () => {
  const view = (size: number, buffer = 0, offset = 0) => [size, 0, buffer, offset];
  const check = (views: number[][], { length = views.length, valid = null as Uint8Array | null } = {}) =>
    refusalOf(() => {
      const { view, range } = placed(Int32Array.from(views.flat()));
      const buffers = [
        { at: 0, length: 20 },
        { at: 20, length: 40 },
      ];
      checkViews(view, range, { name: 'a', length, valid, buffers });
    });

  it('are short, or within the buffer that they name', () => {
    expect(check([view(12, 99, -5), view(0, 99), view(13, 0, 7), view(20), view(40, 1)])).toBe('fine');
    for (const outside of [
      view(21),
      view(13, 0, 8),
      view(13, 0, -1),
      view(13, 2),
      view(13, -1),
      view(41, 1),
      view(-1),
    ])
      expect(check([view(3), outside])).toContain('row 1 of column "a" is outside its buffers');
  });

  it('of rows without a value are not looked at, nor those that are not there', () => {
    expect(check([view(3), view(21)], { valid: Uint8Array.of(0b01) })).toBe('fine');
    expect(check([view(21), view(3)], { valid: Uint8Array.of(0b01) })).toContain('row 0');
    expect(check([view(3), view(21)], { length: 1 })).toBe('fine');
    expect(check([view(3), view(21)], { length: 9 })).toContain('row 1');
    expect(check([view(3)], { length: 9 })).toBe('fine');
  });
});
