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
import { type Block, readIpcFile, readIpcStream } from '../../../../src/frame/formats/ipc/messages.js';
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

  it('end before the footer, and are no longer than the file together', () => {
    const footerAt = LENGTH - viewOf(file).getInt32(LENGTH, true);
    const late = withBlock(1, (view, { entryAt }) => view.setBigInt64(entryAt, BigInt(footerAt - 8), true));
    expect(late).toContain(`the block at byte ${footerAt - 8} reaches past the messages`);
    const long = withBlock(1, (view, { entryAt }) =>
      view.setBigInt64(entryAt + 16, BigInt(file.length), true),
    );
    expect(long).toContain('its blocks are longer than the file');
  });
});

describe('a file', () => {
  it.each([0, -8, file.length, 0x7fffffff])('has a footer within it, not of %i bytes', (length) => {
    expect(refusal(changed(file, (view) => view.setInt32(LENGTH, length, true)))).toContain(
      'the footer is longer than the file',
    );
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
});
