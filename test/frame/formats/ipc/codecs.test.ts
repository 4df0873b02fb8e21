import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decompressLz4 } from '../../../../src/frame/formats/ipc/lz4.js';
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

describe('several frames of Zstandard', () => {
  const [first, second] = ['wheat '.repeat(50), 'barley '.repeat(70)].map((text) =>
    new TextEncoder().encode(text),
  );
  const skipped = [0x5c, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
  const whole = Uint8Array.from([...first!, ...second!]);
  const both = Uint8Array.from([
    ...skipped,
    ...ENCODE.zstd(first!),
    ...skipped,
    ...ENCODE.zstd(second!),
    ...skipped,
  ]);

  test('are read one after another, without those to be skipped', () => {
    expect(decompressed('zstd', both, whole.length)).toEqual(whole);
    expect(decompressed('zstd', Uint8Array.from(skipped), 0)).toEqual(new Uint8Array());
    const empty = Uint8Array.of(...skipped.slice(0, 4), 0, 0, 0, 0);
    expect(decompressed('zstd', empty, 0)).toEqual(new Uint8Array());
    expect(decompressed('zstd', Uint8Array.from([...empty, ...both]), whole.length)).toEqual(whole);
  });

  test('are refused when the last is cut short, or does not fill the buffer', () => {
    for (let length = both.length - 1; length > both.length - skipped.length; length--) {
      expect(decompressed('zstd', both.subarray(0, length), whole.length)).toBeNull();
    }
    expect(decompressed('zstd', both, whole.length + 1)).toBeNull();
    expect(decompressed('zstd', both, whole.length - 1)).toBeNull();
  });
});
