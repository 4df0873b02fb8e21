import {
  Dictionary,
  Int16,
  Int32,
  RecordBatchStreamWriter,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../../../src/frame/formats/ipc/flatbuffer.js';
import {
  type Block,
  bufferEntries,
  DICTIONARY_BATCH,
  RECORD_BATCH,
  readBuffer,
  readIpcFile,
  readIpcStream,
  SCHEMA,
} from '../../../../src/frame/formats/ipc/messages.js';
import { ArgumentError } from '../../../../src/model/errors.js';
import { refusal } from './refusal.js';

/** A copy that is changed. */
function changed(bytes: Uint8Array, change: (view: DataView) => void): Uint8Array {
  const copy = bytes.slice();
  change(viewOf(copy));
  return copy;
}

const table = new Table({
  a: vectorFromArray([1, 2, 3], new Int32()),
  d: vectorFromArray(['x', 'y', 'x'], new Dictionary(new Utf8(), new Int16())),
});
const file = tableToIPC(table, 'file');
const stream = tableToIPC(table, 'stream');
const END_BYTES = 8;
const unmarked = stream.subarray(0, -END_BYTES);
const older = RecordBatchStreamWriter.writeAll(table, { writeLegacyIpcFormat: true }).toUint8Array(true);

/** Where the length of the file's footer stands. */
const LENGTH = file.length - 10;

describe('the blocks of a file', () => {
  /** What is refused when the entry of a block in the footer is changed: 0 is the dictionary, 1 is the batch. */
  const withBlock = (which: 0 | 1, change: (view: DataView, block: Block, other: Block) => void) =>
    refusal(
      changed(file, (view) => {
        const { blocks } = readIpcFile(viewOf(file));
        change(view, blocks[which]!, blocks[1 - which]!);
      }),
    );

  it('are dictionaries and batches, each by its place', () => {
    const { blocks, version } = readIpcFile(viewOf(file));
    expect([blocks.map(({ message }) => message.kind), version]).toEqual([[2, 3], 4]);
    expect(refusal(file)).toBe('fine');
    for (const which of [0, 1] as const) {
      const swapped = withBlock(which, (view, { entryAt }, other) =>
        view.setBigInt64(entryAt, BigInt(other.message.at), true),
      );
      expect(swapped).toMatch(/the block at byte \d+ is not the batch that the footer says/);
    }
  });

  it.each([
    ['an offset before the messages', 0, 7],
    ['a negative offset', 0, -8],
    ['a negative body', 16, -8],
  ])('are within the file, unlike %s', (_, field, value) => {
    const refused = withBlock(1, (view, { entryAt }) =>
      view.setBigInt64(entryAt + field, BigInt(value), true),
    );
    expect(refused).toContain('block 0 of the footer is out of range');
  });

  it('have metadata of no negative length', () => {
    const refused = withBlock(1, (view, { entryAt }) => view.setInt32(entryAt + 8, -8, true));
    expect(refused).toContain('block 0 of the footer is out of range');
  });

  it('end before the footer, and are no longer than the file together', () => {
    const footerAt = LENGTH - viewOf(file).getInt32(LENGTH, true);
    const late = withBlock(1, (view, { entryAt }) => view.setBigInt64(entryAt, BigInt(footerAt - 8), true));
    expect(late).toContain(`the block at byte ${footerAt - 8} reaches past the messages`);
    const long = withBlock(1, (view, { entryAt }) =>
      view.setBigInt64(entryAt + 16, BigInt(file.length), true),
    );
    expect(long).toContain('its blocks are longer than the file');
  });

  it('may end where the footer begins, and together be as long as all before it', () => {
    const { blocks } = readIpcFile(viewOf(file));
    const [first, second] = blocks.toSorted((a, b) => a.message.at - b.message.at) as [Block, Block];
    const footerAt = LENGTH - viewOf(file).getInt32(LENGTH, true);
    // Their lengths are only added up: a message says itself how long it is.
    const withLengths = (one: [number, number], other: [number, number]) =>
      refusal(
        changed(file, (view) => {
          for (const [{ entryAt }, [metadata, body]] of [
            [first, one],
            [second, other],
          ] as const) {
            view.setInt32(entryAt + 8, metadata, true);
            view.setBigInt64(entryAt + 16, BigInt(body), true);
          }
        }),
      );
    const { at } = first.message;
    expect(withLengths([footerAt - at, 0], [0, at])).toBe('fine');
    expect(withLengths([footerAt - at, 0], [0, at + 1])).toContain('its blocks are longer than the file');
    expect(withLengths([footerAt - at + 1, 0], [0, 0])).toContain(
      `the block at byte ${at} reaches past the messages`,
    );
  });
});

describe('a file', () => {
  it.each([0, -8, file.length, 0x7fffffff])('has a footer within it, not of %i bytes', (length) => {
    expect(refusal(changed(file, (view) => view.setInt32(LENGTH, length, true)))).toContain(
      'the footer is longer than the file',
    );
  });

  it('has a footer with a schema', () => {
    const footerAt = LENGTH - viewOf(file).getInt32(LENGTH, true);
    const texts = Array.from({ length: LENGTH - footerAt }, (_, i) =>
      refusal(changed(file, (view) => view.setUint8(footerAt + i, 0))),
    );
    expect(texts.join('\n')).toContain('the footer has no schema');
  });

  it.each([6, 8, 12, 17])('has an end too: not %i bytes of a beginning', (length) => {
    const start = new Uint8Array(length);
    start.set(file.subarray(0, 6));
    expect(refusal(start)).toContain('the file does not end as an Arrow file does');
  });

  it('may be a footer alone, between its letters', () => {
    const empty = tableToIPC(new Table(table.schema, []), 'file');
    const footer = empty.subarray(
      empty.length - 10 - viewOf(empty).getInt32(empty.length - 10, true),
      empty.length,
    );
    const whole = Uint8Array.from([...file.subarray(0, 8), ...footer]);
    expect(refusal(whole)).toBe('fine');
    const closer = Uint8Array.from([...file.subarray(0, 7), ...footer]);
    expect(refusal(closer)).toContain('the footer is longer than the file');
    expect(refusal(Uint8Array.from([...file.subarray(0, 8), ...file.subarray(-10)]))).toContain(
      'the footer is longer than the file',
    );
  });

  it('begins with all six letters', () => {
    for (let at = 0; at < 6; at++)
      expect(refusal(changed(file, (view) => view.setUint8(at, 0x61)))).toContain('not an Arrow IPC file');
  });
});

describe('the messages of a stream', () => {
  it('are read one after another, to the end that is marked or not', () => {
    for (const bytes of [stream, unmarked, older, older.subarray(0, -4)])
      expect([...readIpcStream(viewOf(bytes))].map(({ kind }) => kind)).toEqual([1, 2, 3]);
  });

  it('are followed by zeros alone', () => {
    for (const [bytes, zeros] of [
      [stream, 0],
      [stream, 5],
      [older, 0],
      [older, 5],
    ] as const) {
      expect(refusal(Uint8Array.from([...bytes, ...new Uint8Array(zeros)]))).toBe('fine');
      expect(refusal(Uint8Array.from([...bytes, ...new Uint8Array(zeros), 1]))).toMatch(
        /the stream ends at byte \d+, but bytes follow/,
      );
    }
  });

  it('are complete', () => {
    const cut = `the message at byte ${unmarked.length} is cut short`;
    for (const rest of [[1], [1, 0, 0], [255, 255, 255, 255], [255, 255, 255, 255, 0, 0, 0]])
      expect(refusal(Uint8Array.from([...unmarked, ...rest]))).toContain(cut);
    for (const rest of [
      [255, 255, 255, 255, 16, 0, 0, 0],
      [255, 255, 255, 255, 0, 0, 0, 128],
      [16, 0, 0, 0],
      [0, 0, 0, 128],
    ])
      expect(refusal(Uint8Array.from([...unmarked, ...rest]))).toContain(cut);
    expect(refusal(stream.subarray(0, 4))).toContain('the message at byte 0 is cut short');
    expect(refusal(stream.subarray(0, 100))).toContain('the message at byte 0 is cut short');
    expect(refusal(unmarked.subarray(0, -1))).toMatch(/the message at byte \d+ is cut short/);
  });

  it('begin the bytes: others are no Arrow', () => {
    for (const text of ['a', 'abc', '{"error":"not found"}', '\0\0\0'])
      expect(refusal(new TextEncoder().encode(text))).toContain('not an Arrow IPC file or stream');
    expect(refusal(older.subarray(0, 100))).toContain('not an Arrow IPC file or stream');
  });

  it('have a header, and a body of no negative length', () => {
    const texts = Array.from({ length: 160 }, (_, at) =>
      refusal(changed(stream, (view) => view.setUint8(8 + at, 0))),
    );
    expect(texts.join('\n')).toContain('the message at byte 0 is empty');
    const batch = [...readIpcStream(viewOf(stream))].at(-1)!;
    const place = batch.table.int64Place(3)!;
    const withBody = (length: number) =>
      refusal(changed(stream, (view) => view.setBigInt64(place, BigInt(length), true)));
    expect(withBody(batch.bodyLength)).toBe('fine');
    for (const length of [-8, stream.length])
      expect(withBody(length)).toContain(`the message at byte ${batch.at} is cut short`);
  });

  it('may be a schema alone, up to its last byte', () => {
    const schema = [...readIpcStream(viewOf(stream))][0]!;
    expect(refusal(stream.subarray(0, schema.bodyAt))).toBe('fine');
  });

  it('have no body where they are a schema', () => {
    const batch = [...readIpcStream(viewOf(stream))].at(-1)!;
    const texts = Array.from({ length: batch.bodyAt - batch.at }, (_, i) => batch.at + i)
      .filter((at) => stream[at] === RECORD_BATCH)
      .map((at) => refusal(changed(stream, (view) => view.setUint8(at, SCHEMA))));
    expect(texts.join('\n')).toContain(`the schema at byte ${batch.at} has a body`);
  });

  it('have values where they are a dictionary', () => {
    const dictionary = [...readIpcStream(viewOf(stream))][1]!;
    const place = dictionary.header.offsetPlace(1)!;
    expect(dictionary.kind).toBe(DICTIONARY_BATCH);
    expect(refusal(changed(stream, (view) => view.setUint16(place, 0, true)))).toMatch(
      /dictionary -?\d+ is empty/,
    );
  });
});

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
  /** A RecordBatch table of which only the vector of buffers is looked at. */
  const batch = { vector: (_: number, size: number) => ({ at: 40, length: 48 / size }) } as never;

  it('has 16 bytes for each, and 24 before V4', () => {
    expect(bufferEntries(batch, 3)).toEqual([40, 56, 72]);
    expect(bufferEntries(batch, 2)).toEqual([48, 72]);
  });
});
