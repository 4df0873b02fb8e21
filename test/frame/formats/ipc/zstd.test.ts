import { compress, decompress } from '@bokuweb/zstd-wasm';
import { describe, expect, test } from 'vitest';
import { decompressZstd } from '../../../../src/frame/formats/ipc/zstd.js';
import '../compressed-arrow.js';
import { refusalOf } from './refusal.js';

// Frames written by hand, as RFC 8878 has them.

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const KINDS = { raw: 0, repeated: 1, compressed: 2, reserved: 3 } as const;
type Kind = keyof typeof KINDS;

const u16 = (word: number) => [word & 255, word >> 8];
const u32 = (word: number) => [...new Uint8Array(Uint32Array.of(word).buffer)];
/** A frame without a size, whose window of 128 KiB is the size of its largest block. */
const WINDOW = 7 << 3;
const windowed = (descriptor = WINDOW) => [...MAGIC, 0, descriptor];
/** A frame of one segment, which states its size in a byte. */
const sized = (size: number) => [...MAGIC, 0x20, size];

function block(kind: Kind, size: number, bytes: readonly number[], isLast = true): number[] {
  const word = Number(isLast) | (KINDS[kind] << 1) | (size << 3);
  return [word & 255, (word >> 8) & 255, word >> 16, ...bytes];
}
const raw = (bytes: readonly number[], isLast = true) => block('raw', bytes.length, bytes, isLast);
const compressed = (bytes: readonly number[], isLast = true) =>
  block('compressed', bytes.length, bytes, isLast);
const repeated = (times: number, byte: number) => new Array<number>(times).fill(byte);

const decompressed = (bytes: readonly number[], size: number) => {
  const into = new Uint8Array(size);
  decompressZstd(Uint8Array.from(bytes), into);
  return Buffer.from(into).toString('latin1');
};
const refusal = (bytes: readonly number[], size = 8) => refusalOf(() => decompressed(bytes, size));

/** What its own decoder makes of a frame; null where it refuses it. */
function reference(bytes: readonly number[]): Uint8Array | null {
  try {
    return decompress(Buffer.from(bytes), { defaultHeapSize: 2 ** 20 });
  } catch {
    return null;
  }
}

const [A, B, C] = [97, 98, 99] as const;
const TEXT = Array.from({ length: 26 }, (_, i) => A + i);
const more = 'its Zstandard block has more bytes than its buffer or its frame allows';
const cutFrame = 'its Zstandard frame is cut short';
const cutBlock = 'its Zstandard block is cut short';

describe('the header', () => {
  test('begins as a frame does, and has its flags', () => {
    expect(refusal(sized(0).slice(0, 5), 0)).toContain('its Zstandard frame does not begin as one does');
    expect(refusal(sized(0), 0)).toContain(cutFrame);
    expect(refusal([0, ...sized(1).slice(1), ...raw([A])], 1)).toContain('does not begin as one does');
    expect(refusal([...MAGIC, 0x28, 1, ...raw([A])], 1)).toContain('its Zstandard frame has unknown flags');
    expect(decompressed([...sized(0), ...raw([])], 0)).toBe('');
  });

  test.each([
    ['one byte', [...MAGIC, 0x20], [4], 4],
    ['two bytes', [...MAGIC, 0x60], u16(300 - 256), 300],
    ['four bytes', [...MAGIC, 0xa0], u32(300), 300],
    ['eight bytes', [...MAGIC, 0xe0], [...u32(300), 0, 0, 0, 0], 300],
    ['two bytes, behind a window', [...MAGIC, 0x40, WINDOW], u16(300 - 256), 300],
    ['four bytes, behind a window', [...MAGIC, 0x80, WINDOW], u32(300), 300],
    ['eight bytes, behind a window', [...MAGIC, 0xc0, WINDOW], [...u32(300), 0, 0, 0, 0], 300],
  ])('states the size of the frame in %s', (_, before, stated, size) => {
    const bytes = [...before, ...stated, ...block('repeated', size, [A])];
    expect(decompressed(bytes, size)).toBe('a'.repeat(size));
    expect(reference(bytes)).toHaveLength(size);
    const other = [...before, ...stated.with(0, stated[0]! + 1), ...block('repeated', size, [A])];
    expect(refusal(other, size)).toContain(`its Zstandard frame has ${size} bytes instead of ${size + 1}`);
    for (let end = 6; end < before.length + stated.length; end++)
      expect(refusal(bytes.slice(0, end), size)).toContain(cutFrame);
  });

  test.each([1, 2, 3])('has no dictionary, in %i', (flag) => {
    const bytes = 2 ** (flag - 1);
    const frame = (dictionary: readonly number[]) => [...MAGIC, 0x20 | flag, ...dictionary, 1, ...raw([A])];
    expect(decompressed(frame(repeated(bytes, 0)), 1)).toBe('a');
    for (let at = 0; at < bytes; at++)
      expect(refusal(frame(repeated(bytes, 0).with(at, 9)), 1)).toContain(
        'its Zstandard frame needs a dictionary',
      );
    const behind = [...MAGIC, flag, WINDOW, ...repeated(bytes, 0), ...raw([A])];
    expect(decompressed(behind, 1)).toBe('a');
    expect(refusal(behind.with(6, 1), 1)).toContain('its Zstandard frame needs a dictionary');
  });

  test.each([
    [0, 1024],
    [1, 1152],
    [7, 1920],
    [8, 2048],
    [9, 2304],
    [0xff, 131_072],
  ])('has a window, which a block is no larger than: %i', (descriptor, size) => {
    const frame = (length: number) => [...windowed(descriptor), ...block('repeated', length, [A])];
    expect(refusal(frame(size), size)).toBe('fine');
    expect(refusal(frame(size + 1), size + 1)).toContain('frame has a block of an unknown kind or size');
  });
});

