import { describe, expect, it } from 'vitest';
import {
  bufferEntries,
  inflatedSize,
  readBuffer,
  readCodec,
} from '../../../../src/frame/formats/check/ipc-buffers.js';
import { ArgumentError } from '../../../../src/model/errors.js';

describe('a buffer of a batch', () => {
  const read = (at: bigint, length: bigint) => {
    const view = new DataView(BigInt64Array.of(7n, at, length).buffer);
    return readBuffer({ view, at: 100, length: 64, version: 4 }, 8, 'column "a"');
  };

  it('is within its body', () => {
    expect(read(0n, 64n)).toEqual({ at: 100, length: 64 });
    expect(read(8n, 56n)).toEqual({ at: 108, length: 56 });
    expect(read(64n, 0n)).toEqual({ at: 164, length: 0 });
  });

  it.each([
    [8n, 57n],
    [65n, 0n],
    [-8n, 8n],
    [8n, -1n],
  ])('is refused outside of it: at %d, of %d bytes', (at, length) => {
    expect(() => read(at, length)).toThrow(ArgumentError);
    expect(() => read(at, length)).toThrow('a buffer of column "a" is outside its batch');
  });
});

describe('the description of the buffers', () => {
  /** A RecordBatch table of which only the compression and the vector of buffers are looked at. */
  const batch = (codec: number | null, method = 0) =>
    ({
      table: () => (codec === null ? null : { uint8: (field: number) => [codec, method][field] }),
      vector: (_: number, size: number) => ({ at: 40, length: 48 / size }),
    }) as never;

  it('names one of the two ways of compression, or none', () => {
    expect([null, 0, 1].map((codec) => readCodec(batch(codec)))).toEqual([null, 'lz4', 'zstd']);
    for (const other of [batch(2), batch(0, 1)]) {
      expect(() => readCodec(other)).toThrow(ArgumentError);
      expect(() => readCodec(other)).toThrow(/compressed in a way that Arrow does not have/);
    }
  });

  it('has 16 bytes for each, and 24 before V4', () => {
    expect(bufferEntries(batch(null), 3)).toEqual([40, 56, 72]);
    expect(bufferEntries(batch(null), 2)).toEqual([48, 72]);
  });
});

describe('the size of a compressed buffer', () => {
  const size = (states: bigint, length: number, codec: 'lz4' | 'zstd' = 'lz4') =>
    inflatedSize(new DataView(BigInt64Array.of(0n, states).buffer), { at: 8, length }, codec, 'column "a"');

  it('is what it states, if it can hold that much', () => {
    expect(size(5n, 0)).toBe(0);
    expect(size(0n, 8)).toBe(0);
    expect(size(300n, 10)).toBe(300);
    expect(size(510n, 10)).toBe(510);
    expect(size(65_536n, 10, 'zstd')).toBe(65_536);
    expect(size(-1n, 30)).toBe(22);
  });

  it.each([
    [511n, 10, 'lz4', /states 511 bytes, which its 2 cannot hold/],
    [65_537n, 10, 'zstd', /states 65537 bytes, which its 2 cannot hold/],
    [-2n, 30, 'lz4', /states -2 bytes/],
    [1n, 7, 'lz4', /a compressed buffer of column "a" has 7 bytes/],
  ] as const)('is refused: %d in %d bytes of %s', (states, length, codec, message) => {
    expect(() => size(states, length, codec)).toThrow(ArgumentError);
    expect(() => size(states, length, codec)).toThrow(message);
  });
});
