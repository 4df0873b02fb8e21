import {
  Bool,
  type Data,
  type DataType,
  Dictionary,
  Field,
  Int8,
  Int16,
  Int32,
  Int64,
  IntervalYearMonth,
  List,
  makeData,
  Null,
  SparseUnion,
  Table,
  tableToIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { danfoFrame } from '../../../src/frame/formats/danfo.js';
import { jsonPieces } from '../../../src/frame/formats/frame-pieces.js';
import { fromParquet } from '../../../src/frame/formats/parquet/read-parquet.js';
import { fromArrow } from '../../../src/frame/formats/read-arrow.js';
import { cellReader as workbookReader } from '../../../src/frame/formats/xlsx.js';
import { frame } from '../../../src/frame/frame.js';
import { cellReader, isNested } from '../../../src/frame/table/cells.js';
import { frameChecksum } from '../../../src/frame/table/checksum.js';
import { readColumns } from '../../../src/frame/table/columns.js';
import { takeColumn } from '../../../src/frame/table/take-rows.js';
import { sql } from '../../../src/sql.js';
import { collect } from '../../sequences.js';
import { exactRows } from '../exact-rows.js';
import { EXAMPLES } from './arrow-tables.js';

const takeRows = (values: Vector, rows: Int32Array) =>
  takeColumn({ type: 'other', values, valid: null }, rows).values;

const of = (vector: Vector) => new Table({ a: vector });
const cellsOf = (vector: Vector) => {
  const read = cellReader(vector);
  return Array.from({ length: vector.length }, (_, row) => read(row));
};
const nothing = new Vector([makeData({ type: new Null(), length: 1 })]);
const reviver = (_: string, value: unknown) => value;

describe.each(Object.entries(EXAMPLES))('a column of %s', (_, { vector, cells, csv }) => {
  const table = of(vector);
  const [first, third] = cells;

  test('has its values in rows, exactly', () => {
    expect(exactRows(table)).toEqual([{ a: first }, { a: null }, { a: third }]);
  });

  test('passes through Arrow, and keeps its checksum', () => {
    const read = fromArrow(frame(table).toArrow());
    expect(exactRows(read)).toEqual(exactRows(table));
    expect(frameChecksum(read)).toBe(frameChecksum(table));
  });

  test('passes through Parquet', async () => {
    expect(exactRows(await fromParquet(await frame(table).toParquet()))).toEqual(exactRows(table));
  });

  test('is JSON that every reader takes', async () => {
    const text = (await collect(jsonPieces(table))).join('');
    expect(JSON.parse(text, reviver)).toHaveLength(3);
    if (typeof first === 'bigint') expect(text).toContain(`{"a":${first}}`);
  });

  test('is CSV and a cell of a workbook, or refused by the name of the column', () => {
    const [{ column }] = readColumns(table) as [ReturnType<typeof readColumns>[number]];
    if (isNested(vector.type)) {
      expect(() => frame(table).toCsv()).toThrow(/^table: column "a" is .*, which CSV cannot represent/);
      expect(() => workbookReader(column, 'a')).toThrow(/^table: column "a" is .*, which an .xlsx cell/);
      return;
    }
    const texts = csv ?? cells.map(String);
    expect(frame(table).toCsv()).toBe(`a\r\n${texts[0]}\r\n\r\n${texts[1]}\r\n`);
    expect(workbookReader(column, 'a')(1)).toBeNull();
  });

  test('gives rows in any order, from several chunks, and null for none', () => {
    const chunks = new Vector([...vector.data, ...vector.slice(1).data]);
    const taken = takeRows(chunks, Int32Array.of(4, 0, -1, 3, 2));
    const rows = [third, first, null, null, third].map((a) => ({ a }));
    expect(exactRows(frame(of(taken)))).toEqual(rows);
    expect(takeRows(chunks, new Int32Array(0)).length).toBe(0);
  });
});

test('a column of each type comes back from a query', async () => {
  const examples = Object.entries(EXAMPLES);
  const table = new Table(Object.fromEntries(examples.map(([name, { vector }]) => [name, vector])));
  const rows = exactRows(await sql({ table })`SELECT * FROM "table"`);
  const back = Object.fromEntries(examples.map(([name]) => [name, rows.map((row) => row[name])]));
  const expected = examples.map(([name, { cells, asked: [first, third] = cells }]) => {
    return [name, [first, null, third]] as const;
  });
  expect(back).toEqual(Object.fromEntries(expected));
});

test('a column of nulls is shown and taken', () => {
  const nulls = new Vector([makeData({ type: new Null(), length: 2 })]);
  expect(exactRows(frame(of(nulls)))).toEqual([{ a: null }, { a: null }]);
  expect(cellsOf(takeRows(nulls, Int32Array.of(1)))).toEqual([null]);
});

test('unions and intervals are refused by the name of the column, also within another', () => {
  const type = new SparseUnion([0], [new Field('a', new Int32(), true)]);
  const child = vectorFromArray([1], new Int32()).data[0]!;
  const union = makeData({ type, typeIds: Int8Array.of(0), children: [child] });
  const list = new List(new Field('item', type, true));
  const inList = makeData({ type: list, length: 1, valueOffsets: Int32Array.of(0, 1), child: union });
  const interval = makeData({ type: new IntervalYearMonth(), length: 1, data: Int32Array.of(3) });
  for (const column of [union, inList, interval]) {
    const table = of(new Vector<DataType>([column as Data]));
    const refusal =
      /column "a" is .*(Union|Interval)<.*, but frames do not support unions or intervals; write a union/;
    expect(() => frame(table)).toThrow(refusal);
    expect(() => frame(of(nothing)).join(table, { on: ['a'] })).toThrow(refusal);
    expect(() => fromArrow(tableToIPC(table))).toThrow(refusal);
  }
});

test('texts that offsets of 32 bits cannot address together are refused', () => {
  const long = vectorFromArray(['x'.repeat(2 ** 21)], new Utf8());
  expect(() => takeRows(long, new Int32Array(1024))).toThrow(/more than 2147483647 bytes/);
});

test('Danfo computes with booleans, decimals and 64-bit integers that numbers hold; others are texts', async () => {
  class DataFrame {
    constructor(
      readonly rows: unknown[][],
      readonly options: { dtypes: string[] },
    ) {}
  }
  const table = new Table({
    flag: vectorFromArray([true, null, false], new Bool()),
    count: vectorFromArray([2n ** 53n - 1n, null, -3n], new Int64()),
    id: vectorFromArray([2n ** 53n + 1n, null, 0n], new Int64()),
    price: EXAMPLES.decimal128!.vector,
    code: vectorFromArray([5, null, 7], new Dictionary(new Int16(), new Int8())),
  });
  const frame = (await danfoFrame(table, { danfo: { DataFrame } as never })) as unknown as DataFrame;
  expect(frame.options.dtypes).toEqual(['float32', 'float32', 'string', 'float32', 'float32']);
  expect(frame.rows).toEqual([
    [1, 2 ** 53 - 1, '9007199254740993', 12.34, 5],
    [Number.NaN, Number.NaN, null, Number.NaN, Number.NaN],
    [0, -3, '0', -0.05, 7],
  ]);
});
