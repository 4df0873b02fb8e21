import {
  type Data,
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
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { fromColumns } from '../../../src/frame/formats/from-rows.js';
import { frame } from '../../../src/frame/frame.js';
import { type FrameColumn, readColumn } from '../../../src/frame/table/columns.js';
import { NAMES, runsOf, seriesOf } from '../points.js';

const POINTS = {
  series: [seriesOf()],
  runs: runsOf([{ series: 0, start: '2013-01-01', end: '2013-12-31', value: 1.5 }]),
};
const frameOfPoints = () => longFrame(POINTS, { names: NAMES });

test('a column read by its type has the typed array of that type', () => {
  const table = frameOfPoints();
  const value = readColumn(table, 'value', 'float64');
  expectTypeOf(value.values).toEqualTypeOf<Float64Array>();
  expect(value.values).toEqual(Float64Array.of(1.5));
  expectTypeOf(readColumn(table, 'unit_id', 'int32').values).toEqualTypeOf<Int32Array>();
  expectTypeOf(readColumn(table, 'end_date', 'timestamp').values).toEqualTypeOf<BigInt64Array>();
  expectTypeOf(readColumn(table, 'item_name', 'dictionary').categories).toEqualTypeOf<readonly string[]>();
  const texts = fromColumns({ a: { type: 'utf8', values: ['x', null], valid: Uint8Array.of(1) } });
  expect(readColumn(texts, 'a', 'utf8').values).toEqual(['x', null]);
});

test('a column read without a type is one of all types', () => {
  const table = frameOfPoints();
  expectTypeOf(readColumn(table, 'value')).toEqualTypeOf<FrameColumn>();
  expect(readColumn(table, 'value').type).toBe('float64');
});

/** A table of one column `a`, from the data of its batches. */
const tableOf = (...data: Data[]) => new Table({ a: new Vector(data) });
const texts = (...values: (string | null)[]) => vectorFromArray(values, new Utf8());

describe('a column', () => {
  test.each([
    [new TimestampSecond('UTC'), [-1n, 0n, 2n], [-1000n, 0n, 2000n]],
    [new TimestampMillisecond('UTC'), [-1n, 0n, 2n], [-1n, 0n, 2n]],
    [new TimestampMicrosecond('UTC'), [-1001n, -1000n, -1n, 0n, 999n, 1000n], [-2n, -1n, -1n, 0n, 0n, 1n]],
    [new TimestampNanosecond(), [-1_000_001n, -1n, 1_999_999n, 2_000_000n], [-2n, -1n, 1n, 2n]],
  ])('of %s is in milliseconds, those before it rounded down', (type, values, expected) => {
    const data = makeData({
      type,
      length: values.length,
      nullCount: 0,
      data: BigInt64Array.from(values),
    } as never);
    expect(readColumn(tableOf(data), 'a', 'timestamp').values).toEqual(BigInt64Array.from(expected));
  });

  test.each([
    [new DateDay(), Int32Array.of(-1, 20_000), [-86_400_000n, 1_728_000_000_000n]],
    [new DateMillisecond(), BigInt64Array.of(1n), [1n]],
  ])('of %s is in milliseconds too', (type, data, expected) => {
    const dates = makeData({ type, length: data.length, nullCount: 0, data } as never) as Data;
    expect([...readColumn(tableOf(dates), 'a', 'timestamp').values]).toEqual(expected);
  });

  test('of long texts is one of texts', () => {
    const table = tableOf(...vectorFromArray(['x', null], new LargeUtf8()).data);
    expect(readColumn(table, 'a', 'utf8').values).toEqual(['x', null]);
  });

  test.each([
    makeData({ type: new Float32(), length: 1, nullCount: 0, data: Float32Array.of(1) }),
    makeData({ type: new Int16(), length: 1, nullCount: 0, data: Int16Array.of(1) }),
  ])('of a type that verbs of series do not read is refused by name', (data) => {
    expect(() => readColumn(tableOf(data as Data), 'a')).toThrow(
      new RegExp(`^column: "a" is ${data.type}, but timestamps, dates`),
    );
  });

  test('of one batch is not copied, also where the batch is part of another', () => {
    const data = makeData({ type: new Float64(), length: 3, nullCount: 0, data: Float64Array.of(1, 2, 3) });
    expect(readColumn(tableOf(data), 'a', 'float64').values.buffer).toBe(data.values.buffer);
    const { values } = readColumn(tableOf(data).slice(1, 2), 'a', 'float64');
    expect([values.buffer, [...values]]).toEqual([data.values.buffer, [2]]);
    const holey = makeData({
      type: new Int32(),
      length: 3,
      nullCount: -1,
      data: Int32Array.of(1, 2, 3),
      nullBitmap: Uint8Array.of(0b101),
    });
    expect(readColumn(tableOf(holey), 'a').valid).toBe(holey.nullBitmap);
  });

  test('of several batches has the values and nulls of all, in order', () => {
    const part = (valid: number | null, ...values: number[]) =>
      makeData({
        type: new Int32(),
        length: values.length,
        data: Int32Array.from(values),
        ...(valid === null ? { nullCount: 0 } : { nullCount: -1, nullBitmap: Uint8Array.of(valid) }),
      });
    const table = tableOf(part(null, 1, 2, 3), part(0b101, 4, 5, 6), part(0b10, 7, 8));
    const rows = (from?: number, to?: number) =>
      frame(table.slice(from, to))
        .toRows()
        .map(({ a }) => a);
    expect(rows()).toEqual([1, 2, 3, 4, null, 6, null, 8]);
    expect(rows(1, 7)).toEqual([2, 3, 4, null, 6, null]);
    expect(rows(4, 5)).toEqual([null]);
    expect(rows(5, 8)).toEqual([6, null, 8]);
    expect(rows(0, 3)).toEqual([1, 2, 3]);
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
    expect(valuesOf(table.slice(0, 9).concat(table.slice(5_001, 9_999)))).toEqual([
      ...texts.slice(0, 9),
      ...texts.slice(5_001, 9_999),
    ]);
    const large = new Table({ a: vectorFromArray(texts, new LargeUtf8()) });
    expect(valuesOf(large)).toEqual(texts);
  });

  test('that are no UTF-8 are read one by one', () => {
    const data = Uint8Array.of(0xc3, 0xa9, 0x41, 0xff);
    const type = new Utf8();
    const column = makeData({ type, length: 3, nullCount: 0, valueOffsets: Int32Array.of(0, 1, 2, 4), data });
    const read = readColumn(new Table({ a: new Vector([column]) }), 'a', 'utf8').values;
    expect(read).toEqual(['\ufffd', '\ufffd', 'A\ufffd']);
  });
});

describe('a dictionary', () => {
  const part = (dictionary: Vector<Utf8>, codes: number[], valid?: number) =>
    makeData({
      type: new Dictionary(new Utf8(), new Int32()),
      length: codes.length,
      data: Int32Array.from(codes),
      dictionary,
      ...(valid === undefined ? { nullCount: 0 } : { nullCount: -1, nullBitmap: Uint8Array.of(valid) }),
    });
  const textsOf = (table: Table) =>
    frame(table)
      .toRows()
      .map(({ a }) => a);

  test('of each batch has its own codes, and a text once', () => {
    const table = tableOf(part(texts('x', 'y'), [1, 0]), part(texts('z', 'y', 'z'), [0, 1, 2]));
    expect(readColumn(table, 'a', 'dictionary')).toEqual({
      type: 'dictionary',
      values: Int32Array.of(1, 0, 2, 1, 2),
      categories: ['x', 'y', 'z'],
      valid: null,
    });
  });

  test('may have any code in a null row', () => {
    expect(textsOf(tableOf(part(texts('x', 'y'), [1, 99, 0], 0b101)))).toEqual(['y', null, 'x']);
  });

  test('may have null among its texts, which is null, not a text', () => {
    const dictionary = texts('x', null, 'y');
    expect(textsOf(tableOf(part(dictionary, [0, 1, 2, 1])))).toEqual(['x', null, 'y', null]);
    expect(textsOf(tableOf(part(dictionary, [2, 1, 0, 2], 0b0111)))).toEqual(['y', null, 'x', null]);
    expect(textsOf(tableOf(part(texts(null), [0])))).toEqual([null]);
    const { categories, values } = readColumn(tableOf(part(dictionary, [2, 1])), 'a', 'dictionary');
    expect([categories, [...values]]).toEqual([
      ['x', 'y'],
      [1, 0],
    ]);
    expect(textsOf(tableOf(part(texts('null', null), [0, 1])))).toEqual(['null', null]);
  });
});
