import {
  type DataType,
  Field,
  Float64,
  Int8,
  Int16,
  Int64,
  List,
  Schema,
  Struct,
  Uint8,
  Uint64,
  Utf8,
} from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { fromColumns, fromRows } from '../../../src/frame/formats/from-rows.js';
import { frame } from '../../../src/frame/frame.js';
import type { RowValue } from '../../../src/frame/table/cell-column.js';
import { toColumns } from '../../../src/frame/table/row-reader.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { runsOf, seriesOf } from '../points.js';
import { anyFrame, contents } from './round-trip.js';

const POINTS = {
  series: [seriesOf()],
  runs: runsOf([
    { series: 0, start: '2000-01-01', end: '2000-12-31', value: 2.5, reporting: '2001-01-12' },
    { series: 0, start: '2001-01-01', end: '2001-12-31', value: null },
  ]),
};

describe('rows and columns', () => {
  test('rows round-trip any frame', () => {
    fc.assert(
      fc.property(anyFrame, (table) => {
        expect(contents(fromRows(frame(table).toRows(), { schema: table.schema }))).toEqual(contents(table));
        if (table.numRows > 0)
          expect(fromRows(frame(table).toRows()).toRows()).toEqual(frame(table).toRows());
      }),
    );
  });

  test('columns round-trip any frame', () => {
    fc.assert(
      fc.property(anyFrame, (table) => {
        expect(fromColumns(toColumns(table)).toRows()).toEqual(frame(table).toRows());
      }),
    );
  });

  test('a column of one batch is not copied', () => {
    const table = longFrame(POINTS);
    expect(toColumns(table).end_date!.values).toMatchObject({
      buffer: table.getChild('end_date')!.data[0]!.values.buffer,
    });
  });

  test('a field that a row lacks is null, and texts that look like numbers stay texts', () => {
    const table = fromRows([{ code: '007', amount: 1 }, { code: '8' }]);
    expect(table.toRows()).toEqual([
      { code: '007', amount: 1 },
      { code: '8', amount: null },
    ]);
  });

  test('a column of numbers and texts holds texts, in either order', () => {
    expect(fromRows([{ code: 1 }, { code: 'a' }, { code: null }]).toRows()).toEqual([
      { code: '1' },
      { code: 'a' },
      { code: null },
    ]);
    expect(fromRows([{ code: 'a' }, { code: -0 }]).toRows()).toEqual([{ code: 'a' }, { code: '-0' }]);
  });

  test('a schema names the columns, and its metadata and theirs are kept', () => {
    const schema = new Schema(
      [
        new Field('code', new Utf8(), true),
        new Field('amount', new Float64(), true, new Map([['unit', 'ha']])),
      ],
      new Map([['farm', 'Ames']]),
    );
    const table = fromRows([{ amount: 1, code: 7, left: 'out' }], { schema });
    expect(table.toRows()).toEqual([{ code: '7', amount: 1 }]);
    expect([...table.schema.metadata]).toEqual([['farm', 'Ames']]);
    expect([...table.schema.fields[1]!.metadata]).toEqual([['unit', 'ha']]);
    const metadata = new Map([['farm', 'Boone']]);
    expect([...fromColumns(toColumns(table), { metadata }).schema.metadata]).toEqual([...metadata]);
    expect(fromColumns(toColumns(table)).schema.metadata.size).toBe(0);
  });
});

const item = (type: DataType) => new Field('item', type, true);
const struct = (type: DataType) => new Struct([new Field('n', type, true)]);

test.each<[DataType, RowValue, string]>([
  [new Int8(), 300, '300 is not an integer of 8 bits'],
  [new Int64(), 2n ** 64n, '18446744073709551616 is not an integer of 64 bits'],
  [new Uint64(), -1n, '-1 is not an unsigned integer of 64 bits'],
  [new Int16(), 1.5, '1.5 is not an integer of 16 bits'],
  [new Uint8(), 'x', '"x" is not an unsigned integer of 8 bits'],
  [new List(item(new Int8())), [1, 128], '128 is not an integer of 8 bits'],
  [struct(new Uint8()), { n: -1 }, '-1 is not an unsigned integer of 8 bits'],
])('an integer that its type does not hold is refused, and not cut: %s, %s', (type, value, problem) => {
  const read = () => fromRows([{ a: value }], { schema: new Schema([new Field('a', type, true)]) });
  expect(read).toThrow(ArgumentError);
  expect(read).toThrow(`rows: column "a" does not contain ${type} values: ${problem}`);
});

test('integers that their type holds are kept, also within others', () => {
  const types = { u: new Uint64(), l: new List(item(new Int64())), s: struct(new Int64()) };
  const schema = new Schema(Object.entries(types).map(([name, type]) => new Field(name, type, true)));
  const rows = [{ u: 2n ** 64n - 1n, l: [1n, null, -(2n ** 63n)], s: { n: 2n ** 53n + 1n } }];
  expect(fromRows(rows, { schema }).toRows()).toEqual(rows);
  expect(fromRows([{ u: 5, l: [7], s: null }], { schema }).toRows()).toEqual([{ u: 5n, l: [7n], s: null }]);
  expect(() => fromRows([{ a: 2n ** 70n }])).toThrow('is not an integer of 64 bits');
});