describe('a block', () => {
  test('is raw, repeated or compressed, and the last is marked', () => {
    const two = [...windowed(), ...raw([A, B], false), ...block('repeated', 3, [C])];
    expect(decompressed(two, 5)).toBe('abccc');
    expect(refusal([...windowed(), ...block('reserved', 1, [A])], 1)).toContain(
      'frame has a block of an unknown kind or size',
    );
    expect(refusal([...windowed(), ...raw([A, B], false)], 2)).toContain(cutFrame);
    expect(refusal([...windowed(), 0b111], 2)).toContain(cutFrame);
    for (let end = 6; end < two.length; end++) expect(refusal(two.slice(0, end), 5)).toContain(cutFrame);
  });
});

describe('the literals of a compressed block', () => {
  const frame = (...bytes: number[]) => [...windowed(), ...compressed(bytes)];
  const sizes: [string, (kind: 0 | 1, size: number) => number[], number][] = [
    ['one byte', (kind, size) => [kind | (size << 3)], 31],
    ['one byte, by its other format', (kind, size) => [kind | 8 | (size << 3)], 31],
    ['two bytes', (kind, size) => u16(kind | 4 | (size << 4)), 300],
    ['three bytes', (kind, size) => u32(kind | 12 | (size << 4)).slice(0, 3), 70_000],
  ];

  test.each(sizes.filter(([name]) => !name.includes('other')))(
    'are raw or repeated, their size in %s',
    (_, head, size) => {
      const text = Array.from({ length: size }, (_, i) => A + (i % 26));
      expect(decompressed(frame(...head(0, size), ...text, 0), size)).toBe(Buffer.from(text).toString());
      expect(decompressed(frame(...head(1, size), B, 0), size)).toBe('b'.repeat(size));
      expect(refusal(frame(...head(0, size), ...text.slice(1)), size)).toContain(cutBlock);
      expect(refusal(frame(...head(1, size)), size)).toContain(cutBlock);
      expect(refusal(frame(...head(0, size), ...text), size)).toContain(cutBlock);
      expect(refusal(frame(...head(1, size), B, 0), size - 1)).toContain(more);
      expect(refusal(frame(...head(0, size), ...text, 0), size - 1)).toContain(more);
    },
  );

  test('of a block before lend their table, where there is one', () => {
    expect(refusal(frame(3 | (1 << 4), 1 << 6, 0, 1, 0), 4)).toContain(
      'its Zstandard block has literals without a table',
    );
  });
});

