import {
  Dictionary,
  Field,
  Float64,
  Int32,
  Schema,
  TimestampMillisecond,
  tableFromIPC,
  tableToIPC,
  Utf8,
} from 'apache-arrow';
import { expect, test } from 'vitest';
import { readColumns } from '../../../src/frame/table/columns.js';
import { createFrame, emptyRecordBatch } from '../../../src/frame/table/frame-table.js';

const SCHEMA = new Schema(
  [
    new Field('end_date', new TimestampMillisecond('UTC'), false),
    new Field('value', new Float64(), true),
    new Field('item_id', new Int32(), false),
    new Field('item_name', new Dictionary(new Utf8(), new Int32()), false),
    new Field('metadata', new Utf8(), true),
  ],
  new Map([['cropframe.note', '1']]),
);

test('a batch without rows has every column, of its type, and is a file', () => {
  const batch = emptyRecordBatch(SCHEMA);
  expect([batch.numRows, batch.numCols]).toEqual([0, SCHEMA.fields.length]);
  const frame = createFrame(SCHEMA, [batch]);
  for (const table of [frame, tableFromIPC(tableToIPC(frame))]) {
    expect(table.numRows).toBe(0);
    expect(table.schema.metadata).toEqual(SCHEMA.metadata);
    expect(
      readColumns(table).map(({ field, column }) => [field.name, column.type, column.values.length]),
    ).toEqual([
      ['end_date', 'timestamp', 0],
      ['value', 'float64', 0],
      ['item_id', 'int32', 0],
      ['item_name', 'dictionary', 0],
      ['metadata', 'utf8', 0],
    ]);
  }
});
