import {
  type DataType,
  DateDay,
  Decimal,
  DenseUnion,
  Dictionary,
  DurationSecond,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float64,
  Int16,
  Int32,
  IntervalDayTime,
  LargeUtf8,
  List,
  Schema,
  Table,
  TimeNanosecond,
  TimestampNanosecond,
  tableToIPC,
  Uint8,
  Utf8,
  Utf8View,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { Flatbuffer, viewOf } from '../../../../src/frame/formats/ipc/flatbuffer.js';
import { type Message, readIpcStream } from '../../../../src/frame/formats/ipc/messages.js';
import { type IpcSchema, readIpcSchema } from '../../../../src/frame/formats/ipc/schema.js';
import { flatTable, START } from './flat-table.js';
import { refusal } from './refusal.js';

/** A stream of a schema and no batches. */
const schemaOf = (type: DataType, metadata?: Map<string, string>) =>
  tableToIPC(
    new Table(new Schema([new Field('a', type, true, metadata)], new Map([['farm', 'Boone']])), []),
    'stream',
  );

/** What is refused when the bytes with this value get another, one at a time. */
function refusals(bytes: Uint8Array, from: number, to: number): string[] {
  return [...bytes.keys()]
    .filter((at) => bytes[at] === from)
    .map((at) => {
      const changed = bytes.slice();
      changed[at] = to;
      return refusal(changed);
    });
}

const item = new Field('item', new Int32(), true);

describe('the types of a schema', () => {
  it.each([
    ['integers', new Int16(), 16, 12],
    ['numbers', new Float64(), 2, 3],
    ['decimals', new Decimal(2, 10, 256), 0, 2],
    ['dates', new DateDay(), 0, 2],
    ['times', new TimeNanosecond(), 3, 4],
    ['times of 64 bits', new TimeNanosecond(), 64, 16],
    ['timestamps', new TimestampNanosecond(), 3, 4],
    ['intervals', new IntervalDayTime(), 1, 3],
    ['durations', new DurationSecond(), 0, 4],
    ['bytes of one length', new FixedSizeBinary(5), 0, 128],
    ['lists of one length', new FixedSizeList(5, item), 0, 128],
    ['unions', new DenseUnion([0], [item]), 1, 2],
  ])('have widths and units that Arrow has: %s', (_, type, from, to) => {
    const bytes = schemaOf(type);
    expect(refusal(bytes)).toBe('fine');
    const wrong = /the type of column "a" has a width or unit that Arrow does not have/;
    expect(refusals(bytes, from, to).filter((text) => wrong.test(text)).length).toBeGreaterThan(0);
  });

  it('are named, and have their details', () => {
    const bytes = schemaOf(new Int32());
    const all = refusals(bytes, 2, 0).join('\n');
    expect(all).toContain('column "a" has no type');
    const details = Array.from(bytes, (_, at) => {
      const changed = bytes.slice();
      changed[at] = 0;
      return refusal(changed);
    });
    expect(details.join('\n')).toContain('column "a" lacks the details of its type');
  });

  it.each([
    ['bytes', new Utf8(), 5, 4, ['x', 'yz', null]],
    ['many bytes', new LargeUtf8(), 20, 19, ['x', 'yz', null]],
    ['views of bytes', new Utf8View(), 24, 23, ['x', 'a text longer than twelve bytes', null]],
  ])('may be ones that frames do not hold: %s', (_, type, from, to, values) => {
    const bytes = tableToIPC(new Table({ a: vectorFromArray<DataType>(values, type) }), 'stream');
    const LIST = 12;
    const typeAt = refusals(bytes, from, LIST).findIndex((text) => text.includes('0 types of element'));
    expect(refusals(bytes, from, to)[typeAt]).toBe('fine');
  });

  it('have offsets of 8 bytes where they are long lists', () => {
    const bytes = tableToIPC(new Table({ a: vectorFromArray([[1], [2, 3], [4]], new List(item)) }), 'stream');
    const LONG_LIST = 21;
    expect(refusals(bytes, 12, LONG_LIST).join('\n')).toContain('bytes where its rows need 32');
    const MAP = 17;
    expect(refusals(bytes, 12, MAP)).toContain('fine');
  });

  it.each([
    ['lists', 12],
    ['long lists', 21],
    ['maps', 17],
    ['lists of one length', 16],
  ])('have the columns within them: %s', (_, type) => {
    expect(refusals(schemaOf(new Int32()), 2, type).join('\n')).toContain(
      'list column "a" has 0 types of element, not one',
    );
  });

  it('are nested no deeper than 64', () => {
    const nested = (depth: number) => {
      let type: DataType = new Int32();
      for (let i = 1; i < depth; i++) type = new List(new Field(`level ${depth - i + 1}`, type, true));
      return refusal(schemaOf(type));
    };
    expect(nested(64)).toBe('fine');
    expect(nested(65)).toContain('column "level 65" is nested more than 64 deep');
  });
});

/** The schema of a stream as it is read. */
function readSchema(bytes: Uint8Array): IpcSchema {
  const [{ header, version }] = [...readIpcStream(viewOf(bytes))] as [Message];
  return readIpcSchema(header, version);
}

describe('the layout of a type', () => {
  it.each([0, 1, 5])('bytes of one length, %i', (size) => {
    const { columns } = readSchema(schemaOf(new FixedSizeBinary(size)));
    expect(columns.map(({ layout }) => layout)).toEqual([{ kind: 'fixed', bits: 8 * size }]);
  });

  it('has no unit below 0', () => {
    const NANOSECOND = 3;
    const bytes = schemaOf(new TimestampNanosecond());
    const texts = [...bytes.keys()]
      .filter((at) => bytes[at] === NANOSECOND && bytes[at + 1] === 0)
      .map((at) => {
        const changed = bytes.slice();
        changed.set([255, 255], at);
        return refusal(changed);
      });
    expect(texts.join('\n')).toContain('the type of column "a" has a width or unit that Arrow does not have');
  });
});

describe('the dictionaries of a schema', () => {
  it('are those of columns that have one', () => {
    expect(readSchema(schemaOf(new Int32())).dictionaries).toEqual(new Map());
    const { columns, dictionaries } = readSchema(schemaOf(new Dictionary(new Utf8(), new Int16(), 77)));
    expect(dictionaries).toEqual(new Map([[77, { ...columns[0]!, dictionary: null }]]));
  });

  it('have as many entries as their indices can number, signed or not', () => {
    const words = Array.from({ length: 200 }, (_, i) => `word ${i}`);
    const word = vectorFromArray(words, new Dictionary(new Utf8(), new Uint8()));
    expect(refusal(tableToIPC(new Table({ word }), 'stream'))).toBe('fine');
  });
});

describe('a schema', () => {
  it('is little-endian', () => {
    const read = (endianness: number) => {
      const bytes = flatTable([{ width: 2, value: endianness }]);
      return () => readIpcSchema(new Flatbuffer(new DataView(bytes.buffer), START, bytes.length).root(), 4);
    };
    expect(read(0)()).toEqual({ version: 4, columns: [], dictionaries: new Map(), known: true });
    expect(read(1)).toThrow('this Arrow IPC is big-endian, which is not supported; write it little-endian');
  });

  it.each(['farm', 'Boone', 'unit', 'acre'])('has metadata within its bytes: %s', (text) => {
    const bytes = schemaOf(new Int32(), new Map([['unit', 'acre']]));
    const at = Buffer.from(bytes).indexOf(text) - 4;
    const changed = bytes.slice();
    changed[at + 1] = 0xff;
    expect(bytes[at]).toBe(text.length);
    expect(refusal(bytes)).toBe('fine');
    expect(refusal(changed)).toContain('refers outside itself');
  });
});
