import type { Table } from 'apache-arrow';
import { expect, expectTypeOf, test } from 'vitest';
import type { Client } from '../../../src/create-client.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { align } from '../../../src/frame/combine/align.js';
import type { LongColumns, LongFrame, WideFrame } from '../../../src/frame/table/frame-types.js';
import { anomaly } from '../../../src/frame/verbs/anomaly.js';
import { selectSeries } from '../../../src/frame/verbs/select-series.js';
import { NAMES, runsOf, seriesOf } from '../points.js';

const POINTS = {
  series: [seriesOf()],
  runs: runsOf([{ series: 0, start: '2013-01-01', end: '2013-12-31', value: 1.5 }]),
};
const longOf = () => longFrame(POINTS, { names: NAMES, show_available_date: true, show_metadata: true });
const wideOf = () => wideFrame(POINTS, { names: NAMES });

test('a long frame has the columns of its type, in their order', () => {
  const columns: Record<keyof LongColumns, string> = {
    start_date: 'Timestamp<MILLISECOND, UTC>',
    end_date: 'Timestamp<MILLISECOND, UTC>',
    value: 'Float64',
    unit_id: 'Int32',
    reporting_date: 'Timestamp<MILLISECOND, UTC>',
    metric_id: 'Int32',
    item_id: 'Int32',
    region_id: 'Int32',
    partner_region_id: 'Int32',
    frequency_id: 'Int32',
    source_id: 'Int32',
    available_date: 'Timestamp<MILLISECOND, UTC>',
    metadata: 'Utf8',
    metric_name: 'Dictionary<Int32, Utf8>',
    item_name: 'Dictionary<Int32, Utf8>',
    region_name: 'Dictionary<Int32, Utf8>',
    partner_region_name: 'Dictionary<Int32, Utf8>',
    frequency_name: 'Dictionary<Int32, Utf8>',
    source_name: 'Dictionary<Int32, Utf8>',
    unit_name: 'Dictionary<Int32, Utf8>',
  };
  expect(longOf().schema.fields.map(({ name, type }) => [name, String(type)])).toEqual(
    Object.entries(columns),
  );
});

test('the columns of a frame are typed', () => {
  const [long, wide] = [longOf(), wideOf()];
  const value = long.getChild('value')?.get(0);
  expectTypeOf(value).toEqualTypeOf<number | null | undefined>();
  expectTypeOf(long.getChild('unit_name')?.get(0)).toEqualTypeOf<string | null | undefined>();
  expect([value, wide.getChild('end_date')?.get(0)]).toEqual([1.5, Date.UTC(2013, 11, 31)]);
});

test('verbs keep the type of a frame', () => {
  const [long, wide] = [longOf(), wideOf()];
  expectTypeOf(anomaly(long)).toEqualTypeOf<LongFrame>();
  expectTypeOf(selectSeries(wide, {})).toEqualTypeOf<WideFrame>();
  expectTypeOf(align(long, wide)).toEqualTypeOf<[WideFrame, WideFrame]>();
  expectTypeOf(anomaly(long as Table)).toEqualTypeOf<Table>();
  expectTypeOf<Table>().toExtend<LongFrame>();
});

test("the type of getDf's frame follows from its options", () => {
  const long = (client: Client) => client.getDf({ reporting_history: true });
  expectTypeOf(long).returns.toEqualTypeOf<Promise<LongFrame>>();
  const wide = (client: Client) => client.getDf({ compress_format: true, format: 'arrow' });
  expectTypeOf(wide).returns.toEqualTypeOf<Promise<WideFrame>>();
  const either = (client: Client, compress_format: boolean) => client.getDf({ compress_format });
  expectTypeOf(either).returns.toEqualTypeOf<Promise<LongFrame | WideFrame>>();
  const table = (client: Client) => client.getDataPointsTable({} as never);
  expectTypeOf(table).returns.toEqualTypeOf<Promise<LongFrame>>();
});
