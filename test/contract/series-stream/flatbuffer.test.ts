import { describe, expect, it } from 'vitest';
import { FlatTable } from '../../../src/contract/series-stream/flatbuffer.js';
import { keyValueVector } from '../../../src/contract/series-stream/key-values.js';

/** A table whose only field, the first, refers to a vector of so many elements, followed by these bytes. */
function tableOf(count: number, elements: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(24 + elements.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 12, true);
  // The vtable at 4: its size, that of the table, and the place of the field in the table at 12.
  [6, 8, 4].forEach((entry, i) => {
    view.setUint16(4 + 2 * i, entry, true);
  });
  view.setInt32(12, 8, true);
  view.setUint32(16, 4, true);
  view.setUint32(20, count, true);
  bytes.set(elements, 24);
  return bytes;
}

const LONG = 'a vector is too long';

describe('a table of metadata', () => {
  it('has what is absent as nothing, or as it is told to', () => {
    const table = FlatTable.root(tableOf(0, []));
    expect([table.has(0), table.has(1)]).toEqual([true, false]);
    expect([table.byte(1, 7), table.int16(1, 8), table.int32(1, 9), table.count(1)]).toEqual([7, 8, 9, 0]);
    expect([table.text(1), table.tables(1), table.pairs(1)]).toEqual(['', [], []]);
    expect(() => table.table(1)).toThrow('a table is missing');
  });

  it('has vectors that end within it, though not within its memory', () => {
    const text = [...Buffer.from('ab')];
    expect(FlatTable.root(tableOf(2, text)).text(0)).toBe('ab');
    const within = tableOf(3, [...text, 99]).subarray(0, -1);
    expect(() => FlatTable.root(within).text(0)).toThrow(LONG);
    const pair = Array.from({ length: 16 }, (_, i) => (i % 8 === 0 ? 5 : 0));
    expect(FlatTable.root(tableOf(1, pair)).pairs(0)).toEqual([[5, 5]]);
    expect(() => FlatTable.root(tableOf(2, pair)).pairs(0)).toThrow(LONG);
    expect(() => FlatTable.root(tableOf(1, pair.slice(1))).pairs(0)).toThrow(LONG);
    expect(() => FlatTable.root(tableOf(2, [0, 0, 0, 0])).tables(0)).toThrow(LONG);
    expect(() => FlatTable.root(tableOf(0xffff_ffff, text)).text(0)).toThrow(LONG);
  });
});

describe('keys and values', () => {
  it('are a vector of tables of two texts', () => {
    const words = new Uint32Array(keyValueVector([['key', 'a']]).buffer);
    // Count, and where its table is; the vtable of two fields; the table; the texts, each with its length and a zero.
    const [key, a] = [0x0079656b, 0x61];
    expect([...words]).toEqual([1, 12, 0x000c_0008, 0x0008_0004, 8, 8, 12, 3, key, 1, a, 0]);
  });

  it('are padded to a multiple of 8 bytes', () => {
    for (const text of ['', 'a', 'abc', 'abcd', 'é', 'abcdefg'])
      expect(keyValueVector([['key', text]]).byteLength % 8, text).toBe(0);
  });
});
