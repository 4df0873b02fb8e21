import { type DataType, type Field, RecordBatchReader } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { seriesStreamColumns } from '../../../src/contract/series-stream/layout.js';
import { schemaMetadata } from '../../../src/contract/series-stream/schema.js';

/** A message without a body, and the end of a stream: the length of the metadata is a multiple of eight. */
function streamOf(metadata: Uint8Array): Uint8Array {
  const stream = new Uint8Array(8 + metadata.byteLength + 8);
  const view = new DataView(stream.buffer);
  view.setInt32(0, -1, true);
  view.setInt32(4, metadata.byteLength, true);
  stream.set(metadata, 8);
  view.setInt32(8 + metadata.byteLength, -1, true);
  return stream;
}

const describeField = ({ name, type, nullable }: Field<DataType>): string =>
  `${name}${nullable ? '?' : ''}: ${type.children?.length ? describeField(type.children[0]!) : type}`;

function fieldsOf(flags: { withAvailableDate: boolean; withMetadata: boolean }): {
  fields: string[];
  notes: [string, string][];
} {
  const metadata = schemaMetadata({ series: [], answer: 'a', ...flags });
  expect(metadata.byteLength % 8).toBe(0);
  const { schema } = RecordBatchReader.from(streamOf(metadata)).open();
  return { fields: schema.fields.map(describeField), notes: [...schema.metadata] };
}

/** Names, types and elements; a question mark where null may stand. */
const EXPECTED = [
  'series: Uint32',
  'start_date: Timestamp<MILLISECOND, UTC>',
  'start_step_ms?: Int64',
  'start_days?: item: Date32<DAY>',
  'start_dates?: item: Timestamp<MILLISECOND, UTC>',
  'end_date?: Timestamp<MILLISECOND, UTC>',
  'end_step_ms?: Int64',
  'end_days?: item: Date32<DAY>',
  'end_dates?: item: Timestamp<MILLISECOND, UTC>',
  'unit_id?: Int32',
  'unit_ids?: item?: Int32',
  'reporting_date?: Timestamp<MILLISECOND, UTC>',
  'reporting_dates?: item?: Timestamp<MILLISECOND, UTC>',
  'available_date?: Timestamp<MILLISECOND, UTC>',
  'available_dates?: item?: Timestamp<MILLISECOND, UTC>',
  'metadata?: item?: Utf8',
  'value: item?: Float64',
];

describe('the schema of a stream by series', () => {
  it('has the columns of the layout, as any Arrow reader reads them', () => {
    const { fields, notes } = fieldsOf({ withAvailableDate: true, withMetadata: true });
    expect(fields).toEqual(EXPECTED);
    expect(notes).toEqual([
      ['cropframe.answer', 'a'],
      ['cropframe.series', '[]'],
    ]);
  });

  it('leaves out what is not asked for', () => {
    const flags = { withAvailableDate: false, withMetadata: false };
    const { fields } = fieldsOf(flags);
    const names = fields.map((field) => field.split(/[?:]/)[0]);
    expect(names).toEqual(seriesStreamColumns(flags as never).map(({ name }) => name));
    expect(names.filter((name) => /available|metadata/.test(name!))).toEqual([]);
    expect(fieldsOf({ withAvailableDate: true, withMetadata: true }).fields).toHaveLength(EXPECTED.length);
  });
});
