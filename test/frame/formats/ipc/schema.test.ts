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
  List,
  Schema,
  Table,
  TimeNanosecond,
  TimestampNanosecond,
  tableToIPC,
  Uint8,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
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

  it('have offsets of 8 bytes where they are long lists', () => {
    const bytes = tableToIPC(new Table({ a: vectorFromArray([[1], [2, 3], [4]], new List(item)) }), 'stream');
    const LONG_LIST = 21;
    expect(refusals(bytes, 12, LONG_LIST).join('\n')).toContain('bytes where its rows need 32');
    const MAP = 17;
    expect(refusals(bytes, 12, MAP)).toContain('fine');
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

describe('the dictionaries of a schema', () => {
  it('have as many entries as their indices can number, signed or not', () => {
    const words = Array.from({ length: 200 }, (_, i) => `word ${i}`);
    const word = vectorFromArray(words, new Dictionary(new Utf8(), new Uint8()));
    expect(refusal(tableToIPC(new Table({ word }), 'stream'))).toBe('fine');
  });
});
