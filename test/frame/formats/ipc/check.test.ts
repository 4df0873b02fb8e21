import {
  Dictionary,
  Field,
  FixedSizeList,
  Float64,
  Int8,
  Int16,
  Int32,
  LargeUtf8,
  List,
  RecordBatchStreamWriter,
  Struct,
  Table,
  tableToIPC,
  Uint8,
  Uint16,
  Uint32,
  Utf8,
  Utf8View,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, it, test } from 'vitest';
import { viewOf } from '../../../../src/frame/formats/ipc/flatbuffer.js';
import { type Block, readIpcFile, readIpcStream } from '../../../../src/frame/formats/ipc/messages.js';
import { refusal } from './refusal.js';

const stream = (columns: Record<string, Vector>) => tableToIPC(new Table(columns), 'stream');
const words = (...values: (number | bigint)[]) => new Uint8Array(BigInt64Array.from(values, BigInt).buffer);

/** Where these bytes stand for the `nth` time, from 0. */
function find(bytes: Uint8Array, wanted: Uint8Array, nth = 0): number {
  let seen = 0;
  for (let at = 0; at + wanted.length <= bytes.length; at++)
    if (wanted.every((byte, i) => bytes[at + i] === byte) && seen++ === nth) return at;
  throw new Error(`these ${wanted.length} bytes are not there ${nth + 1} times`);
}

/** A copy with a 64-bit number in place of another one. */
function withWord(bytes: Uint8Array, at: number, word: bigint): Uint8Array {
  const copy = bytes.slice();
  new DataView(copy.buffer).setBigInt64(at, word, true);
  return copy;
}

/** The messages of a stream: its schema, its dictionaries and batches, its end. */
function messagesOf(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; at += 8) if (view.getInt32(at, true) === -1) starts.push(at);
  return starts.map((start, i) => bytes.slice(start, starts[i + 1] ?? bytes.length));
}
const join = (pieces: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(pieces));

const ints = vectorFromArray([1, 2, 3, 4, 5], new Int32());
const holey = vectorFromArray([1, null, 3, 4, 5], new Int32());

describe('the rows of a column', () => {
  const bytes = stream({ a: ints, b: holey });
  const [a, b] = [find(bytes, words(5, 0)), find(bytes, words(5, 1))];

  it('are as many as the batch has', () => {
    expect(refusal(bytes)).toBe('fine');
    for (const rows of [4n, 6n])
      expect(refusal(withWord(bytes, a, rows))).toContain(
        `column "a" has ${rows} rows where the batch has 5`,
      );
    expect(refusal(withWord(bytes, b, 4n))).toContain('column "b" has 4 rows where the batch has 5');
  });

  it('are null as often as stated, which is no more than there are rows', () => {
    expect(refusal(withWord(bytes, b + 8, 6n))).toContain('column "b" has 6 nulls in 5 rows');
    expect(refusal(withWord(bytes, b + 8, -2n))).toContain('column "b" has -2 nulls in 5 rows');
    expect(refusal(withWord(bytes, a + 8, -1n))).toBe('fine');
    expect(refusal(withWord(bytes, b + 8, 2n))).toContain('column "b" states 2 nulls where its bitmap has 1');
    expect(refusal(withWord(bytes, a + 8, 1n))).toContain(
      'a buffer of column "a" has 0 bytes where its rows need 1',
    );
  });
});

describe('the batches of a stream', () => {
  const [one, two] = [stream({ a: ints }), stream({ a: ints, b: holey })];
  const [schemaOfOne, batchOfOne, end] = messagesOf(one);
  const [schemaOfTwo, batchOfTwo] = messagesOf(two);

  it('have the columns of the schema', () => {
    expect(refusal(join([schemaOfOne!, batchOfOne!, batchOfOne!, end!]))).toBe('fine');
    expect(refusal(join([schemaOfOne!, batchOfTwo!, end!]))).toContain(
      'more columns or buffers than the schema',
    );
    expect(refusal(join([schemaOfTwo!, batchOfOne!, end!]))).toContain('a batch lacks column "b"');
  });

  it('belong to the schema before them', () => {
    expect(refusal(join([batchOfOne!, end!]))).toContain('is before any schema');
    expect(refusal(join([schemaOfTwo!, schemaOfOne!, batchOfOne!, end!]))).toBe('fine');
    expect(refusal(join([schemaOfOne!, end!]))).toBe('fine');
  });
});

