import {
  Binary,
  BinaryView,
  Bool,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  DenseUnion,
  Dictionary,
  DurationMicrosecond,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Float32,
  Int8,
  Int16,
  Int32,
  Int64,
  IntervalDayTime,
  IntervalMonthDayNano,
  IntervalYearMonth,
  LargeBinary,
  LargeUtf8,
  List,
  Map_,
  makeData,
  Null,
  Struct,
  Table,
  TimeMicrosecond,
  TimeMillisecond,
  TimestampMicrosecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint8,
  Uint64,
  Utf8,
  Utf8View,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { concat } from '../../../src/frame/combine/concat.js';
import { displayFrame } from '../../../src/frame/display/display-frame.js';
import { frameHtml } from '../../../src/frame/display/frame-html.js';
import { fromArrow, toArrowFile } from '../../../src/frame/formats/arrow.js';
import { toCsv } from '../../../src/frame/formats/csv.js';
import { danfoFrame } from '../../../src/frame/formats/danfo.js';
import { jsonPieces } from '../../../src/frame/formats/frame-pieces.js';
import { fromParquet, toParquet } from '../../../src/frame/formats/parquet/parquet.js';
import { toRows } from '../../../src/frame/formats/rows.js';
import { cellReader as workbookReader } from '../../../src/frame/formats/xlsx.js';
import { type Cell, cellReader, isNested } from '../../../src/frame/table/cells.js';
import { frameChecksum } from '../../../src/frame/table/checksum.js';
import { readColumns } from '../../../src/frame/table/columns.js';
import { takeColumn } from '../../../src/frame/table/take-rows.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { sql } from '../../../src/sql.js';

const takeRows = (values: Vector, rows: Int32Array) =>
  takeColumn({ type: 'other', values, valid: null }, rows).values;

interface Example {
  readonly vector: Vector;
  /** The first row and the third; the second is null. */
  readonly cells: readonly [Cell, Cell];
  /** The same as CSV, where the texts of the cells are not. */
  readonly csv?: readonly [string, string];
  /** Why Parquet cannot hold it. */
  readonly noParquet?: true;
  /** What a query gives back, where it is written otherwise. */
  readonly asked?: readonly [Cell, Cell];
}

const list = <T extends DataType>(type: T) => new List(new Field('item', type, true));
const pair = new Struct([new Field('a', new Int64(), true), new Field('b', new Utf8(), true)]);

/** One chunk of a type of fixed width. */
function fixed(type: DataType, data: ArrayBufferView): Vector {
  return new Vector([
    makeData({ type, length: 3, nullCount: 1, nullBitmap: Uint8Array.of(0b101), data } as never),
  ]);
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  bool: { vector: vectorFromArray([true, null, false], new Bool()), cells: [true, false] },
  int8: { vector: vectorFromArray([-1, null, 3], new Int8()), cells: [-1, 3] },
  int16: { vector: vectorFromArray([-300, null, 3], new Int16()), cells: [-300, 3] },
  uint8: { vector: vectorFromArray([255, null, 0], new Uint8()), cells: [255, 0] },
  int64: {
    vector: vectorFromArray([2n ** 53n + 1n, null, -5n], new Int64()),
    cells: [9007199254740993n, -5n],
  },
  uint64: {
    vector: vectorFromArray([2n ** 64n - 1n, null, 0n], new Uint64()),
    cells: [18446744073709551615n, 0n],
  },
  float16: { vector: vectorFromArray([0.5, null, -2], new Float16()), cells: [0.5, -2] },
  float32: { vector: vectorFromArray([0.5, null, -2], new Float32()), cells: [0.5, -2] },
  decimal128: {
    vector: fixed(new Decimal(2, 10, 128), Uint32Array.of(1234, 0, 0, 0, 0, 0, 0, 0, -5, -1, -1, -1)),
    cells: ['12.34', '-0.05'],
  },
  date: {
    vector: vectorFromArray([new Date(0), null, new Date(86_400_000)], new DateDay()),
    cells: ['1970-01-01T00:00:00.000Z', '1970-01-02T00:00:00.000Z'],
  },
  dateMs: {
    vector: fixed(new DateMillisecond(), BigInt64Array.of(0n, 0n, 86_400_000n)),
    cells: ['1970-01-01', '1970-01-02'],
    asked: ['1970-01-01T00:00:00.000Z', '1970-01-02T00:00:00.000Z'],
  },
  timestampS: {
    vector: fixed(new TimestampSecond(), BigInt64Array.of(0n, 0n, -1n)),
    cells: ['1970-01-01T00:00:00.000Z', '1969-12-31T23:59:59.000Z'],
  },
  timestampUs: {
    vector: fixed(new TimestampMicrosecond('UTC'), BigInt64Array.of(1_577_934_245_123_456n, 0n, -1n)),
    cells: ['2020-01-02T03:04:05.123456Z', '1969-12-31T23:59:59.999999Z'],
  },
  timestampNs: {
    vector: fixed(new TimestampNanosecond(), BigInt64Array.of(1_577_934_245_123_456_789n, 0n, 0n)),
    cells: ['2020-01-02T03:04:05.123456789Z', '1970-01-01T00:00:00.000000000Z'],
  },
  time32: {
    vector: vectorFromArray([3_661_007, null, 0], new TimeMillisecond()),
    cells: ['01:01:01.007', '00:00:00.000'],
    asked: ['01:01:01.007000', '00:00:00.000000'],
  },
  time64: {
    vector: fixed(new TimeMicrosecond(), BigInt64Array.of(45_296_789_000n, 0n, 1n)),
    cells: ['12:34:56.789000', '00:00:00.000001'],
  },
  duration: {
    vector: fixed(new DurationMicrosecond(), BigInt64Array.of(1_500_000n, 0n, -1n)),
    cells: ['PT1.5S', '-PT0.000001S'],
  },
  intervalMonths: {
    vector: fixed(new IntervalYearMonth(), Int32Array.of(14, 0, -1)),
    cells: ['P14M', 'P-1M'],
  },
  intervalDays: {
    vector: fixed(new IntervalDayTime(), Int32Array.of(2, 500, 0, 0, 1, -1000)),
    cells: ['P2DT0.5S', 'P1DT-1S'],
  },
  intervalAll: {
    vector: fixed(new IntervalMonthDayNano(), Int32Array.of(1, 2, 4, 0, 0, 0, 0, 0, 0, 0, -1, -1)),
    cells: ['P1M2DT0.000000004S', 'P0M0DT-0.000000001S'],
    noParquet: true,
  },
  binary: {
    vector: vectorFromArray([Uint8Array.of(1, 2), null, Uint8Array.of(255)], new Binary()),
    cells: [Uint8Array.of(1, 2), Uint8Array.of(255)],
    csv: ['AQI=', '/w=='],
  },
  largeBinary: {
    vector: vectorFromArray([Uint8Array.of(1, 2), null, Uint8Array.of(255)], new LargeBinary()),
    cells: [Uint8Array.of(1, 2), Uint8Array.of(255)],
    csv: ['AQI=', '/w=='],
  },
  binaryView: {
    vector: vectorFromArray([Uint8Array.of(1, 2), null, new Uint8Array(20)], new BinaryView()),
    cells: [Uint8Array.of(1, 2), new Uint8Array(20)],
    csv: ['AQI=', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='],
  },
  fixedBinary: {
    vector: vectorFromArray([Uint8Array.of(1, 2), null, Uint8Array.of(3, 4)], new FixedSizeBinary(2)),
    cells: [Uint8Array.of(1, 2), Uint8Array.of(3, 4)],
    csv: ['AQI=', 'AwQ='],
  },
  largeText: { vector: vectorFromArray(['ß', null, 'x'], new LargeUtf8()), cells: ['ß', 'x'] },
  textView: {
    vector: vectorFromArray(['ß', null, 'longer than twelve bytes'], new Utf8View()),
    cells: ['ß', 'longer than twelve bytes'],
  },
  dictionaryOfInts: {
    vector: vectorFromArray([7n, null, 9n], new Dictionary(new Int64(), new Int32())),
    cells: [7n, 9n],
  },
  list: { vector: vectorFromArray([[1n, null], null, []], list(new Int64())), cells: [[1n, null], []] },
  fixedList: {
    vector: vectorFromArray(
      [[1, 2], null, [3, null]],
      new FixedSizeList(2, new Field('item', new Int32(), true)),
    ),
    cells: [
      [1, 2],
      [3, null],
    ],
  },
  struct: {
    vector: vectorFromArray([{ a: 1n, b: 'x' }, null, { a: null, b: 'y' }], pair),
    cells: [
      { a: 1n, b: 'x' },
      { a: null, b: 'y' },
    ],
  },
  listOfStructs: {
    vector: vectorFromArray([[{ a: 1n, b: 'x' }], null, []], list(pair)),
    cells: [[{ a: 1n, b: 'x' }], []],
  },
  map: {
    vector: vectorFromArray(
      [new Map([['k', 1]]), null, new Map()],
      new Map_(
        new Field(
          'entries',
          new Struct([new Field('key', new Utf8(), false), new Field('value', new Int32(), true)]),
          false,
        ) as never,
      ),
    ),
    cells: [[['k', 1]], []],
    asked: ['[["k",1]]', '[]'],
  },
};

const of = (vector: Vector) => new Table({ a: vector });
const cellsOf = (vector: Vector) => {
  const read = cellReader(vector);
  return Array.from({ length: vector.length }, (_, row) => read(row));
};
const reviver = (_: string, value: unknown) => value;

describe.each(Object.entries(EXAMPLES))('a column of %s', (_, { vector, cells, csv, noParquet, asked }) => {
  const table = of(vector);
  const [first, third] = cells;

  test('has its values in rows, exactly', () => {
    expect(toRows(table)).toEqual([{ a: first }, { a: null }, { a: third }]);
  });

  test('is shown', () => {
    expect(displayFrame(table)).toContain('3 rows');
    expect(frameHtml(table)).toContain('<table>');
  });

  test('passes through Arrow, and keeps its checksum', () => {
    const read = fromArrow(toArrowFile(table));
    expect(toRows(read)).toEqual(toRows(table));
    expect(frameChecksum(read)).toBe(frameChecksum(table));
  });

  test('passes through Parquet, or is refused by name', async () => {
    if (noParquet) await expect(toParquet(table)).rejects.toThrow(ArgumentError);
    else expect(toRows(await fromParquet(await toParquet(table)))).toEqual(toRows(table));
  });

  test('is JSON that every reader takes', async () => {
    let text = '';
    for await (const piece of jsonPieces(table)) text += piece;
    expect(JSON.parse(text, reviver)).toHaveLength(3);
    if (typeof first === 'bigint') expect(text).toContain(`{"a":${first}}`);
  });

  test('is CSV and a cell of a workbook, or refused by the name of the column', () => {
    const [{ column }] = readColumns(table) as [ReturnType<typeof readColumns>[number]];
    if (isNested(vector.type)) {
      expect(() => toCsv(table)).toThrow(/^table: column "a" is .*, which CSV cannot hold/);
      expect(() => workbookReader(column, 'a')).toThrow(/^table: column "a" is .*, which a cell of .xlsx/);
      return;
    }
    const texts = csv ?? cells.map(String);
    expect(toCsv(table)).toBe(`a\r\n${texts[0]}\r\n\r\n${texts[1]}\r\n`);
    expect(workbookReader(column, 'a')(1)).toBeNull();
  });

  test('becomes a column of Danfo', async () => {
    class DataFrame {
      constructor(
        readonly rows: unknown[][],
        readonly options: { dtypes: string[] },
      ) {}
    }
    const { rows, options } = (await danfoFrame(table, {
      danfo: { DataFrame } as never,
    })) as unknown as DataFrame;
    expect(rows).toHaveLength(3);
    expect(['float32', 'int32', 'string', 'datetime']).toContain(options.dtypes[0]);
  });

  test('comes back from a query', async () => {
    const back = await sql({ table })`SELECT * FROM "table"`;
    expect(toRows(back).map(({ a }) => a)).toEqual([(asked ?? cells)[0], null, (asked ?? cells)[1]]);
  });

  test('gives rows in any order, from several chunks, and null for none', () => {
    const chunks = new Vector([...vector.data, ...vector.slice(1).data]);
    const taken = takeRows(chunks, Int32Array.of(4, 0, -1, 3, 2));
    const rows = [third, first, null, null, third].map((a) => ({ a }));
    expect(toRows(of(taken))).toEqual(rows);
    expect(takeRows(chunks, new Int32Array(0)).length).toBe(0);
  });

  test('stands below another of its type', () => {
    const both = concat([table, of(vector.slice(2))]);
    expect(toRows(both)).toEqual([{ a: first }, { a: null }, { a: third }, { a: third }]);
  });
});

test('a column of nulls, and one of a union, are shown and taken', () => {
  const nulls = new Vector([makeData({ type: new Null(), length: 2 })]);
  expect(toRows(of(nulls))).toEqual([{ a: null }, { a: null }]);
  expect(cellsOf(takeRows(nulls, Int32Array.of(1)))).toEqual([null]);
  const [ints, texts] = [vectorFromArray([1, 2], new Int32()), vectorFromArray(['x'], new Utf8())];
  const type = new DenseUnion([0, 1], [new Field('i', new Int32()), new Field('t', new Utf8())]);
  const union = new Vector([
    makeData({
      type,
      length: 3,
      typeIds: Int8Array.of(0, 1, 0),
      valueOffsets: Int32Array.of(0, 0, 1),
      children: [ints.data[0]!, texts.data[0]!],
    } as never),
  ]);
  expect(toRows(of(union))).toEqual([{ a: 1 }, { a: 'x' }, { a: 2 }]);
  expect(cellsOf(takeRows(union, Int32Array.of(2, 1)))).toEqual([2, 'x']);
  expect(displayFrame(of(union))).toContain('union');
});
