import { describe, expect, test } from 'vitest';
import { decompressLz4 } from '../../../../src/frame/formats/ipc/lz4.js';
import { refusalOf } from './refusal.js';

// Frames written by hand, as https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md has them.

const u32 = (word: number) => [...new Uint8Array(Uint32Array.of(word).buffer)];
const MAGIC = u32(0x184d2204);
const VERSION = 0x40;
const KIB_64 = 0x40;
const END = [0, 0, 0, 0];

const header = (flags = 0, more: readonly number[] = []) => [
  ...MAGIC,
  ...[VERSION | flags, KIB_64, ...more],
  0, // its checksum
];
const block = (...bytes: number[]) => [...u32(bytes.length), ...bytes];
const repeated = (times: number, byte: number) => new Array<number>(times).fill(byte);

const inflate = (bytes: readonly number[], size: number) => {
  const into = new Uint8Array(size);
  decompressLz4(Uint8Array.from(bytes), into);
  return Buffer.from(into).toString('latin1');
};
const refusal = (bytes: readonly number[], size = 8) => refusalOf(() => inflate(bytes, size));

const [A, B, C] = [97, 98, 99] as const;
/** The token of a sequence: its literals, and what its match is longer than 4. */
const token = (literals: number, length: number) => (literals << 4) | length;

describe('sequences of literals and matches', () => {
  const blockOf = (...bytes: number[]) => [...header(), ...block(...bytes), ...END];
  const cut = 'its LZ4 block is cut short';
  const before = 'its LZ4 block repeats bytes from before its start';

  test('end with literals', () => {
    expect(inflate(blockOf(token(2, 0), A, B), 2)).toBe('ab');
    expect(inflate(blockOf(token(2, 1), A, B, 2, 0, token(1, 0), C), 8)).toBe('abababac');
    expect(refusal(blockOf(token(2, 1), A, B, 2, 0), 7)).toContain(cut);
    expect(refusal(blockOf(token(3, 0), A, B), 2)).toContain(cut);
    expect(refusal(blockOf(token(1, 0), A, B, C), 3)).toContain(before);
  });

  test('repeat what is there', () => {
    expect(refusal(blockOf(token(2, 0), A, B, 3, 0, token(0, 0)), 6)).toContain(before);
    expect(refusal(blockOf(token(2, 0), A, B, 0, 0, token(0, 0)), 6)).toContain(before);
    expect(refusal(blockOf(token(2, 0), A, B, 2, 1, token(0, 0)), 6)).toContain(before);
    expect(inflate(blockOf(token(2, 0), A, B, 1, 0, token(0, 0)), 6)).toBe('abbbbb');
  });

  test.each([0, 1, 18, 254, 255, 256, 509, 510])(
    'have longer lengths in further bytes: %i more',
    (length) => {
      const further = [...repeated(Math.floor(length / 255), 255), length % 255];
      const literals = Array.from({ length: 15 + length }, (_, i) => A + (i % 26));
      const text = Buffer.from(literals).toString();
      expect(inflate(blockOf(token(15, 0), ...further, ...literals), literals.length)).toBe(text);
      for (const distance of [1, 2, 40]) {
        const start = text.repeat(3).slice(0, 40);
        const bytes = blockOf(token(15, 15), 25, ...Buffer.from(start), distance, 0, ...further, token(0, 0));
        const end = start
          .slice(-distance)
          .repeat(600)
          .slice(0, 19 + length);
        expect(inflate(bytes, 59 + length)).toBe(start + end);
      }
    },
  );
});

test('a frame begins as one does', () => {
  const packed = [...header(), ...block(token(2, 0), A, B), ...END];
  for (const at of [0, 3, 4]) expect(refusal(packed.with(at, packed[at]! ^ 1), 2)).toContain('its LZ4 frame');
  for (let length = 0; length < packed.length; length++)
    expect(refusal(packed.slice(0, length), 2)).toContain('cut short');
  expect(refusal([...packed, 0], 2)).toContain('its LZ4 frame does not end where its buffer does');
});

test('a block repeats from blocks before it, unless blocks are independent', () => {
  const stored = [...u32(0x80000004), 97, 98, 99, 100];
  const repeating = block(token(0, 4), 4, 0, token(1, 0), 122);
  const frame = (flags: number, more: readonly number[] = []) => [
    ...header(flags, more),
    ...stored,
    ...repeating,
    ...END,
  ];
  expect(inflate(frame(0), 13)).toBe('abcdabcdabcdz');
  const [INDEPENDENT, HAS_SIZE] = [0x20, 0x08];
  expect(refusal(frame(INDEPENDENT), 13)).toContain('its LZ4 block repeats bytes from before its start');
  expect(inflate(frame(HAS_SIZE, [13, 0, 0, 0, 0, 0, 0, 0]), 13)).toBe('abcdabcdabcdz');
  const [BLOCK_SUMS, CONTENT_SUM] = [0x10, 0x04];
  const summed = [
    ...header(BLOCK_SUMS | CONTENT_SUM),
    ...[...stored, 1, 2, 3, 4],
    ...[...repeating, 1, 2, 3, 4],
    ...[...END, 1, 2, 3, 4],
  ];
  expect(inflate(summed, 13)).toBe('abcdabcdabcdz');
});