describe('the dictionaries of a stream', () => {
  const word = vectorFromArray(['x', 'y', 'x'], new Dictionary(new Utf8(), new Int32(), 77));
  const plain = messagesOf(stream({ word }));
  const [schema, dictionary, batch, end] = plain;

  it('belong to a column', () => {
    expect(refusal(join(plain))).toBe('fine');
    const other = withWord(dictionary!, find(dictionary!, words(77)), 78n);
    expect(refusal(join([schema!, other, batch!, end!]))).toContain('dictionary 78 belongs to no column');
    expect(refusal(join([dictionary!, schema!, batch!, end!]))).toContain('is before any schema');
    expect(refusal(join([schema!, batch!, end!]))).toContain('the dictionary of column "word" is missing');
  });

  it('are forgotten with their schema', () => {
    expect(refusal(join([schema!, dictionary!, schema!, batch!, end!]))).toContain(
      'dictionary of column "word" is missing',
    );
  });

  it('are replaced by later ones, and extended by deltas', () => {
    const shorter = vectorFromArray(['x'], new Dictionary(new Utf8(), new Int32(), 77));
    const [, one] = messagesOf(stream({ word: shorter }));
    expect(refusal(join([schema!, dictionary!, one!, batch!, end!]))).toContain(
      'row 1 of column "word" is entry 1 of a dictionary that has 1',
    );
    expect(refusal(join([schema!, one!, dictionary!, batch!, end!]))).toBe('fine');
  });
});

describe('columns within columns', () => {
  const field = (name: string) => new Field(name, new Float64(), true);
  const pairs = stream({
    pair: vectorFromArray(
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      new FixedSizeList(2, field('half')),
    ),
  });

  it('are long enough for lists of one length', () => {
    expect(refusal(pairs)).toBe('fine');
    expect(refusal(withWord(pairs, find(pairs, words(6, 0)), 5n))).toContain(
      'column "half" within "pair" is too short',
    );
  });

  it('are long enough for structs, but for the rows that are null', () => {
    const type = new Struct<{ x: Float64 }>([field('x')]);
    const bytes = stream({ s: vectorFromArray([{ x: 1 }, { x: 2 }, { x: 3 }], type) });
    const child = find(bytes, words(3, 0), 2);
    expect(refusal(bytes)).toBe('fine');
    expect(refusal(withWord(bytes, child, 2n))).toContain('column "x" within "s" is too short');
  });

  it('hold every list', () => {
    const bytes = stream({ list: vectorFromArray([[1, 2], [], [3]], new List(field('item'))) });
    expect(refusal(bytes)).toBe('fine');
    expect(refusal(withWord(bytes, find(bytes, words(3, 0), 1), 2n))).toContain(
      'the values of column "list" reach past their end',
    );
  });

  it('of long texts have offsets of 8 bytes', () => {
    const bytes = stream({ text: vectorFromArray(['ab', 'c', 'def'], new LargeUtf8()) });
    const at = find(bytes, words(0, 2, 3, 6));
    expect(refusal(bytes)).toBe('fine');
    expect(refusal(withWord(bytes, at + 8, 4n))).toContain(
      'value 2 of column "text" begins before the previous one',
    );
    expect(refusal(withWord(bytes, at + 24, 4_000n))).toContain(
      'values of column "text" reach past their end',
    );
  });

  it('of views have a buffer for long texts', () => {
    const text = 'a text longer than twelve bytes';
    const bytes = stream({ text: vectorFromArray(['', text, 'short'], new Utf8View()) });
    const at = find(bytes, new Uint8Array(Int32Array.of(text.length).buffer), 0);
    expect(refusal(bytes)).toBe('fine');
    const sizes = Array.from(bytes, (byte, i) => {
      if (byte !== text.length || bytes[i + 1] !== 0 || bytes[i + 4] !== 'a'.charCodeAt(0)) return '';
      const changed = bytes.slice();
      changed[i] = 200;
      return refusal(changed);
    });
    expect(at).toBeGreaterThan(0);
    expect(sizes.filter((one) => one.includes('row 1 of column "text" is outside its buffers'))).toHaveLength(
      1,
    );
  });
});

