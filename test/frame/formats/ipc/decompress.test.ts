import { Field, Int32, List, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeFrame } from '../../../../src/frame/display/describe.js';
import { fromArrow } from '../../../../src/frame/formats/arrow.js';
import { decompressIpc, readCodec, uncompressedSize } from '../../../../src/frame/formats/ipc/decompress.js';
import { viewOf } from '../../../../src/frame/formats/ipc/flatbuffer.js';
import {
  type Block,
  bufferEntries,
  RECORD_BATCH,
  readIpcFile,
  readIpcStream,
} from '../../../../src/frame/formats/ipc/messages.js';
import { withChecksum } from '../../../../src/frame/table/checksum.js';
import { ArgumentError } from '../../../../src/model/errors.js';
import { everyType, ownFrame, rowTexts, TABLES } from '../arrow-tables.js';
import { CODECS, compressedArrow, ENCODE } from '../compressed-arrow.js';
import { anyFrame, contents } from '../round-trip.js';

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

function outcome(bytes: Uint8Array): Table | string {
  try {
    return fromArrow(bytes);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    expect(error.argument).toBe('bytes');
    return error.message;
  }
}

/** The state of a table's checksum; refused where a changed type makes a column that frames do not hold. */
function checksumState(table: Table): string {
  try {
    return describeFrame(table).checksum.state;
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

  test('any frame keeps its contents, provenance and checksum', () => {
    fc.assert(
      fc.property(anyFrame, (table) => {
        const read = fromArrow(compressedArrow(withChecksum(table), form, codec));
        expect(contents(read)).toEqual(contents(table));
        expect(describeFrame(read).checksum.state).toBe('verified');
      }),
      { numRuns: 25 },
    );
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
        const read = outcome(copy);
        if (typeof read === 'string') {
          ends.refused++;
          return;
        }
        const state = checksumState(read);
        if (state === 'verified') expect(contents(read).rows).toEqual(rows);
        ends[state === 'refused' ? 'refused' : state === 'verified' ? 'same' : 'differs']++;
      }),
      { numRuns: 500, seed: 20_240_506 },
    );
    expect(ends.refused).toBeGreaterThan(10);
  });

  test('every change of one byte of compressed lists and texts is read or refused', () => {
    const table = long.slice(0, 400);
    const bytes = compressedArrow(table, form, codec);
    let refused = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const copy = bytes.slice();
      copy[at]! ^= 1 << (at % 8);
      if (typeof outcome(copy) === 'string') refused++;
    }
    expect(refused).toBeGreaterThan(10);
  });

  test.each([
    ['more', (size: number) => size + 1, /does not have|instead of|cannot hold/],
    ['less', (size: number) => size - 1, /does not have|more bytes than|rows need/],
    ['far more', () => 2 ** 45, /which its \d+ cannot hold/],
    ['nothing', () => 0, /rows need|past their end/],
    ['a negative size', () => -7, /states -7 bytes/],
  ])('a buffer that states %s is refused', (_, state, message) => {
    expect(outcome(compressedArrow(long, form, codec, { state }))).toMatch(message);
  });
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
  expect(outcome(bomb)).toMatch(/decompress to 13107\d{5}, which is too large/);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 24);
});

test('a kind of compression that Arrow does not have is named', () => {
  const bytes = compressedArrow(everyType, 'stream', 'zstd');
  const ones = [...bytes.keys()].filter((at) => bytes[at] === 1);
  const kinds = ones.map((at) => {
    const copy = bytes.slice();
    copy[at] = 9;
    return outcome(copy);
  });
  expect(kinds.some((end) => typeof end === 'string' && /in a way that Arrow does not have/.test(end))).toBe(
    true,
  );
});

