import {
  type DataType,
  DateDay,
  Dictionary,
  DurationSecond,
  Field,
  FixedSizeList,
  Float64,
  Int8,
  Int16,
  Int32,
  LargeUtf8,
  List,
  makeData,
  makeVector,
  RecordBatchStreamWriter,
  Struct,
  Table,
  TimeNanosecond,
  TimestampNanosecond,
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
import { readMessages } from '../../../../src/frame/formats/ipc/messages.js';
import { fromArrow } from '../../../../src/frame/formats/read-arrow.js';
import { changed, find, join, messagesOf, refusal } from './refusal.js';

const stream = (columns: Record<string, Vector>) => tableToIPC(new Table(columns), 'stream');
const words = (...values: (number | bigint)[]) => BigInt64Array.from(values, BigInt);

const isFine = (bytes: Uint8Array) => expect(refusal(bytes)).toBe('fine');
const isRefused = (bytes: Uint8Array, text: string) => expect(refusal(bytes)).toContain(text);

/** A copy with a 64-bit number in place of another one. */
const withWord = (bytes: Uint8Array, at: number, word: bigint) => changed(bytes, at, words(word));

const ints = vectorFromArray([1, 2, 3, 4, 5], new Int32());
const holey = vectorFromArray([1, null, 3, 4, 5], new Int32());

describe('the rows of a column', () => {
  const bytes = stream({ a: ints, b: holey });
  const [a, b] = [find(bytes, words(5, 0)), find(bytes, words(5, 1))];

  it('are as many as the batch has', () => {
    isFine(bytes);
    for (const rows of [4n, 6n])
      isRefused(withWord(bytes, a, rows), `column "a" has ${rows} rows, but its batch has 5`);
    isRefused(withWord(bytes, b, 4n), 'column "b" has 4 rows, but its batch has 5');
  });

  it('are null as often as stated, which is no more than there are rows', () => {
    isRefused(withWord(bytes, b + 8, 6n), 'column "b" has 6 nulls in 5 rows');
    isRefused(withWord(bytes, b + 8, -2n), 'column "b" has -2 nulls in 5 rows');
    isFine(withWord(bytes, a + 8, -1n));
    isRefused(withWord(bytes, b + 8, 2n), 'column "b" claims to have 2 nulls, but its bitmap has 1');
    isRefused(withWord(bytes, a + 8, 1n), 'column "a" claims to have 1 nulls, but its bitmap has 0');
  });
});

describe('the batches of a stream', () => {
  const [one, two] = [stream({ a: ints }), stream({ a: ints, b: holey })];
  const [schemaOfOne, batchOfOne, end] = messagesOf(one);
  const [schemaOfTwo, batchOfTwo] = messagesOf(two);

  it('have the columns of the schema', () => {
    isFine(join([schemaOfOne!, batchOfOne!, batchOfOne!, end!]));
    isRefused(join([schemaOfOne!, batchOfTwo!, end!]), 'more columns or buffers than the schema');
    isRefused(join([schemaOfTwo!, batchOfOne!, end!]), 'column "b" is missing from a batch');
  });

  it('belong to the schema before them', () => {
    isRefused(join([batchOfOne!, end!]), 'is before any schema');
    isFine(join([schemaOfTwo!, schemaOfOne!, batchOfOne!, end!]));
    isFine(join([schemaOfOne!, end!]));
  });
});

describe('the dictionaries of a stream', () => {
  const word = vectorFromArray(['x', 'y', 'x'], new Dictionary(new Utf8(), new Int32(), 77));
  const plain = messagesOf(stream({ word }));
  const [schema, dictionary, batch, end] = plain;
  const noEntry = 'row 0 of column "word" refers to entry 0 of a dictionary with 0 entries';

  it('belong to a column', () => {
    isFine(join(plain));
    const other = withWord(dictionary!, find(dictionary!, words(77)), 78n);
    isRefused(join([schema!, other, batch!, end!]), 'dictionary 78 belongs to no column');
    isRefused(join([dictionary!, schema!, batch!, end!]), 'is before any schema');
    isRefused(join([schema!, batch!, end!]), noEntry);
  });

  it('are forgotten with their schema', () => {
    isRefused(join([schema!, dictionary!, schema!, batch!, end!]), noEntry);
  });

  it('are replaced by later ones, and extended by deltas', () => {
    const shorter = vectorFromArray(['x'], new Dictionary(new Utf8(), new Int32(), 77));
    const [, one] = messagesOf(stream({ word: shorter }));
    isRefused(
      join([schema!, dictionary!, one!, batch!, end!]),
      'row 1 of column "word" refers to entry 1 of a dictionary with 1 entries',
    );
    isFine(join([schema!, one!, dictionary!, batch!, end!]));
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
    const at = find(bytes, indices) + indices.BYTES_PER_ELEMENT;
    isFine(bytes);
    bytes[at] = byte;
    isRefused(bytes, `row 1 of column "word" refers to entry ${entry} of a dictionary with 3 entries;`);
  });

  test('but for rows without a value', () => {
    const word = vectorFromArray(['a', null, 'b', 'b', 'a', 'b'], new Dictionary(new Utf8(), new Int32()));
    const bytes = stream({ word });
    const at = find(bytes, Int32Array.of(0, 0, 1, 1, 0, 1));
    bytes[at + 4] = 77;
    isFine(bytes);
    bytes[at + 8] = 77;
    isRefused(bytes, 'row 2 of column "word" refers to entry 77');
  });
});

describe('columns within columns', () => {
  const field = (name: string) => new Field(name, new Float64(), true);
  const pairs = stream({
    pair: vectorFromArray(
      [1, 3, 5].map((x) => [x, x + 1]),
      new FixedSizeList(2, field('half')),
    ),
  });

  it('are long enough for lists of one length', () => {
    isFine(pairs);
    isRefused(
      withWord(pairs, find(pairs, words(6, 0)), 5n),
      'a buffer of column "pair" has 5 values, but its rows need 6',
    );
  });

  it('are long enough for structs, but for the rows that are null', () => {
    const type = new Struct<{ x: Float64 }>([field('x')]);
    const bytes = stream({ s: vectorFromArray([{ x: 1 }, { x: 2 }, { x: 3 }], type) });
    const child = find(bytes, words(3, 0), 2);
    isFine(bytes);
    isRefused(withWord(bytes, child, 2n), 'a buffer of column "s" has 2 values, but its rows need 3');
  });

  it('hold every list', () => {
    const bytes = stream({ list: vectorFromArray([[1, 2], [], [3]], new List(field('item'))) });
    isFine(bytes);
    isRefused(
      withWord(bytes, find(bytes, words(3, 0), 1), 2n),
      'the values of column "list" extend past the end of their buffer',
    );
  });

  it('of long texts have offsets of 8 bytes', () => {
    const bytes = stream({ text: vectorFromArray(['ab', 'c', 'def'], new LargeUtf8()) });
    const at = find(bytes, words(0, 2, 3, 6));
    isFine(bytes);
    isRefused(withWord(bytes, at + 8, 4n), 'value 2 of column "text" begins before the previous one');
    isRefused(
      withWord(bytes, at + 24, 4_000n),
      'values of column "text" extend past the end of their buffer',
    );
  });

  it('of views have a buffer for long texts', () => {
    const text = 'a text longer than twelve bytes';
    const bytes = stream({ text: vectorFromArray(['', text, 'short'], new Utf8View()) });
    // Its length, and the first letters that a view repeats.
    const view = Int32Array.of(text.length, Buffer.from(text).readInt32LE());
    const at = find(bytes, view);
    isFine(bytes);
    for (const [place, value] of [
      [at, 200],
      [at, -1],
      [at + 8, 1],
      [at + 8, -1],
      [at + 12, 99],
      [at + 12, -1],
    ] as const)
      isRefused(changed(bytes, place, Int32Array.of(value)), 'row 1 of column "text" is outside its buffers');
  });
});

describe('the types of a schema', () => {
  /** What is refused when the bytes with this value get another, one at a time. */
  function refusals(type: DataType, from: number, to: number): string[] {
    const data = new (type.ArrayType as Float64ArrayConstructor)(4);
    const bytes = stream({ a: makeVector(makeData({ type, length: 1, data } as never)) });
    isFine(bytes);
    const places = [...bytes.keys()].filter((at) => bytes[at] === from);
    return places.map((at) => refusal(changed(bytes, at, Uint8Array.of(to))));
  }

  it.each([
    ['dates', new DateDay(), 0],
    ['times', new TimeNanosecond(), 3],
    ['timestamps', new TimestampNanosecond(), 3],
    ['durations', new DurationSecond(), 0],
  ])('have units that Arrow has: %s', (_, type, from) => {
    const wrong = 'the type of column "a" has a unit that Arrow does not define';
    expect(refusals(type, from, 9).filter((text) => text.includes(wrong)).length).toBeGreaterThan(0);
  });

  it('have widths that Arrow has', () => {
    expect(refusals(new Int16(), 16, 12).join()).toContain("Arrow's reader cannot read");
  });
});

describe('the messages', () => {
  const table = new Table({
    a: ints,
    d: vectorFromArray(['x', 'y', 'x', 'y', 'x'], new Dictionary(new Utf8(), new Int16())),
  });
  const file = tableToIPC(table, 'file');
  const marked = tableToIPC(table, 'stream');
  const unmarked = marked.subarray(0, -8);
  const older = RecordBatchStreamWriter.writeAll(table, { writeLegacyIpcFormat: true }).toUint8Array(true);
  /** Where the length of the file's footer stands. */
  const LENGTH = file.length - 10;

  it('of a file are where its footer says', () => {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    const footerAt = LENGTH - view.getInt32(LENGTH, true);
    const [dictionaryAt, batchAt] = [...readMessages(file).messages].map(({ at }) => at);
    const entryOf = (at: number) => footerAt + find(file.subarray(footerAt), words(at));
    for (const [at, offset] of [
      [dictionaryAt!, batchAt!],
      [batchAt!, dictionaryAt!],
      [batchAt!, 7],
      [batchAt!, -8],
      [batchAt!, file.length],
    ] as const)
      isRefused(
        withWord(file, entryOf(at), BigInt(offset)),
        `the block at byte ${offset} is not the kind of batch that the footer indicates`,
      );
    isRefused(withWord(file, entryOf(batchAt!), BigInt(footerAt - 8)), 'corrupt or truncated');
  });

  it.each([0, -8, file.length, 0x7fffffff])(
    'of a file are before its footer, unlike one of %i bytes',
    (length) => {
      isRefused(changed(file, LENGTH, Int32Array.of(length)), 'the footer is longer than the file');
    },
  );

  it('of a stream are read to the end that is marked or not, which zeros alone follow', () => {
    for (const bytes of [marked, unmarked, older, older.subarray(0, -4)])
      expect(fromArrow(bytes).numRows).toBe(5);
    for (const bytes of [marked, older])
      for (const zeros of [0, 5]) {
        isFine(join([bytes, new Uint8Array(zeros)]));
        expect(refusal(join([bytes, new Uint8Array(zeros), Uint8Array.of(1)]))).toMatch(
          /the stream ends at byte \d+, but bytes follow/,
        );
      }
  });

  it('of a stream are complete', () => {
    const cut = `the message at byte ${unmarked.length} is truncated`;
    for (const rest of [
      [1],
      [1, 0, 0],
      [255, 255, 255, 255],
      [255, 255, 255, 255, 0, 0, 0],
      [255, 255, 255, 255, 16, 0, 0, 0],
      [255, 255, 255, 255, 0, 0, 0, 128],
      [16, 0, 0, 0],
      [0, 0, 0, 128],
    ])
      isRefused(join([unmarked, Uint8Array.from(rest)]), cut);
    for (const length of [4, 100])
      isRefused(marked.subarray(0, length), 'the message at byte 0 is truncated');
    expect(refusal(unmarked.subarray(0, -1))).toMatch(/the message at byte \d+ is truncated/);
  });
});