describe('entries of a dictionary, by each type of index', () => {
  const rows = [0, 1, 2, 0, 1, 2, 2, 2];
  test.each([
    ['int8', new Int8(), Int8Array.from(rows), 255, -1],
    ['uint8', new Uint8(), Uint8Array.from(rows), 9, 9],
    ['int16', new Int16(), Int16Array.from(rows), 9, 9],
    ['uint16', new Uint16(), Uint16Array.from(rows), 3, 3],
    ['int32', new Int32(), Int32Array.from(rows), 200, 200],
    ['uint32', new Uint32(), Uint32Array.from(rows), 3, 3],
  ])('%s', (_, type, indices, byte, entry) => {
    const words = ['a', 'b', 'c', 'a', 'b', 'c', 'c', 'c'];
    const bytes = stream({
      word: vectorFromArray(words, new Dictionary<Utf8, Int32>(new Utf8(), type as Int32)),
    });
    const at = find(bytes, new Uint8Array(indices.buffer)) + indices.BYTES_PER_ELEMENT;
    expect(refusal(bytes)).toBe('fine');
    bytes[at] = byte;
    expect(refusal(bytes)).toContain(`row 1 of column "word" is entry ${entry} of a dictionary that has 3;`);
  });

  test('but for rows without a value', () => {
    const word = vectorFromArray(['a', null, 'b', 'b', 'a', 'b'], new Dictionary(new Utf8(), new Int32()));
    const bytes = stream({ word });
    const at = find(bytes, new Uint8Array(Int32Array.of(0, 0, 1, 1, 0, 1).buffer));
    bytes[at + 4] = 77;
    expect(refusal(bytes)).toBe('fine');
    bytes[at + 8] = 77;
    expect(refusal(bytes)).toContain('row 2 of column "word" is entry 77');
  });
});

describe('the blocks of a file', () => {
  const file = tableToIPC(
    new Table({
      a: ints,
      d: vectorFromArray(['x', 'y', 'x', 'x', 'y'], new Dictionary(new Utf8(), new Int16())),
    }),
    'file',
  );
  /** What is refused when the entry of the batch in the footer is changed. */
  const withBatch = (change: (view: DataView, block: Block, dictionary: Block) => void) => {
    const copy = file.slice();
    const [dictionary, batch] = readIpcFile(viewOf(file)).blocks;
    change(viewOf(copy), batch!, dictionary!);
    return refusal(copy);
  };
  /** Where the length of the footer is. */
  const LENGTH = file.length - 10;

  it.each([
    ['within the file', 0, 7, 'block 0 of the footer is out of range'],
    ['not before it', 0, -8, 'block 0 of the footer is out of range'],
    ['of a length', 16, -8, 'block 0 of the footer is out of range'],
    ['no longer than the file', 16, file.length, 'its blocks are longer than the file'],
  ])('are %s', (_, field, value, message) => {
    expect(refusal(file)).toBe('fine');
    const refused = withBatch((view, { entryAt }) => view.setBigInt64(entryAt + field, BigInt(value), true));
    expect(refused).toContain(message);
  });

  it('are what the footer says, and end before it', () => {
    const swapped = withBatch((view, { entryAt }, other) =>
      view.setBigInt64(entryAt, BigInt(other.message.at), true),
    );
    expect(swapped).toMatch(/the block at byte \d+ is not the batch that the footer says/);
    const footerAt = LENGTH - viewOf(file).getInt32(LENGTH, true);
    const late = withBatch((view, { entryAt }) => view.setBigInt64(entryAt, BigInt(footerAt - 8), true));
    expect(late).toContain(`the block at byte ${footerAt - 8} reaches past the messages`);
  });

  it.each([0, -8, file.length, 0x7fffffff])('are in a footer within the file, not of %i bytes', (length) => {
    const copy = file.slice();
    viewOf(copy).setInt32(LENGTH, length, true);
    expect(refusal(copy)).toContain('the footer is longer than the file');
  });
});

test('messages of a stream, also of Arrow before 0.15, are complete, and followed by zeros alone', () => {
  const whole = stream({ a: ints });
  const table = new Table({ a: ints });
  const older = RecordBatchStreamWriter.writeAll(table, { writeLegacyIpcFormat: true }).toUint8Array(true);
  const unmarked = whole.subarray(0, -8);
  for (const bytes of [whole, unmarked, older, older.subarray(0, -4)])
    expect([...readIpcStream(viewOf(bytes))].map(({ kind }) => kind)).toEqual([1, 3]);
  for (const bytes of [whole, older]) {
    expect(refusal(Uint8Array.from([...bytes, 0, 0, 0, 0, 0]))).toBe('fine');
    expect(refusal(Uint8Array.from([...bytes, 0, 1]))).toMatch(
      /the stream ends at byte \d+, but bytes follow/,
    );
  }
  const MARK = [255, 255, 255, 255];
  for (const rest of [
    [1],
    [1, 0, 0],
    MARK,
    [...MARK, 0, 0],
    [...MARK, 16, 0, 0, 0],
    [16, 0, 0, 0],
    [0, 0, 0, 128],
  ])
    expect(refusal(Uint8Array.from([...unmarked, ...rest]))).toContain(
      `the message at byte ${unmarked.length} is cut short`,
    );
  expect(refusal(unmarked.subarray(0, -1))).toMatch(/the message at byte \d+ is cut short/);
});
