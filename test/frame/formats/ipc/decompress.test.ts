import { Field, Int32, List, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMessages } from '../../../../src/frame/formats/ipc/messages.js';
import { fromArrow } from '../../../../src/frame/formats/read-arrow.js';
import { frame } from '../../../../src/frame/frame.js';
import { withChecksum } from '../../../../src/frame/table/checksum.js';
import { ArgumentError } from '../../../../src/model/errors.js';
import { countRuns } from '../../../endurance.js';
import { ownFrame, rowTexts, TABLES } from '../arrow-tables.js';
import { CODECS, compressedArrow, ENCODE } from '../compressed-arrow.js';
import { contents } from '../round-trip.js';
import { readOrRefusal } from './refusal.js';

const DAMAGES = countRuns({ quick: 15, all: 500 });
const FORMS = ['file', 'stream'] as const;
const WAYS = CODECS.flatMap((codec) => FORMS.map((form) => [codec, form] as const));

/** Long enough that each buffer becomes smaller. */
const long: Table = new Table({
  day: vectorFromArray(Float64Array.from({ length: 3000 }, (_, i) => i % 7)),
  text: vectorFromArray(Array.from({ length: 3000 }, (_, i) => (i % 5 === 0 ? null : `field ${i % 11}`))),
  list: vectorFromArray(
    Array.from({ length: 3000 }, (_, i) => Array.from({ length: i % 4 }, () => i % 3)),
    new List(new Field('item', new Int32(), true)),
  ),
});

/** The state of a table's checksum; refused where a changed type makes a column that frames do not hold. */
function checksumState(table: Table): string {
  try {
    return frame(table).summary().checksum.state;
  } catch (error) {
    if (error instanceof ArgumentError) return 'refused';
    throw error;
  }
}

describe.each(WAYS)('%s, %s', (codec, form) => {
  test.each(Object.entries({ ...TABLES, long }))('%s reads as it does uncompressed', (_, table) => {
    const read = fromArrow(compressedArrow(table, form, codec));
    const plain = fromArrow(tableToIPC(table, form));
    expect(String(read.schema)).toBe(String(plain.schema));
    expect(rowTexts(read)).toEqual(rowTexts(plain));
  });

  test('buffers that are all compressed, or all stored', () => {
    const batches = long.concat(long.slice(5, 900));
    for (const encode of [
      ENCODE[codec],
      (bytes: Uint8Array) => new Uint8Array([...ENCODE[codec](bytes), ...bytes]),
    ]) {
      const bytes = compressedArrow(batches, form, codec, { encode });
      expect(rowTexts(fromArrow(bytes))).toEqual(rowTexts(batches));
    }
  });

  test('at any offset of its buffer', () => {
    const bytes = compressedArrow(long, form, codec);
    const memory = new Uint8Array(bytes.length + 3);
    memory.set(bytes, 3);
    expect(rowTexts(fromArrow(memory.subarray(3)))).toEqual(rowTexts(long));
  });

  test('with changed bytes is refused by name, or its checksum differs, or it reads the same', () => {
    const bytes = compressedArrow(withChecksum(ownFrame.concat(ownFrame)), form, codec);
    const { rows } = contents(ownFrame.concat(ownFrame));
    const ends = { same: 0, differs: 0, refused: 0 };
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const copy = bytes.slice();
        for (const [at, byte] of changes) copy[at] = byte;
        const read = readOrRefusal(copy);
        if (typeof read === 'string') {
          ends.refused++;
          return;
        }
        const state = checksumState(read);
        if (state === 'verified') expect(contents(read).rows).toEqual(rows);
        ends[state === 'refused' ? 'refused' : state === 'verified' ? 'same' : 'differs']++;
      }),
      { numRuns: DAMAGES, seed: 20_240_506 },
    );
    expect(ends.refused).toBeGreaterThan(5);
  });

  test.each([
    ['more', (size: number) => size + 1, /do(es)? not decompress/],
    ['less', (size: number) => size - 1, /do(es)? not decompress/],
    ['far more', () => 2 ** 45, /which is too large/],
    ['nothing', () => 0, /do(es)? not decompress/],
    ['a negative size', () => -7, /claims to contain -7 bytes/],
  ])('a buffer that states %s is refused', (_, state, message) => {
    expect(readOrRefusal(compressedArrow(long, form, codec, { state }))).toMatch(message);
  });

  test('a frame that is cut short, or of LZ4 followed by more, is refused', () => {
    const cut = (bytes: Uint8Array) => ENCODE[codec](bytes).subarray(0, -1);
    const followed = (bytes: Uint8Array) => Uint8Array.from([...ENCODE[codec](bytes), 7]);
    for (const encode of codec === 'lz4' ? [cut, followed] : [cut])
      expect(readOrRefusal(compressedArrow(long, form, codec, { encode }))).toMatch(/do(es)? not decompress/);
  });
});

test.skipIf(CODECS.includes('zstd'))('without a decoder, Zstandard is refused with the remedy', () => {
  const stored = (bytes: Uint8Array) => Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, ...bytes.subarray(5)]);
  const bytes = compressedArrow(long, 'stream', 'zstd', { encode: stored });
  expect(readOrRefusal(bytes)).toMatch(/^bytes: .* needs Node 22.15 or later; write it with lz4/);
});

test('a file that grows to gigabytes is refused before it takes their memory', () => {
  const blocks = 10_000;
  const size = blocks * 2 ** 17;
  const repeated = (isLast: boolean) => [Number(isLast) | (1 << 1) | (((2 ** 17) << 3) & 0xff), 0, 0x10, 0];
  const frame = Uint8Array.from([
    ...[0x28, 0xb5, 0x2f, 0xfd, 0xa0, ...new Uint8Array(Uint32Array.of(size).buffer)],
    ...Array.from({ length: blocks }, (_, i) => repeated(i === blocks - 1)).flat(),
  ]);
  const zeros = new Table({ zero: vectorFromArray(new Float64Array(20_000)) });
  const bomb = compressedArrow(zeros, 'file', 'zstd', { encode: () => frame, state: () => size });
  const before = process.memoryUsage().arrayBuffers;
  expect(readOrRefusal(bomb)).toMatch(/decompress to 13107\d{5} bytes or more, which is too large/);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 24);
});

describe('batches of a compressed file', () => {
  const batches = long.slice(0, 900).concat(long.slice(900, 1500)).concat(long.slice(1500, 3000));

  test('may stand beside batches that are not compressed', () => {
    const messages = (bytes: Uint8Array) =>
      [...readMessages(bytes).messages].map(({ at, end }) => bytes.subarray(at, end));
    const packed = messages(compressedArrow(batches, 'stream', 'lz4'));
    const plain = messages(tableToIPC(batches, 'stream'));
    // A schema, a dictionary, three batches.
    for (const from of [
      [packed, packed, packed, plain, packed],
      [plain, plain, plain, packed, plain],
      [plain, packed, packed, packed, plain],
    ]) {
      const mixed = Buffer.concat(from.map((list, i) => list[i]!));
      expect(rowTexts(fromArrow(Uint8Array.from(mixed)))).toEqual(rowTexts(batches));
    }
  });

  test.skipIf(!CODECS.includes('zstd'))(
    'may grow to hundreds of times their size while they are small',
    () => {
      const zeros = new Table({ zero: vectorFromArray(new Float64Array(80_000)) });
      const bytes = compressedArrow(zeros, 'file', 'zstd');
      expect(bytes.length * 255).toBeLessThan(640_000);
      expect(fromArrow(bytes).getChild('zero')!.toArray()).toEqual(new Float64Array(80_000));
    },
  );
});