describe('sequences of a compressed block', () => {
  /** One symbol for each of literal lengths, distances and match lengths, then bits from the last to the first. */
  const sequences = (
    literals: readonly number[],
    count: readonly number[],
    symbols: readonly number[],
    bits: readonly number[],
  ) => [...windowed(), ...compressed([...literals, ...count, 0b0101_0100, ...symbols, ...bits])];
  const rawLiterals = [26 << 3, ...TEXT];

  test.each([
    [1, [1]],
    [127, [127]],
    [128, [128, 128]],
    [300, [129, 44]],
    [0x7eff, [254, 255]],
    [0x7f00, [255, 0, 0]],
    [0x7f0a, [255, 10, 0]],
  ])('are as many as their count of 1 to 3 bytes: %i', (count, bytes) => {
    const literals = [0b1101 | ((count << 4) & 255), (count >> 4) & 255, count >> 12, A];
    // One literal, then three times the byte before it.
    const frame = sequences(literals, bytes, [1, 0, 0], [1]);
    expect(reference(frame)).toHaveLength(4 * count);
    expect(decompressed(frame, 4 * count)).toBe('a'.repeat(4 * count));
    expect(refusal(frame, 4 * count - 1)).toContain(more);
  });

  test('repeat earlier distances as their own decoder does', () => {
    const ends = { same: 0, refused: 0 };
    for (const literalCode of [0, 1, 2, 8]) {
      for (const distanceBits of [0, 1, 2, 3, 4]) {
        for (const count of [1, 2, 3]) {
          for (let bits = 0; bits < 2 ** (distanceBits * count); bits += 1 + (bits >> 4)) {
            const marked = bits + 2 ** (distanceBits * count);
            const stream = [
              ...windowed(),
              ...raw(TEXT.toReversed(), false),
              ...sequences(
                rawLiterals,
                [count],
                [literalCode, distanceBits, 2],
                marked < 256 ? [marked] : u16(marked),
              ).slice(windowed().length),
            ];
            const theirs = reference(stream);
            const ours = theirs === null ? refusal(stream, 1000) : decompressed(stream, theirs.length);
            if (theirs === null) expect(ours).not.toMatch(/^fine$|a compressed buffer has/);
            else expect(ours).toBe(Buffer.from(theirs).toString('latin1'));
            ends[theirs === null ? 'refused' : 'same']++;
          }
        }
      }
    }
    expect(ends.same).toBeGreaterThan(500);
    expect(ends.refused).toBeGreaterThan(10);
  });

  test('have no distance of 0, and none beyond what is there', () => {
    // Without literals, the third of the earlier distances is the first less one.
    const zero = sequences([0], [1], [0, 1, 0], [3]);
    expect(refusal(zero, 3)).toContain('its Zstandard block repeats bytes at a distance of 0');
    const far = (distance: number) => sequences([2 << 3, A, B], [1], [2, 2, 0], [4 + distance - 1]);
    expect(decompressed(far(1), 5)).toBe('abbbb');
    expect(decompressed(far(2), 5)).toBe('ababa');
    expect(refusal(far(3), 5)).toContain('its Zstandard block repeats bytes from before its start');
  });

  test.each([
    [24, 192],
    [25, 257],
  ])('reach back to the first bytes of many megabytes, by %i bits', (bits, blocks) => {
    const KIB_128 = 2 ** 17;
    const maize = [...Buffer.from('maize')];
    const size = maize.length + blocks * KIB_128;
    const LONG_MATCH = 32;
    const stream = Buffer.alloc(8);
    // One bit of the length of the match, the distance, the mark.
    stream.writeBigUInt64LE((BigInt(size + 3 - 2 ** bits) << 1n) | (1n << BigInt(bits + 1)));
    const frame = [
      ...windowed(),
      ...raw(maize, false),
      ...repeated(blocks, 0).flatMap(() => block('repeated', KIB_128, [B], false)),
      ...sequences([0], [1], [0, bits, LONG_MATCH], [...stream.subarray(0, 4)]).slice(windowed().length),
    ];
    const into = new Uint8Array(size + 35);
    decompressZstd(Uint8Array.from(frame), into);
    expect(Buffer.from(into.subarray(size)).toString()).toBe(`maize${'b'.repeat(30)}`);
  });

  test.each([24, 25, 26, 27, 28])(
    'have the rarest distances in the last states of the preset table: %i',
    (code) => {
      const LITERAL_AND_MATCH = 0b0100_0100;
      const frame = (bits: number) => {
        const stream = (1n << BigInt(bits + 5)) | (BigInt(31 - (code - 24)) << BigInt(bits));
        const bytes = Array.from({ length: (bits + 5 + 8) >> 3 }, (_, i) =>
          Number((stream >> BigInt(8 * i)) & 255n),
        );
        return [...windowed(), ...compressed([2 << 3, A, B, 1, LITERAL_AND_MATCH, 2, 0, ...bytes])];
      };
      expect(refusal(frame(code), 5)).toContain('block repeats bytes from before its start');
      expect(refusal(frame(code - 1), 5)).toContain('stream of bits is cut short');
    },
  );

  test('have modes, and tables of a block before where they say so', () => {
    const modes = (mode: number) => [...windowed(), ...compressed([0, 1, mode, 1])];
    expect(refusal([...windowed(), ...compressed([0, 1])], 4)).toContain(cutBlock);
    for (const mode of [1, 2, 3]) expect(refusal(modes(mode), 4)).toContain('block has an unknown mode');
    expect(refusal(modes(0b1111_1100), 4)).toContain('uses the tables of a block that is missing');
    const one = sequences([1 << 3, A], [1], [1, 0, 0], [1]);
    const first = [...windowed(), one[6]! & 0xfe, ...one.slice(7)];
    const again = compressed([1 << 3, B, 1, 0b1111_1100, 1]);
    expect(decompressed([...first, ...again], 8)).toBe('aaaabbbb');
  });
});

describe('what its own encoder writes', () => {
  /** Bytes of an uneven distribution, as texts have them: their literals get tables. */
  const uneven = (size: number, symbols: number) =>
    Uint8Array.from({ length: size }, (_, i) => {
      const noise = Math.imul(i + 1, 0x9e3779b1) >>> 8;
      return Math.floor(symbols * ((noise % 4096) / 4096) ** 3) + ((noise >> 12) % 3);
    });

  test.each([
    [40, 12],
    [200, 9],
    [900, 60],
    [1023, 200],
    [1025, 30],
    [6000, 250],
    [16_500, 90],
    [70_000, 250],
    [140_000, 250],
  ])('is read: %i bytes of some %i', (size, symbols) => {
    const bytes = uneven(size, symbols);
    for (const level of [1, 5, 12, 19]) {
      const packed = Uint8Array.from(compress(Buffer.from(bytes), level));
      const into = new Uint8Array(size);
      decompressZstd(packed, into);
      expect(Buffer.compare(into, bytes)).toBe(0);
    }
  });
});
