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
});