describe('batches of a compressed file', () => {
  const batches = long.slice(0, 900).concat(long.slice(900, 1500)).concat(long.slice(1500, 3000));

  const blocksOf = (bytes: Uint8Array) =>
    readIpcFile(viewOf(bytes)).blocks.filter(({ message }) => message.kind === RECORD_BATCH);

  /** A copy whose footer has the blocks of its batches in this order. */
  function withBlocks(bytes: Uint8Array, order: readonly number[]): Uint8Array {
    const [copy, blocks] = [bytes.slice(), blocksOf(bytes)];
    for (const [i, from] of order.entries())
      copy.set(bytes.subarray(blocks[from]!.entryAt, blocks[from]!.entryAt + 24), blocks[i]!.entryAt);
    return copy;
  }

  test.each(CODECS)('are read in the order of the footer: %s', (codec) => {
    const [packed, plain] = [compressedArrow(batches, 'file', codec), tableToIPC(batches, 'file')];
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ])
      expect(rowTexts(fromArrow(withBlocks(packed, order)))).toEqual(
        rowTexts(fromArrow(withBlocks(plain, order))),
      );
  });

  test('do not overlap', () => {
    const bytes = compressedArrow(batches, 'file', 'lz4');
    const [, { message }] = blocksOf(bytes) as [Block, Block];
    expect(outcome(withBlocks(bytes, [0, 1, 1]))).toContain(
      `the batches at bytes ${message.at} and ${message.at} overlap`,
    );
  });

  test('may stand beside batches that are not compressed', () => {
    const messages = (bytes: Uint8Array) =>
      [...readIpcStream(viewOf(bytes))].map(({ at, bodyAt, bodyLength }) =>
        bytes.subarray(at, bodyAt + bodyLength),
      );
    const packed = messages(compressedArrow(batches, 'stream', 'zstd'));
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

  test('become whole buffers of 8 bytes, and lose their mark', () => {
    const decompressed = decompressIpc(compressedArrow(batches, 'file', 'lz4'));
    for (const { message } of readIpcFile(viewOf(decompressed)).blocks) {
      expect(readCodec(message.header)).toBeNull();
      expect([message.bodyAt % 8, message.bodyLength % 8]).toEqual([0, 0]);
    }
    const plain = tableToIPC(batches, 'file');
    expect(decompressIpc(plain)).toBe(plain);
  });

  test('may stand beside batches of the file that are not compressed', () => {
    const packed = compressedArrow(batches, 'file', 'lz4');
    const plain = tableToIPC(batches, 'file');
    for (const which of [
      [packed, packed, plain, packed],
      [plain, plain, packed, plain],
      [plain, plain, plain, packed],
    ])
      expect(rowTexts(fromArrow(fileOf(plain, which)))).toEqual(rowTexts(batches));
  });

  /** A file with the footer of `last`, whose blocks are those of several files, each at its place. */
  function fileOf(last: Uint8Array, from: readonly Uint8Array[]): Uint8Array {
    const lengthAt = last.length - 10;
    const footerAt = lengthAt - viewOf(last).getInt32(lengthAt, true);
    const footer = last.slice(footerAt);
    const pieces = [last.subarray(0, readIpcFile(viewOf(last)).blocks[0]!.message.at)];
    for (const [i, { entryAt }] of readIpcFile(viewOf(last)).blocks.entries()) {
      const { at, bodyAt, bodyLength } = readIpcFile(viewOf(from[i]!)).blocks[i]!.message;
      const place = Buffer.concat(pieces).length;
      pieces.push(from[i]!.subarray(at, bodyAt + bodyLength));
      viewOf(footer).setBigInt64(entryAt - footerAt, BigInt(place), true);
      viewOf(footer).setInt32(entryAt - footerAt + 8, bodyAt - at, true);
      viewOf(footer).setBigInt64(entryAt - footerAt + 16, BigInt(bodyLength), true);
    }
    return Uint8Array.from(Buffer.concat([...pieces, footer]));
  }

  test('may have bodies of any length', () => {
    const bytes = compressedArrow(long, 'stream', 'zstd');
    const { bodyAt, bodyLength, table } = [...readIpcStream(viewOf(bytes))].at(-1)!;
    const longer = Uint8Array.from([...bytes.subarray(0, bodyAt + bodyLength), 0, 0, 0]);
    viewOf(longer).setBigInt64(table.int64Place(3)!, BigInt(bodyLength + 3), true);
    expect(rowTexts(fromArrow(longer))).toEqual(rowTexts(long));
  });

  test('may grow to hundreds of times their size while they are small', () => {
    const zeros = new Table({ zero: vectorFromArray(new Float64Array(80_000)) });
    const bytes = compressedArrow(zeros, 'file', 'zstd');
    expect(bytes.length * 255).toBeLessThan(640_000);
    expect(fromArrow(bytes).getChild('zero')!.toArray()).toEqual(new Float64Array(80_000));
  });

  test('are named where a buffer is outside of them', () => {
    const bytes = compressedArrow(batches, 'file', 'lz4');
    const [{ message }] = blocksOf(bytes) as [Block];
    const [entry] = bufferEntries(message.header, message.version) as [number];
    viewOf(bytes).setBigInt64(entry, 2n ** 40n, true);
    expect(() => decompressIpc(bytes)).toThrow(
      `a buffer of the batch at byte ${message.at} is outside its batch`,
    );
  });
});

describe('the compression of a batch', () => {
  /** A RecordBatch table of which only the compression is looked at. */
  const batch = (codec: number | null, method = 0) =>
    ({
      table: () => (codec === null ? null : { uint8: (field: number) => [codec, method][field] }),
    }) as never;

  test('is one of two, or none', () => {
    expect([null, 0, 1].map((codec) => readCodec(batch(codec)))).toEqual([null, 'lz4', 'zstd']);
    for (const other of [batch(2), batch(0, 1)]) {
      expect(() => readCodec(other)).toThrow(ArgumentError);
      expect(() => readCodec(other)).toThrow(/compressed in a way that Arrow does not have/);
    }
  });
});

describe('the size of a compressed buffer', () => {
  const size = (states: bigint, length: number, codec: 'lz4' | 'zstd' = 'lz4') =>
    uncompressedSize(
      new DataView(BigInt64Array.of(0n, states).buffer),
      { at: 8, length },
      codec,
      'column "a"',
    );

  test('is what it states, if it can hold that much', () => {
    expect(size(5n, 0)).toBe(0);
    expect(size(0n, 8)).toBe(0);
    expect(size(300n, 10)).toBe(300);
    expect(size(510n, 10)).toBe(510);
    expect(size(65_536n, 10, 'zstd')).toBe(65_536);
    expect(size(-1n, 30)).toBe(22);
  });

  test.each([
    [511n, 10, 'lz4', /states 511 bytes, which its 2 cannot hold/],
    [65_537n, 10, 'zstd', /states 65537 bytes, which its 2 cannot hold/],
    [-2n, 30, 'lz4', /states -2 bytes/],
    [1n, 7, 'lz4', /a compressed buffer of column "a" has 7 bytes/],
  ] as const)('is refused: %d in %d bytes of %s', (states, length, codec, message) => {
    expect(() => size(states, length, codec)).toThrow(ArgumentError);
    expect(() => size(states, length, codec)).toThrow(message);
  });
});
