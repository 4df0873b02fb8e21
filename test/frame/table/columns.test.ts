import {
  type Data,
  type DataType,
  DateDay,
  DateMillisecond,
  Dictionary,
  Float32,
  Float64,
  Int16,
  Int32,
  LargeUtf8,
  makeData,
  Table,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  tableToIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { fromColumns } from '../../../src/frame/formats/from-rows.js';
import { fromParquet } from '../../../src/frame/formats/parquet/read-parquet.js';
import { fromArrow } from '../../../src/frame/formats/read-arrow.js';
import { type Frame, frame } from '../../../src/frame/frame.js';
import { type FrameColumn, readColumn } from '../../../src/frame/table/columns.js';
import { sql } from '../../../src/sql.js';
import { NAMES, runsOf, seriesOf } from '../points.js';

test('a column that is read by its type has the typed array of that type', () => {
  const points = runsOf([{ series: 0, start: '2013-01-01', end: '2013-12-31', value: 1.5 }]);
  const table = longFrame({ series: [seriesOf()], runs: points }, { names: NAMES });
  const value = readColumn(table, 'value', 'float64');
  expectTypeOf(value.values).toEqualTypeOf<Float64Array>();
  expect(value.values).toEqual(Float64Array.of(1.5));
  expectTypeOf(readColumn(table, 'unit_id', 'int32').values).toEqualTypeOf<Int32Array>();
  expectTypeOf(readColumn(table, 'end_date', 'timestamp').values).toEqualTypeOf<BigInt64Array>();
  expectTypeOf(readColumn(table, 'item_name', 'dictionary').categories).toEqualTypeOf<readonly string[]>();
  expectTypeOf(readColumn(table, 'value')).toEqualTypeOf<FrameColumn>();
  expect(readColumn(table, 'value').type).toBe('float64');
});

/** A table of one column `a`, from the data of its batches. */
const tableOf = (...data: Data[]) => new Table({ a: new Vector(data) });
const texts = (...values: (string | null)[]) => vectorFromArray(values, new Utf8());
const dataOf = (type: DataType, data: ArrayBufferView & { length: number }) =>
  makeData({ type, length: data.length, nullCount: 0, data } as never) as Data;
/** Rows of integers, of which those with an unset bit are null. */
const part = (valid: number | null, ...values: number[]) =>
  makeData({
    ...{ type: new Int32(), length: values.length, data: Int32Array.from(values) },
    ...(valid === null ? { nullCount: 0 } : { nullCount: -1, nullBitmap: Uint8Array.of(valid) }),
  });
const valuesOf = (table: Table) =>
  frame(table)
    .toRows()
    .map(({ a }) => a);

describe('a column', () => {
  test.each<[DataType, ArrayBufferView & { length: number }, bigint[]]>([
    [new TimestampSecond('UTC'), BigInt64Array.of(-1n, 0n, 2n), [-1000n, 0n, 2000n]],
    [new TimestampMillisecond('UTC'), BigInt64Array.of(-1n, 0n, 2n), [-1n, 0n, 2n]],
    [new TimestampMicrosecond(), BigInt64Array.of(-1001n, -1000n, -1n, 999n, 1000n), [-2n, -1n, -1n, 0n, 1n]],
    [
      new TimestampNanosecond(),
      BigInt64Array.of(-1_000_001n, -1n, 1_999_999n, 2_000_000n),
      [-2n, -1n, 1n, 2n],
    ],
    [new DateDay(), Int32Array.of(-1, 20_000), [-86_400_000n, 1_728_000_000_000n]],
    [new DateMillisecond(), BigInt64Array.of(1n), [1n]],
  ])('of %s is in milliseconds, those before it rounded down', (type, values, expected) => {
    expect([...readColumn(tableOf(dataOf(type, values)), 'a', 'timestamp').values]).toEqual(expected);
  });

  test.each([dataOf(new Float32(), Float32Array.of(1)), dataOf(new Int16(), Int16Array.of(1))])(
    'of a type that verbs of series do not read is refused by name: %o',
    (data) => {
      const problem = new RegExp(`^column: "a" is ${data.type}, but timestamps, dates`);
      expect(() => readColumn(tableOf(data), 'a')).toThrow(problem);
    },
  );

  test('of one batch is not copied, also where the batch is part of another', () => {
    const data = dataOf(new Float64(), Float64Array.of(1, 2, 3));
    expect(readColumn(tableOf(data), 'a', 'float64').values.buffer).toBe(data.values.buffer);
    const { values } = readColumn(tableOf(data).slice(1, 2), 'a', 'float64');
    expect([values.buffer, [...values]]).toEqual([data.values.buffer, [2]]);
    const holey = part(0b101, 1, 2, 3);
    expect(readColumn(tableOf(holey), 'a').valid).toBe(holey.nullBitmap);
  });

  test('of doubles has NaN in null rows, however other software wrote them, and does not change its source', async () => {
    const gappy = (...values: number[]) =>
      makeData({
        ...{ type: new Float64(), length: 3, data: Float64Array.from(values) },
        ...{ nullCount: 1, nullBitmap: Uint8Array.of(0b101) },
      });
    const foreign = tableOf(gappy(1.5, 2, 3), gappy(4, Number.NaN, 6));
    const expected = Float64Array.of(1.5, Number.NaN, 3, 4, Number.NaN, 6);
    const frames = [
      frame(foreign),
      fromArrow(tableToIPC(foreign)),
      await fromParquet(await frame(foreign).toParquet()),
      await sql({ t: foreign })`SELECT * FROM t`,
    ];
    for (const table of frames as Frame[]) {
      expect(table.column('a', 'float64').values).toEqual(expected);
      expect(Object.values(table.toColumns())[0]!.values).toEqual(expected);
      expect(table.slice(1, 5).column('a').values).toEqual(expected.slice(1, 5));
    }
    expect(foreign.data[0]!.children[0]!.values).toEqual(Float64Array.of(1.5, 2, 3));
    const blank = gappy(1, Number.NaN, 3);
    expect(readColumn(tableOf(blank), 'a', 'float64').values.buffer).toBe(blank.values.buffer);
  });

  test('of several batches has the values and nulls of all, in order', () => {
    const table = tableOf(part(null, 1, 2, 3), part(0b101, 4, 5, 6), part(0b10, 7, 8));
    const all = [1, 2, 3, 4, null, 6, null, 8];
    for (const [from, to] of [[], [1, 7], [4, 5], [5, 8], [0, 3]])
      expect(valuesOf(table.slice(from, to))).toEqual(all.slice(from, to));
    expect(readColumn(table.slice(0, 3), 'a').valid).toBeNull();
    expect(readColumn(tableOf(part(0b101, 4, 5, 6)).slice(1), 'a').values).toEqual(Int32Array.of(5, 6));
  });
});

describe('texts', () => {
  test('are those that were written, in blocks with and without letters of several bytes, in slices and batches', () => {
    const texts = Array.from({ length: 10_000 }, (_, row) => {
      if (row % 7 === 0) return null;
      return row > 5_000 && row % 1_000 === 1 ? `Zürich ${row} 🌽` : row % 3 === 0 ? '' : `Iowa ${row}`;
    });
    const valuesOf = (table: Table) => readColumn(table, 'a', 'utf8').values;
    const table = fromColumns({ a: { type: 'utf8', values: texts, valid: null } });
    expect(valuesOf(table)).toEqual(texts);
    expect(valuesOf(table.slice(4_990, 9_000))).toEqual(texts.slice(4_990, 9_000));
    const both = [...texts.slice(0, 9), ...texts.slice(5_001, 9_999)];
    expect(valuesOf(table.slice(0, 9).concat(table.slice(5_001, 9_999)))).toEqual(both);
    expect(valuesOf(new Table({ a: vectorFromArray(texts, new LargeUtf8()) }))).toEqual(texts);
  });

  test('that are no UTF-8 are read one by one', () => {
    const data = Uint8Array.of(0xc3, 0xa9, 0x41, 0xff);
    const valueOffsets = Int32Array.of(0, 1, 2, 4);
    const column = makeData({ type: new Utf8(), length: 3, nullCount: 0, valueOffsets, data });
    expect(readColumn(tableOf(column), 'a', 'utf8').values).toEqual(['\ufffd', '\ufffd', 'A\ufffd']);
  });
});

describe('a dictionary', () => {
  const coded = (dictionary: Vector<Utf8>, codes: number[], valid: number | null = null) =>
    makeData({
      ...{ type: new Dictionary(new Utf8(), new Int32()), length: codes.length, dictionary },
      data: Int32Array.from(codes),
      ...(valid === null ? { nullCount: 0 } : { nullCount: -1, nullBitmap: Uint8Array.of(valid) }),
    });

  test('of each batch has its own codes, and a text once', () => {
    const table = tableOf(coded(texts('x', 'y'), [1, 0]), coded(texts('z', 'y', 'z'), [0, 1, 2]));
    expect(readColumn(table, 'a', 'dictionary')).toEqual({
      ...{ type: 'dictionary', values: Int32Array.of(1, 0, 2, 1, 2) },
      ...{ categories: ['x', 'y', 'z'], valid: null },
    });
  });

  const holey = texts('x', null, 'y');
  test.each([
    ['may have any code in a null row', coded(texts('x', 'y'), [1, 99, 0], 0b101), ['y', null, 'x']],
    ['may have null among its texts', coded(holey, [0, 1, 2, 1]), ['x', null, 'y', null]],
    ['may have both', coded(holey, [2, 1, 0, 2], 0b0111), ['y', null, 'x', null]],
    ['may have null alone', coded(texts(null), [0]), [null]],
    ['may have the text null', coded(texts('null', null), [0, 1]), ['null', null]],
  ])('%s', (_, data, expected) => {
    expect(valuesOf(tableOf(data))).toEqual(expected);
  });
});
