import {
  DateDay,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int16,
  Int32,
  Schema,
  TimestampSecond,
  Utf8,
} from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { fromColumns, fromRows } from '../../../src/frame/formats/from-rows.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { readColumn, readColumns } from '../../../src/frame/table/columns.js';
import { REQUIRED_COLUMNS } from '../../../src/frame/table/names.js';
import { exactRows } from '../exact-rows.js';

/** The type that a column of this name and these texts gets. */
const typeOf = (name: string, ...texts: string[]) =>
  readColumn(fromCsv(`${name},other\r\n${texts.map((text) => `${text},1\r\n`).join('')}`), name).type;

describe('the type of a column of texts', () => {
  test('is a number where all are numbers or empty', () => {
    for (const number of '1 -1.5 12.75 .25 .5 5. 1.e3 1E-3 -.5e+10 Infinity -Infinity NaN 0'.split(' '))
      expect(typeOf('a', number, '', '7'), number).toBe('float64');
    for (const text of '+2|1e3|00|x|1x|x1|1 |0x1|1_000|1e|.|-|--1|InfinityX|XInfinity|xnan|nanx|1.2.3|e5'.split(
      '|',
    ))
      expect(typeOf('a', '7', text), text).toBe('utf8');
    expect(typeOf('a')).toBe('float64');
    expect(typeOf('a', '')).toBe('float64');
  });

  test('is that of the schema', () => {
    const type = (of: Field['type']) =>
      readColumn(
        fromCsv('value,b\r\n,2\r\n', { schema: new Schema([new Field('value', of, true)]) }),
        'value',
      ).type;
    expect(type(new TimestampSecond())).toBe('timestamp');
    expect(type(new DateDay())).toBe('timestamp');
    expect([type(new Int32()), type(new Int16())]).toEqual(['int32', 'int32']);
    expect([type(new Float64()), type(new Float32())]).toEqual(['float64', 'float64']);
    expect(type(new Dictionary(new Utf8(), new Int32()))).toBe('dictionary');
    expect(type(new Utf8())).toBe('utf8');
  });
});

describe('the values of a column of texts', () => {
  /** Texts in a column of that name, in a table with all columns of a long frame. */
  const csvOf = (name: string, ...texts: string[]) => {
    const columns = [...new Set([...REQUIRED_COLUMNS, name])];
    const others: string[] = columns.map((column) => (column.endsWith('_date') ? '2020-01-01' : '1'));
    const lines = texts.map((text) => others.with(columns.indexOf(name), text).join(','));
    return [columns.join(','), ...lines, ''].join('\r\n');
  };
  const valuesOf = (name: string, ...texts: string[]) =>
    exactRows(fromCsv(csvOf(name, ...texts))).map((row) => row[name]);

  test('are null where a field is empty; a quoted empty text is one in a column of texts', () => {
    expect(valuesOf('a', '1', '', '""')).toEqual(['1', null, '']);
    expect(valuesOf('item_id', '1', '', '""')).toEqual([1, null, null]);
    expect(valuesOf('end_date', '2020-01-01', '', '""')).toEqual(['2020-01-01T00:00:00.000Z', null, null]);
    expect(valuesOf('item_name', 'Corn', '', '""', 'Corn')).toEqual(['Corn', null, '', 'Corn']);
  });

  test('have each text once in a dictionary, in order of appearance, and null is none', () => {
    const [data] = fromCsv(csvOf('item_name', 'Corn', '', 'Soy', 'Corn')).getChild('item_name')!.data;
    expect([[...data!.dictionary!], [...data!.values], data!.nullCount]).toEqual([
      ['Corn', 'Soy'],
      [0, 0, 1, 0],
      1,
    ]);
  });

  test('are the numbers exactly, and NaN in null rows', () => {
    const { values, valid } = readColumn(
      fromCsv('a,b\r\n0.1,1\r\n,1\r\n-0,1\r\nNaN,1\r\nInfinity,1\r\n'),
      'a',
      'float64',
    );
    expect([...values]).toEqual([0.1, Number.NaN, -0, Number.NaN, Number.POSITIVE_INFINITY]);
    expect(valid![0]).toBe(0b11101);
  });

  test('are refused by name and row where they do not fit', () => {
    const refused = (name: string, text: string) => () =>
      valuesOf(name, name.endsWith('_date') ? '2020-01-01' : '1', text);
    for (const text of ['1.5', 'x', '2147483648', '-2147483649', 'NaN', 'Infinity'])
      expect(refused('item_id', text), text).toThrow(
        `item_id: "${text}" in row 2 is not an integer of 32 bits`,
      );
    expect(valuesOf('item_id', '2147483647', '-2147483648', '1000')).toEqual([2147483647, -2147483648, 1000]);
    for (const code of ['1e3', '1e10']) expect(valuesOf('item_id', '1', code)).toEqual(['1', code]);
    expect(refused('end_date', 'soon')).toThrow('end_date: "soon" in row 2 is not a date; write YYYY-MM-DD');
    const schema = new Schema([new Field('a', new Float64(), true)]);
    expect(() => fromCsv('a,b\r\n1,1\r\nx,1\r\n', { schema })).toThrow('a: "x" in row 2 is not a number');
  });
});

