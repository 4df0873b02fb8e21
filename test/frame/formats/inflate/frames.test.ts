import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inflateLz4 } from '../../../../src/frame/formats/inflate/lz4-frame.js';
import { xxHash32 } from '../../../../src/frame/formats/inflate/xxhash32.js';
import { inflateZstd } from '../../../../src/frame/formats/inflate/zstd-frame.js';
import { ArgumentError } from '../../../../src/model/errors.js';
import { CODECS, ENCODE } from '../compressed-arrow.js';

const INFLATE = { lz4: inflateLz4, zstd: inflateZstd } as const;

/** Bytes that compress in different ways: runs, repeated words, noise. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.nat(9000)).map(([word, times]) => {
        return Uint8Array.from({ length: word.length * times }, (_, i) => word[i % word.length]!);
      }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Uint8Array.from(Buffer.concat(parts)));

/** What the frame decompresses to, or null where it is refused; any other error fails the test. */
function inflated(codec: (typeof CODECS)[number], from: Uint8Array, size: number): Uint8Array | null {
  const into = new Uint8Array(size);
  try {
    INFLATE[codec](from, into);
    return into;
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    return null;
  }
}

describe.each(CODECS)('a frame of %s', (codec) => {
  const inflate = (from: Uint8Array, size: number) => inflated(codec, from, size);

  test('decompresses to the same bytes, and to no other size', () => {
    fc.assert(
      fc.property(anyBytes, fc.integer({ min: 1, max: 40 }), (bytes, more) => {
        const packed = ENCODE[codec](bytes);
        expect(Buffer.compare(inflate(packed, bytes.length) ?? new Uint8Array(), bytes)).toBe(0);
        expect(inflate(packed, bytes.length + more)).toBeNull();
        if (bytes.length >= more) expect(inflate(packed, bytes.length - more)).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  test('is refused when it is cut short or followed by more', () => {
    const bytes = Uint8Array.from({ length: 3000 }, (_, i) => (i * i) % 17);
    const packed = ENCODE[codec](bytes);
    for (let length = 0; length < packed.length; length++) {
      expect(inflate(packed.subarray(0, length), bytes.length)).toBeNull();
    }
    expect(inflate(Uint8Array.from([...packed, 0]), bytes.length)).toBeNull();
  });

  test('with changed bytes is read or refused by name', () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * i) % 97);
    const packed = ENCODE[codec](bytes);
    const ends = { read: 0, refused: 0 };
    for (let at = 0; at < packed.length; at++) {
      for (const byte of [0, 1, 128, 255, packed[at]! ^ 2]) {
        const copy = packed.slice();
        copy[at] = byte;
        ends[inflate(copy, bytes.length) === null ? 'refused' : 'read']++;
      }
    }
    expect(ends.refused).toBeGreaterThan(20);
  });
});

describe('LZ4 as its format has it', () => {
  const u32 = (word: number) => [...new Uint8Array(Uint32Array.of(word).buffer)];
  const FLAGS = { independent: 0x20, blockChecksums: 0x10, size: 0x08, contentChecksum: 0x04 };

  function header(flags: number, size?: number): number[] {
    const descriptor = [0x40 | flags, 0x40, ...(size === undefined ? [] : [...u32(size), 0, 0, 0, 0])];
    return [...u32(0x184d2204), ...descriptor, (xxHash32(Uint8Array.from(descriptor)) >> 8) & 0xff];
  }

  const stored = [...u32(0x80000004), 97, 98, 99, 100];
  /** Repeats 8 bytes from 4 back, then a literal. */
  const repeating = [0x04, 4, 0, 0x10, 122];
  const text = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);

  const linked = [...stored, ...u32(5), ...repeating, 0, 0, 0, 0];

  test('a block repeats from blocks before it, unless blocks are independent', () => {
    const frame = (flags: number) => Uint8Array.from([...header(flags), ...linked]);
    expect(text(inflated('lz4', frame(0), 13))).toBe('abcdabcdabcdz');
    expect(inflated('lz4', frame(FLAGS.independent), 13)).toBeNull();
  });

  test('the size in its header', () => {
    const frame = (size: number) => Uint8Array.from([...header(FLAGS.size, size), ...linked]);
    expect(text(inflated('lz4', frame(13), 13))).toBe('abcdabcdabcdz');
    expect(inflated('lz4', frame(14), 13)).toBeNull();
  });

  test('checksums of blocks and of the content find every changed byte', () => {
    const sum = (bytes: readonly number[]) => u32(xxHash32(Uint8Array.from(bytes)));
    const content = [...new TextEncoder().encode('abcdabcdabcdz')];
    const blocks = [
      ...stored,
      ...sum(stored.slice(4)),
      ...u32(5),
      ...repeating,
      ...sum(repeating),
      0,
      0,
      0,
      0,
    ];
    const frame = Uint8Array.from([
      ...header(FLAGS.blockChecksums | FLAGS.contentChecksum),
      ...blocks,
      ...sum(content),
    ]);
    expect(text(inflated('lz4', frame, 13))).toBe('abcdabcdabcdz');
    for (let at = 0; at < frame.length; at++) {
      const copy = frame.slice();
      copy[at]! ^= 4;
      expect(inflated('lz4', copy, 13), `byte ${at}`).toBeNull();
    }
  });
});

test('a Zstandard block that repeats beyond its limit is refused', () => {
  const header = [0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 1, 0, 0];
  // No literals, 98,047 sequences, each table of one symbol: the same match at the distance before.
  const block = [0x00, 255, 255, 255, 0b0101_0100, 0, 0, 35, 255, 1];
  const frame = Uint8Array.from([...header, 1 | (2 << 1) | (block.length << 3), 0, 0, ...block]);
  expect(inflated('zstd', frame, 256)).toBeNull();
});
