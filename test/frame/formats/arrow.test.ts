import { Int32, Table, Type, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { writeArrow } from '../../../src/frame/formats/arrow.js';
import { fromArrow } from '../../../src/frame/formats/read-arrow.js';
import { frame } from '../../../src/frame/frame.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { collect } from '../../sequences.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../points.js';
import { dictionaryBatches } from './arrow-tables.js';
import { compressedArrow, ENCODE } from './compressed-arrow.js';
import { anyFrame, contents } from './round-trip.js';

const DAILY = {
  series: [seriesOf()],
  runs: runsOf([0, 1, 2].map((day) => ({ series: 0, start: day, end: day, value: day }))),
};

/** A stream of columns `a` and `b` whose names are then both `b`. */
function twoOfOneName(): Uint8Array {
  const column = (value: number) => vectorFromArray([value], new Int32());
  const bytes = tableToIPC(new Table({ a: column(1), b: column(2) }), 'stream');
  const [a, b] = ['a', 'b'].map((name) => name.charCodeAt(0));
  // In metadata, a text of one byte follows its length.
  return bytes.map((byte, at) => (byte === a && bytes[at - 4] === 1 && bytes[at + 1] === 0 ? b! : byte));
}

describe('Arrow IPC', () => {
  test('a file leaves out batches without rows, whose dictionaries may differ', () => {
    const { schema, batches } = dictionaryBatches('replacement');
    const table = frame(new Table(schema, [batches[0]!, batches[1]!.slice(0, 0)]));
    expect(fromArrow(table.toArrow()).toRows()).toEqual(table.toRows());
  });

  test('the file format round-trips any frame, with provenance and a valid checksum', () => {
    fc.assert(
      fc.property(anyFrame, (table) => {
        const read = fromArrow(frame(table).toArrow());
        expect(contents(read)).toEqual(contents(table));
        expect(read.provenance).toEqual(frame(table).provenance);
        expect(read.summary().checksum.state).toBe('verified');
      }),
    );
  });

  test('equal frames are written as equal bytes', () => {
    const bytes = () => longFrame(DAILY, { names: NAMES, provenance: PROVENANCE }).toArrow();
    expect(bytes()).toEqual(bytes());
  });

  test('name columns of different frames fit into one table', () => {
    const [one, other] = [NAMES, { ...NAMES, regions: new Map([[3, 'Ohio']]) }].map(
      (names) => longFrame(DAILY, { names }).getChild('region_name')!,
    );
    const both = fromArrow(frame(new Table({ one: one!, other: other! })).toArrow());
    expect(contents(both).rows[0]).toEqual({ one: 'Iowa', other: 'Ohio' });
  });

  test('columns of another table that share a buffer are all written', () => {
    const value = longFrame(DAILY).getChild('value')!;
    const table = new Table({ one: value, other: value });
    expect(contents(fromArrow(frame(table).toArrow({ format: 'stream' }))).rows).toEqual(
      contents(table).rows,
    );
  });

  test('a changed value invalidates the checksum', () => {
    const read = fromArrow(longFrame(DAILY, { provenance: PROVENANCE }).toArrow());
    read.getChild('value')!.data[0]!.values[1] = 99;
    expect(read.summary().checksum.state).toBe('differs');
  });

  test.each<[unknown, string]>([
    [new TextEncoder().encode('{"error":"not found"}'), 'not an Arrow IPC'],
    [new Uint8Array(), 'bytes: no Arrow schema'],
    [longFrame(DAILY).toArrow().subarray(0, 300), 'does not end as an Arrow file'],
    ['ARROW1', 'bytes: not a Uint8Array'],
    [undefined, 'bytes: not a Uint8Array'],
  ])('refuses what is no Arrow IPC', (bytes, message) => {
    const read = () => fromArrow(bytes as Uint8Array);
    expect(read).toThrow(ArgumentError);
    expect(read).toThrow(message);
  });

  test('refuses what the buffers hold once they are decompressed', () => {
    const table = new Table({
      text: vectorFromArray(
        Array.from({ length: 3000 }, (_, i) => `field ${i % 7}`),
        new Utf8(),
      ),
    });
    expect(fromArrow(compressedArrow(table, 'stream', 'lz4')).numRows).toBe(3000);
    const encode = (bytes: Uint8Array) => ENCODE.lz4(new Uint8Array(bytes.length).fill(255));
    expect(() => fromArrow(compressedArrow(table, 'stream', 'lz4', { encode }))).toThrow(
      'value 0 of column "text" begins before the previous one',
    );
  });

  test('shows and writes two columns of one name', () => {
    const frame = fromArrow(twoOfOneName());
    expect(frame.slice(0, 1).schema.fields.map(({ name }) => name)).toEqual(['b', 'b']);
    expect(frame.toCsv()).toBe('b,b\r\n1,2\r\n');
    expect(() => frame.toRows()).toThrow('two columns are called "b"');
  });

  test("names what Arrow's reader does not know, and keeps its error", () => {
    const bytes = tableToIPC(new Table({ a: vectorFromArray([1], new Int32()) }), 'stream');
    const RUN_END_ENCODED = 22;
    const refusals = Array.from(bytes, (byte, at) => {
      if (byte !== Type.Int) return null;
      const changed = bytes.slice();
      changed[at] = RUN_END_ENCODED;
      try {
        return fromArrow(changed) && null;
      } catch (error) {
        return error as ArgumentError;
      }
    }).filter((error) => error?.cause !== undefined);
    expect(refusals[0]?.message).toMatch(
      /^bytes: Arrow's reader cannot read this Arrow IPC: Unrecognized type/,
    );
    expect(refusals[0]?.cause).toBeInstanceOf(Error);
  });
});

test.each([
  [undefined, 'ARROW1'],
  ['file', 'ARROW1'],
  ['stream', '\xff\xff\xff\xff'],
] as const)('writeArrow yields a piece for each batch and one that ends a %s', async (format, start) => {
  const table = longFrame(DAILY, { names: NAMES });
  async function* batches() {
    for (const one of [table, table]) yield* one.batches;
  }
  const pieces = await collect(writeArrow({ schema: table.schema, batches: batches() }, { format }));
  expect(pieces).toHaveLength(3);
  const bytes = Buffer.concat(pieces);
  expect(bytes.toString('latin1').startsWith(start)).toBe(true);
  expect(contents(fromArrow(bytes)).rows).toEqual([...contents(table).rows, ...contents(table).rows]);
});
