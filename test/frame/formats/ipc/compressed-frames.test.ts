import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decompressLz4, xxHash32 } from '../../../../src/frame/formats/ipc/lz4.js';
import { decompressZstandard } from '../../../../src/frame/formats/ipc/zstandard.js';
import { ArgumentError } from '../../../../src/model/errors.js';
import { countRuns } from '../../../endurance.js';
import { CODECS, ENCODE } from '../compressed-arrow.js';

const DECOMPRESS = { lz4: decompressLz4, zstd: decompressZstandard } as const;

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
function decompressed(codec: (typeof CODECS)[number], from: Uint8Array, size: number): Uint8Array | null {
  const into = new Uint8Array(size);
  try {
    DECOMPRESS[codec](from, into);
    return into;
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    return null;
  }
}

describe.each(CODECS)('a frame of %s', (codec) => {
  const inflate = (from: Uint8Array, size: number) => decompressed(codec, from, size);

  test('decompresses to the same bytes, and to no other size', () => {
    fc.assert(
      fc.property(anyBytes, fc.integer({ min: 1, max: 40 }), (bytes, more) => {
        const packed = ENCODE[codec](bytes);
        const whole = new Uint8Array(bytes.length);
        DECOMPRESS[codec](packed, whole);
        expect(Buffer.compare(whole, bytes)).toBe(0);
        expect(inflate(packed, bytes.length + more)).toBeNull();
        if (bytes.length >= more) expect(inflate(packed, bytes.length - more)).toBeNull();
      }),
      { numRuns: countRuns({ quick: 20, all: 200 }) },
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
    expect(text(decompressed('lz4', frame(0), 13))).toBe('abcdabcdabcdz');
    expect(decompressed('lz4', frame(FLAGS.independent), 13)).toBeNull();
  });

  test('the size in its header', () => {
    const frame = (size: number) => Uint8Array.from([...header(FLAGS.size, size), ...linked]);
    expect(text(decompressed('lz4', frame(13), 13))).toBe('abcdabcdabcdz');
    expect(decompressed('lz4', frame(14), 13)).toBeNull();
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
    expect(text(decompressed('lz4', frame, 13))).toBe('abcdabcdabcdz');
    for (let at = 0; at < frame.length; at++) {
      const copy = frame.slice();
      copy[at]! ^= 4;
      expect(decompressed('lz4', copy, 13), `byte ${at}`).toBeNull();
    }
  });
});

const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

describe('Zstandard as its format has it', () => {
  test('a dictionary is refused', () => {
    const frame = Uint8Array.from([...ZSTD_MAGIC, 0x21, 7, 4, 0x21, 0, 0, 97, 98, 99, 100]);
    expect(decompressed('zstd', frame, 4)).toBeNull();
    frame[5] = 0;
    expect(new TextDecoder().decode(decompressed('zstd', frame, 4) ?? new Uint8Array())).toBe('abcd');
  });

  /** A frame of one compressed block, with a window of 128 KiB. */
  const frameOf = (block: readonly number[]) =>
    Uint8Array.from([
      ...ZSTD_MAGIC,
      0,
      7 << 3,
      5 | ((block.length << 3) & 0xff),
      block.length >> 5,
      0,
      ...block,
    ]);

  // No literals, sequences of one symbol each: a hundred thousand times 65,539 bytes or more at the distance before.
  const endless = [0x00, 255, 255, 255, 0b0101_0100, 0, 0, 52, 255, 1];

  test.each([256, 2 ** 17, 2 ** 24])(
    'a block that repeats far beyond its limit is refused for %i bytes',
    (size) => {
      expect(decompressed('zstd', frameOf(endless), size)).toBeNull();
    },
  );
});

describe.each(CODECS)('several frames of %s', (codec) => {
  const [first, second] = ['wheat '.repeat(50), 'barley '.repeat(70)].map((text) =>
    new TextEncoder().encode(text),
  );
  const skipped = [0x5c, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
  const whole = Uint8Array.from([...first!, ...second!]);
  const both = Uint8Array.from([
    ...skipped,
    ...ENCODE[codec](first!),
    ...skipped,
    ...ENCODE[codec](second!),
    ...skipped,
  ]);

  test('are read one after another, without those to be skipped', () => {
    expect(decompressed(codec, both, whole.length)).toEqual(whole);
    expect(decompressed(codec, Uint8Array.from(skipped), 0)).toEqual(new Uint8Array());
    const empty = Uint8Array.of(...skipped.slice(0, 4), 0, 0, 0, 0);
    expect(decompressed(codec, empty, 0)).toEqual(new Uint8Array());
    expect(decompressed(codec, Uint8Array.from([...empty, ...both]), whole.length)).toEqual(whole);
  });

  test('are refused when the last is cut short, or does not fill the buffer', () => {
    for (let length = both.length - 1; length > both.length - skipped.length; length--) {
      expect(decompressed(codec, both.subarray(0, length), whole.length)).toBeNull();
    }
    expect(decompressed(codec, both, whole.length + 1)).toBeNull();
    expect(decompressed(codec, both, whole.length - 1)).toBeNull();
  });
});