describe('a table of columns', () => {
  const int32 = (...values: number[]) => ({
    type: 'int32' as const,
    values: Int32Array.from(values),
    valid: null,
  });
  const fieldOf = (columns: Parameters<typeof fromColumns>[0], name: string) =>
    fromColumns(columns).schema.fields.find((field) => field.name === name)!;

  test('has columns of one length', () => {
    expect(() => fromColumns({ a: int32(1, 2), b: int32(1) })).toThrow(
      'columns: "b" has 1 rows, but the first column has 2; all columns must have the same length',
    );
    expect(fromColumns({}).numRows).toBe(0);
    expect(fromColumns({ a: int32(1, 2), b: int32(3, 4) }).numRows).toBe(2);
  });

  test('says of the columns of a long frame that are never null that they are not', () => {
    const never = ['start_date', 'end_date', 'metric_id', 'source_id', 'item_name', 'partner_region_name'];
    for (const name of never) expect(fieldOf({ [name]: int32(1) }, name).nullable, name).toBe(false);
    for (const name of ['value', 'unit_id', 'reporting_date', 'unit_name', 'other'])
      expect(fieldOf({ [name]: int32(1) }, name).nullable, name).toBe(true);
    const corn = { type: 'utf8' as const, values: ['Corn'], valid: null };
    expect(fieldOf({ item_name: corn }, 'item_name').nullable).toBe(false);
    const holey = { ...int32(1, 2), valid: Uint8Array.of(0b01) };
    expect(fieldOf({ item_id: holey }, 'item_id').nullable).toBe(true);
  });

  test('has every type, with its nulls', () => {
    const valid = Uint8Array.of(0b101);
    const word = {
      type: 'dictionary',
      values: Int32Array.of(1, 7, 0),
      categories: ['x', 'y'],
      valid,
    } as const;
    const table = fromColumns(
      {
        time: { type: 'timestamp', values: BigInt64Array.of(0n, 5n, 1n), valid },
        int: { ...int32(1, 2, 3), valid },
        float: { type: 'float64', values: Float64Array.of(1, 2, 3), valid },
        text: { type: 'utf8', values: ['a', null, 'ö€'], valid },
        word,
        whole: { ...word, values: Int32Array.of(0, 0, 1), valid: null },
      },
      { metadata: new Map([['cropframe.x', '1']]) },
    );
    expect(exactRows(table)).toEqual([
      { time: '1970-01-01T00:00:00.000Z', int: 1, float: 1, text: 'a', word: 'y', whole: 'x' },
      { time: null, int: null, float: null, text: null, word: null, whole: 'x' },
      { time: '1970-01-01T00:00:00.001Z', int: 3, float: 3, text: 'ö€', word: 'x', whole: 'y' },
    ]);
    const types = ['timestamp', 'int32', 'float64', 'utf8', 'dictionary', 'dictionary'];
    expect(readColumns(table).map(({ column }) => column.type)).toEqual(types);
    expect(table.schema.metadata).toEqual(new Map([['cropframe.x', '1']]));
    expect(table.getChild('float')!.data[0]!.values[1]).toBeNaN();
    expect([table.getChild('time')!.nullCount, table.getChild('whole')!.nullCount]).toEqual([1, 0]);
  });

  test('has rows of all columns that any row has, of what JavaScript holds', () => {
    const first = { a: -0, b: 'x', time: new Date(1000), bytes: Uint8Array.of(1) };
    const second = { a: null, c: true, big: 2n ** 60n, list: [1, null], object: { x: [{ y: 'z' }] } };
    const none = { a: null, b: null, time: null, bytes: null, c: null, big: null, list: null, object: null };
    expect(exactRows(fromRows([first, second]))).toEqual([
      { ...none, ...first, time: '1970-01-01T00:00:01.000Z' },
      { ...none, ...second },
    ]);
    for (const cell of [true, {}, new Date(0)])
      expect(() => fromRows([{ a: 1 }, { a: cell }])).toThrow(/^rows: .* in column "a" has a different type/);
  });
});
