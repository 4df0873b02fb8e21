import { describe, expect, it } from 'vitest';
import { batchMetadata } from '../../../src/contract/series-stream/batch-metadata.js';
import { BatchReader } from '../../../src/contract/series-stream/batch-reader.js';
import { FlatTable, MESSAGE } from '../../../src/contract/series-stream/flatbuffer.js';

/** A batch of two rows, whatever its metadata say of the body. */
function readerOf(
  nodes: number[],
  buffers: number[],
  body: ArrayBufferView<ArrayBuffer> = new Uint8Array(0),
): BatchReader {
  const bytes = new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  const metadata = batchMetadata(2, bytes.length, { nodes, buffers, note: null });
  return new BatchReader(FlatTable.root(metadata).table(MESSAGE.header), bytes);
}

const OUTSIDE = 'a buffer is out of bounds';
const LENGTH = 'a column has another length';

describe('a column of numbers', () => {
  const body = Int32Array.of(7, 8, 9, 10);

  it('is a view on the body', () => {
    const reader = readerOf([2, 0], [0, 0, 8, 8], body);
    const { items, valid } = reader.numbers(Int32Array);
    expect([...items]).toEqual([9, 10]);
    expect(items.buffer).toBe(body.buffer);
    expect(valid).toBeNull();
    expect(() => reader.finish()).not.toThrow();
  });

  it('has a bitmap where it has nulls, and none where it has not', () => {
    const bits = new Uint8Array(16);
    bits.set([0b10]);
    expect(readerOf([2, 1], [0, 1, 8, 8], bits).numbers(Int32Array).valid).toEqual(Uint8Array.of(0b10));
    expect(readerOf([2, 0], [0, 1, 8, 8], bits).numbers(Int32Array).valid).toBeNull();
    expect(readerOf([2, 2], [0, 1, 8, 8], bits).numbers(Int32Array).valid).not.toBeNull();
    expect(() => readerOf([2, 1], [0, 0, 8, 8], bits).numbers(Int32Array)).toThrow(OUTSIDE);
  });

  it('has as many rows as the batch, and no more nulls than rows', () => {
    for (const nodes of [[], [3, 0], [1, 0], [2, 3]])
      expect(() => readerOf(nodes, [0, 0, 0, 16], body).numbers(Int32Array)).toThrow(LENGTH);
  });

  it('lies within the body, at a multiple of 8', () => {
    const read = (offset: number, bytes: number) => () =>
      readerOf([2, 0], [0, 0, offset, bytes], body).numbers(Int32Array).items;
    expect([...read(0, 8)()]).toEqual([7, 8]);
    // A buffer may be longer than its column.
    expect([...read(0, 16)()]).toEqual([7, 8]);
    for (const [offset, bytes] of [
      [0, 7],
      [0, 17],
      [8, 9],
      [16, 8],
      [4, 8],
      [2 ** 40, 8],
    ] as const)
      expect(read(offset, bytes), `${bytes} bytes at ${offset}`).toThrow(OUTSIDE);
    expect(() => readerOf([2, 0], [0, 0], body).numbers(Int32Array)).toThrow(OUTSIDE);
  });

  it('is known when its body begins within other memory', () => {
    const part = Int32Array.of(0, 0, 7, 8).subarray(2);
    expect([...readerOf([2, 0], [0, 0, 0, 8], part).numbers(Int32Array).items]).toEqual([7, 8]);
  });
});

