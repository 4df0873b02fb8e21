import { Field, Int32, Schema, type Table } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { fromColumns, fromRows } from '../../../src/frame/formats/from-rows.js';
import { createTable } from '../../../src/frame/table/frame-table.js';
import { frameSeries, frameShape, readUnitIds, seriesShape } from '../../../src/frame/table/series-view.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../../src/model/series.js';
import { NAMES, runsOf, seriesOf } from '../points.js';

const { unit_id: _, ...KEY } = seriesOf();
const point = (series: number, day: number, unit_id = 7) => ({
  ...{ series, start: day, end: day, value: day, unit_id },
});
const POINTS = {
  series: [seriesOf(), seriesOf({ region_id: 6 })],
  runs: runsOf([point(0, 0), point(0, 1), point(0, 2, 10), point(0, 3), point(1, 0, 0)]),
};
const LONG: Table = longFrame(POINTS, { names: NAMES });
const WIDE: Table = wideFrame(POINTS, { names: NAMES });
const withoutColumn = (table: Table, name: string) =>
  table.select(table.schema.fields.map((field) => field.name).filter((one) => one !== name) as never);

const int32 = (...values: readonly number[]) => ({
  ...{ type: 'int32' as const, values: Int32Array.from(values), valid: null },
});
/** A long frame of a point for each key, with these columns instead or besides. */
function longOf(keys: readonly SeriesKey[], columns: Parameters<typeof fromColumns>[0] = {}): Table {
  const days = { type: 'timestamp' as const, values: new BigInt64Array(keys.length), valid: null };
  const ids = SERIES_KEY_FIELDS.map((field) => [field, int32(...keys.map((key) => key[field]))] as const);
  const value = { type: 'float64' as const, values: new Float64Array(keys.length), valid: null };
  const unit_id = int32(...keys.map(() => 7));
  return fromColumns({
    ...{ start_date: days, end_date: days, value, unit_id },
    ...Object.fromEntries(ids),
    ...columns,
  });
}

describe('the shape of a frame', () => {
  test('is long where it has the columns of points and series, whatever else', () => {
    expect([frameShape(LONG), seriesShape(LONG)]).toEqual(['long', 'long']);
    for (const name of ['reporting_date', 'item_name'])
      expect(frameShape(withoutColumn(LONG, name))).toBe('long');
    for (const name of ['start_date', 'value', 'unit_id', 'metric_id', 'region_id', 'source_id', 'end_date'])
      expect(frameShape(withoutColumn(LONG, name))).toBe('other');
  });

  test('is wide where a column beside end_date is a series, or there is none', () => {
    expect([frameShape(WIDE), seriesShape(WIDE)]).toEqual(['wide', 'wide']);
    expect([[0], [1]].map((columns) => frameShape(WIDE.selectAt(columns)))).toEqual(['wide', 'other']);
    const mixed = new Schema([...WIDE.schema.fields, new Field('more', new Int32(), true)]);
    expect(frameShape(createTable(mixed, []))).toBe('wide');
  });

  test('is another one of other tables, which no verb of series takes', () => {
    const other = fromRows([{ end_date: '2020-01-01', value: 1 }]);
    expect([frameShape(other), frameSeries(other)]).toEqual(['other', []]);
    expect(() => seriesShape(fromRows([{ a: 1 }]))).toThrow(
      'table: the table is neither a long nor a wide frame',
    );
    expect(() => frameShape({} as never)).toThrow('table: an object is not an Arrow table');
  });
});

describe('the series of a frame', () => {
  test('are those of each unit, with their rows', () => {
    const common = { key: KEY, column: 'value', names: new Map() };
    const runs = [
      { from: 0, to: 2 },
      { from: 3, to: 4 },
    ];
    expect(frameSeries(longFrame(POINTS))).toEqual([
      { ...common, unit_id: 7, runs },
      { ...common, unit_id: 10, runs: [{ from: 2, to: 3 }] },
      { ...common, key: { ...KEY, region_id: 6 }, unit_id: null, runs: [{ from: 4, to: 5 }] },
    ]);
    expect([...readUnitIds(LONG)]).toEqual([7, 7, 10, 7, 0]);
  });

  test('have the names that the frame has', () => {
    const [first, , last] = frameSeries(LONG);
    expect(Object.fromEntries(first!.names)).toEqual({
      ...{ metric_name: 'Yield', item_name: 'Corn', region_name: 'Iowa', partner_region_name: 'World' },
      ...{ frequency_name: 'annual', source_name: 'USDA NASS', unit_name: 't/ha' },
    });
    expect([last!.names.get('region_name'), last!.names.has('unit_name')]).toEqual(["Côte d'Ivoire", false]);
  });

  test('have the names that another library wrote as texts or numbers', () => {
    const item_name = { type: 'utf8' as const, values: ['x', null], valid: null };
    const table = longOf([KEY, { ...KEY, item_id: 9 }], { item_name, unit_name: int32(5, 6) });
    expect(frameSeries(table).map(({ names }) => Object.fromEntries(names))).toEqual([
      { item_name: 'x', unit_name: '5' },
      { unit_name: '6' },
    ]);
  });

  test('are told apart by each of their ids, also where the digits of all are the same', () => {
    const keys = [
      { ...KEY, metric_id: 1, item_id: 23 },
      { ...KEY, metric_id: 12, item_id: 3 },
    ];
    expect(frameSeries(longOf(keys)).map(({ key }) => key)).toEqual(keys);
  });

  test('have no unit where it is null, whatever is stored there', () => {
    const units = { ...int32(7, 8, 9), valid: Uint8Array.of(0b101) };
    const table = longOf([KEY, KEY, KEY], { unit_id: units });
    expect([...readUnitIds(table)]).toEqual([7, 0, 9]);
    expect(frameSeries(table).map(({ unit_id }) => unit_id)).toEqual([7, null, 9]);
    const whole = longOf([KEY, KEY]);
    expect(readUnitIds(whole).buffer, 'shared').toBe(whole.getChild('unit_id')!.data[0]!.values.buffer);
  });

  test('are the columns of a wide frame', () => {
    const views = frameSeries(WIDE);
    expect(views.map(({ key, unit_id }) => [key.region_id, unit_id])).toEqual([
      [3, 7],
      [3, 10],
      [6, null],
    ]);
    expect(views.map(({ runs }) => runs)).toEqual(views.map(() => [{ from: 0, to: 4 }]));
    expect(views.map(({ column }) => column)).toEqual(WIDE.schema.fields.slice(1).map(({ name }) => name));
    expect(views[0]!.names.get('item_name')).toBe('Corn');
    const unnamed = new Field('a', new Int32(), true, new Map([['metric_id', '4']]));
    const other = new Schema([WIDE.schema.fields[0]!, unnamed, new Field('b', new Int32(), true)]);
    const [view, ...others] = frameSeries(createTable(other, []));
    expect([view!.key.metric_id, view!.key.item_id, view!.unit_id, others]).toEqual([4, 0, null, []]);
    expect(frameSeries(WIDE.selectAt([1])), 'without end_date').toEqual([]);
  });
});
