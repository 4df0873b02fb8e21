import { expect, expectTypeOf, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { fromColumns } from '../../../src/frame/formats/rows.js';
import { type FrameColumn, readColumn } from '../../../src/frame/table/columns.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { batchOf, NAMES, seriesOf } from '../points.js';

const POINTS = {
  series: [seriesOf()],
  batches: [batchOf([{ series: 0, start: '2013-01-01', end: '2013-12-31', value: 1.5 }])],
};
const table = longFrame(POINTS, { names: NAMES });

test('a column read by its type has the typed array of that type', () => {
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
  expectTypeOf(readColumn(table, 'value')).toEqualTypeOf<FrameColumn>();
  expect(readColumn(table, 'value').type).toBe('float64');
});

test('another type is an error that names the actual type', () => {
  expect(() => readColumn(table, 'value', 'int32')).toThrow(ArgumentError);
  expect(() => readColumn(table, 'value', 'int32')).toThrow('column: "value" is float64, not int32');
  expect(() => readColumn(table, 'values', 'float64')).toThrow(
    'the frame has no "values"; it has start_date',
  );
});