describe('a column of lists', () => {
  /** Offsets of two rows, and two elements. */
  const bodyOf = (...offsets: number[]) => Int32Array.of(...offsets, 0, 21, 22);
  const read = (offsets: number[], count: number) =>
    readerOf([2, 0, count, 0], [0, 0, 0, 12, 0, 0, 16, 8], bodyOf(...offsets)).lists(Int32Array);

  it('has elements between its offsets', () => {
    for (const offsets of [
      [0, 1, 2],
      [0, 0, 2],
      [0, 2, 2],
      [0, 0, 0],
    ]) {
      const list = read(offsets, offsets[2]!);
      expect([...list.offsets]).toEqual(offsets);
      expect([...list.elements.items]).toEqual([21, 22].slice(0, offsets[2]));
      expect([list.valid, list.elements.valid]).toEqual([null, null]);
    }
  });

  it('is refused when its offsets do not begin at 0, or decrease', () => {
    expect(() => read([1, 1, 2], 2)).toThrow('offsets do not begin at 0');
    expect(() => read([-1, 1, 2], 2)).toThrow('offsets do not begin at 0');
    expect(() => read([0, 2, 1], 1)).toThrow('offsets decrease');
    expect(() => read([0, -1, 2], 2)).toThrow('offsets decrease');
  });

  it('is refused when it has another number of elements', () => {
    expect(() => read([0, 1, 2], 1)).toThrow(LENGTH);
    expect(() => read([0, 1, 3], 3)).toThrow(OUTSIDE);
  });

  it('has a buffer of elements, even of none', () => {
    const empty = (buffers: number[]) => () =>
      readerOf([2, 0, 0, 0], buffers, bodyOf(0, 0, 0)).lists(Int32Array);
    expect(empty([0, 0, 0, 12, 0, 0, 0, 0])).not.toThrow();
    expect(empty([0, 0, 0, 12, 0, 0])).toThrow(OUTSIDE);
  });
});

describe('a column of lists of texts', () => {
  /** Offsets of two rows, bitmap and offsets of two texts, then their bytes. */
  function textsOf(bounds: number[], nulls: number) {
    const body = new Uint8Array(48);
    body.set(new Uint8Array(Int32Array.of(0, 2, 2).buffer), 0);
    body[16] = 0b10;
    body.set(new Uint8Array(Int32Array.from(bounds).buffer), 24);
    body.set(new TextEncoder().encode('aéb'), 40);
    const buffers = [0, 0, 0, 12, 16, 1, 24, 12, 40, 4];
    return readerOf([2, 0, 2, nulls], buffers, body).texts();
  }

  it('decodes them, and knows the empty text from none', () => {
    expect(textsOf([0, 1, 4], 0).elements.items).toEqual(['a', 'éb']);
    expect(textsOf([0, 0, 4], 0).elements.items).toEqual(['', 'aéb']);
    expect(textsOf([0, 0, 4], 1).elements.items).toEqual([null, 'aéb']);
    expect([...textsOf([0, 0, 4], 1).offsets]).toEqual([0, 2, 2]);
  });

  it('is refused when its texts are not within its bytes', () => {
    expect(() => textsOf([0, 1, 5], 0)).toThrow(OUTSIDE);
    expect(() => textsOf([1, 1, 4], 0)).toThrow('offsets do not begin at 0');
    expect(() => textsOf([0, 4, 1], 0)).toThrow('offsets decrease');
  });
});

describe('a batch', () => {
  it('has no more columns or buffers than were read', () => {
    for (const [nodes, buffers] of [
      [
        [2, 0, 2, 0],
        [0, 0, 0, 8],
      ],
      [
        [2, 0],
        [0, 0, 0, 8, 0, 0],
      ],
      [
        [2, 0, 2, 0],
        [0, 0, 0, 8, 0, 0, 0, 8],
      ],
    ] as const) {
      const reader = readerOf([...nodes], [...buffers], new Int32Array(2));
      reader.numbers(Int32Array);
      expect(() => reader.finish()).toThrow('more columns than its schema');
    }
  });

  it('is not compressed', () => {
    const metadata = batchMetadata(0, 0, { nodes: [], buffers: [], note: null });
    // A fourth field in the free bytes after the batch's list of fields and within its table.
    const view = new DataView(metadata.buffer);
    view.setUint16(48, 12, true);
    view.setUint16(58, 20, true);
    const batch = FlatTable.root(metadata).table(MESSAGE.header);
    expect(() => new BatchReader(batch, new Uint8Array(0))).toThrow('a batch is compressed');
  });

  it('has a count of rows', () => {
    const metadata = batchMetadata(0, 0, { nodes: [], buffers: [], note: null });
    for (const rows of [-1n, 2n ** 53n]) {
      new DataView(metadata.buffer).setBigInt64(72, rows, true);
      const batch = FlatTable.root(metadata).table(MESSAGE.header);
      expect(() => new BatchReader(batch, new Uint8Array(0))).toThrow('a count is out of range');
    }
  });
});
