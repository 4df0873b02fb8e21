import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { fromArrow } from '../../../src/frame/formats/read-arrow.js';
import { countRuns } from '../../endurance.js';
import { anyPointSet, NAMES, naiveRows, runsOf, seriesOf } from '../points.js';

const names = (table: Table) => table.schema.fields.map((field) => field.name);
const column = (table: Table, name: string) => [...table.getChild(name)!];

const POINT = ['start_date', 'end_date', 'value', 'unit_id', 'reporting_date'];
const IDS = ['metric_id', 'item_id', 'region_id', 'partner_region_id', 'frequency_id', 'source_id'];

const TWO = {
  series: [seriesOf(), seriesOf({ region_id: 1 })],
  runs: runsOf([
    { series: 0, start: '2000-01-01', end: '2000-12-31', value: 1.5, reporting: '2001-02-03' },
    { series: 0, start: '2001-01-01', end: '2001-12-31', value: null },
    { series: 1, start: '1969-01-01', end: '1969-12-31', value: -2 },
  ]),
};

describe('longFrame', () => {
  test('has the point columns, then the ids, one row for each point', () => {
    const table = longFrame(TWO);
    expect(names(table)).toEqual([...POINT, ...IDS]);
    expect(column(table, 'value')).toEqual([1.5, null, -2]);
    expect(column(table, 'reporting_date')).toEqual([Date.parse('2001-02-03'), null, null]);
    expect(column(table, 'end_date').at(-1)).toBe(Date.parse('1969-12-31'));
    expect(column(table, 'region_id')).toEqual([3, 3, 1]);
  });

  test('says of the dates, ids and names of its points that they are never null, and of nothing else', () => {
    const table = longFrame(TWO, { names: NAMES, show_available_date: true, show_metadata: true });
    expect(table.schema.fields.filter(({ nullable }) => nullable).map(({ name }) => name)).toEqual([
      'value',
      'unit_id',
      'reporting_date',
      'available_date',
      'metadata',
      'unit_name',
    ]);
  });

  test('index_by_series puts the ids first and sorts by them', () => {
    const table = longFrame(TWO, { index_by_series: true });
    expect(names(table)).toEqual([...IDS, ...POINT]);
    expect(column(table, 'region_id')).toEqual([1, 3, 3]);
  });

  test('names become dictionaries; an id without a name becomes its number', () => {
    const table = longFrame(TWO, { names: NAMES });
    expect(column(table, 'region_name')).toEqual(['Iowa', 'Iowa', '1']);
    expect(column(table, 'partner_region_name')).toEqual(['World', 'World', 'World']);
    expect(column(table, 'unit_name')).toEqual(['t/ha', 't/ha', 't/ha']);
    expect(String(table.getChild('metric_name')!.type)).toBe('Dictionary<Int32, Utf8>');
  });

  test('has available dates and metadata on request', () => {
    const points = {
      series: [seriesOf()],
      runs: runsOf([
        { series: 0, start: 0, end: 0, value: 1, available: 5, metadata: '{"flag":"é"}' },
        { series: 0, start: 1, end: 1, value: 1, available: 6, metadata: null },
      ]),
    };
    const table = longFrame(points, { show_available_date: true, show_metadata: true });
    expect(names(table)).toEqual([...POINT, ...IDS, 'available_date', 'metadata']);
    expect(column(table, 'available_date')).toEqual([5, 6]);
    expect(column(table, 'metadata')).toEqual(['{"flag":"é"}', null]);
    expect(names(longFrame(points))).not.toContain('metadata');
  });

  test('a point without a unit has neither its id nor its name', () => {
    const units = [0, 7, 7, 10, 0, 10];
    const batch = runsOf(
      units.map((unit_id, day) => ({ series: 0, start: day, end: day, value: 1, unit_id })),
    );
    const table = longFrame({ series: [seriesOf()], runs: batch }, { names: NAMES });
    expect(column(table, 'unit_id')).toEqual([null, 7, 7, 10, null, 10]);
    expect(column(table, 'unit_name')).toEqual([null, 't/ha', 't/ha', 'ha', null, 'ha']);
    expect((['unit_name', 'item_name'] as const).map((name) => table.getChild(name)!.nullCount)).toEqual([
      2, 0,
    ]);
    const field = (name: string) => table.schema.fields.find((one) => one.name === name)!;
    expect([field('unit_name').nullable, field('item_name').nullable]).toEqual([true, false]);
    expect([...table.getChild('unit_name')!.data[0]!.dictionary!]).toEqual(['t/ha', 'ha']);
    expect(column(longFrame({ series: [seriesOf()], runs: batch }), 'unit_id')[0]).toBeNull();
  });

  test('available dates and metadata that the points lack are null', () => {
    const table = longFrame(TWO, { show_available_date: true, show_metadata: true });
    expect(column(table, 'available_date')).toEqual([null, null, null]);
    expect(column(table, 'metadata')).toEqual([null, null, null]);
    const point = { series: 0, value: 1, available: 0 };
    const filled = [
      { ...point, start: 0, end: 0 },
      { ...point, start: 1, end: 1, available: 9 },
    ];
    const gap = longFrame({ series: [seriesOf()], runs: runsOf(filled) }, { show_available_date: true });
    expect(column(gap, 'available_date')).toEqual([null, 9]);
  });

  test('dates that are first and last of their periods are written twice', () => {
    const batch = runsOf([0, 1, 2].map((day) => ({ series: 0, start: day, end: day, value: day })));
    const table = longFrame({ series: [seriesOf()], runs: batch });
    const buffers = (name: 'start_date' | 'end_date') => table.getChild(name)!.data[0]!.values.buffer;
    expect(buffers('end_date')).not.toBe(buffers('start_date'));
    const read = fromArrow(table.toArrow());
    for (const name of ['start_date', 'end_date', 'value']) expect(column(read, name)).toEqual([0, 1, 2]);
  });

  test('has the rows of any point set in frame order, each point once', () => {
    fc.assert(
      fc.property(anyPointSet(), fc.boolean(), (points, index_by_series) => {
        const table = longFrame(points, { index_by_series, names: NAMES });
        const rows = naiveRows(points, index_by_series);
        expect(column(table, 'value')).toEqual(rows.map((row) => row.value));
        expect(column(table, 'start_date')).toEqual(rows.map((row) => row.start));
        expect(column(table, 'end_date')).toEqual(rows.map((row) => row.end));
        expect(column(table, 'reporting_date')).toEqual(rows.map((row) => row.reporting));
        expect(column(table, 'unit_id')).toEqual(rows.map((row) => row.unit_id));
        expect(column(table, 'unit_name')).toEqual(rows.map((row) => NAMES.units.get(row.unit_id)));
        for (const id of ['metric_id', 'region_id', 'partner_region_id'] as const) {
          expect(column(table, id)).toEqual(rows.map((row) => row.key[id]));
        }
      }),
      { numRuns: countRuns({ quick: 25, all: 1_000 }) },
    );
  });
});
