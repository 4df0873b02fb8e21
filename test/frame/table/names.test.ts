import type { Table } from 'apache-arrow';
import { expect, test } from 'vitest';
import type { PointSeries } from '../../../src/columns/point-columns.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { distinctNames, hasOwnName } from '../../../src/frame/table/names.js';
import { NAMES, runsOf, seriesOf } from '../points.js';

const wideOf = (series: readonly PointSeries[], names = NAMES) => wideFrame({ series, runs: [] }, { names });
const namesOf = (table: Table) => table.schema.fields.slice(1).map(({ name }) => name);

test('a column is named after its series and unit, by number where there is no name', () => {
  const series = [
    seriesOf({ metric_id: 2, item_id: 4, region_id: 6, partner_region_id: 8, frequency_id: 1, unit_id: 10 }),
    seriesOf({
      metric_id: 91,
      item_id: 92,
      region_id: 93,
      partner_region_id: 94,
      frequency_id: 95,
      source_id: 96,
    }),
    seriesOf({ unit_id: 97 }),
    seriesOf({ unit_id: null }),
  ];
  expect(namesOf(wideOf(series))).toEqual([
    `Area, harvested | Winter "hard" wheat | Côte d'Ivoire | Iowa | daily | USDA NASS | ha`,
    '91 | 92 | 93 | 94 | 95 | 96 | t/ha',
    'Yield | Corn | Iowa | World | annual | USDA NASS | 97',
  ]);
});

test('a column without a unit is named without it', () => {
  const table = wideOf([seriesOf({ unit_id: null })]);
  expect(namesOf(table)).toEqual(['Yield | Corn | Iowa | World | annual | USDA NASS']);
  expect(Object.fromEntries(table.schema.fields[1]!.metadata)).toEqual({
    metric_id: '1',
    metric_name: 'Yield',
    item_id: '2',
    item_name: 'Corn',
    region_id: '3',
    region_name: 'Iowa',
    partner_region_id: '0',
    partner_region_name: 'World',
    frequency_id: '9',
    frequency_name: 'annual',
    source_id: '5',
    source_name: 'USDA NASS',
  });
});

test('the metadata of a column have its unit, with the abbreviation where it is known', () => {
  const metadataOf = (unit_abbreviations?: Map<number, string>) =>
    wideOf([seriesOf()], { ...NAMES, unit_abbreviations }).schema.fields[1]!.metadata;
  expect(metadataOf().get('unit_id')).toBe('7');
  expect(metadataOf().get('unit_name')).toBe('t/ha');
  expect(metadataOf().has('unit_abbreviation')).toBe(false);
  expect(metadataOf(new Map([[10, 'ha']])).has('unit_abbreviation')).toBe(false);
  expect(metadataOf(new Map([[7, 't']])).get('unit_abbreviation')).toBe('t');
});

test('columns of one name are told apart by their ids, in any order', () => {
  const [iowa, other] = [seriesOf(), seriesOf({ region_id: 8, unit_id: 7 })];
  const name = 'Yield | Corn | Iowa | World | annual | USDA NASS | t/ha';
  expect(namesOf(wideOf([iowa, other]))).toEqual([`${name} [1 2 3 0 9 5 7]`, `${name} [1 2 8 0 9 5 7]`]);
  expect(namesOf(wideOf([other, iowa]))).toEqual([`${name} [1 2 8 0 9 5 7]`, `${name} [1 2 3 0 9 5 7]`]);
  expect(namesOf(wideOf([iowa, seriesOf({ item_id: 4 })]))[0]).toBe(name);
});

test('names are distinct, also of those that are reserved, and where ids are in a name', () => {
  const key = { ...seriesOf(), unit_id: null };
  const distinct = (names: string[], reserved: string[] = []) =>
    distinctNames(names, { reserved, keys: names.map(() => key) });
  expect(distinct(['a', 'b'])).toEqual(['a', 'b']);
  expect(distinct(['a', 'b'], ['b'])).toEqual(['a', 'b [1 2 3 0 9 5 -]']);
  expect(distinct(['a', 'a', 'a'])).toEqual([
    'a [1 2 3 0 9 5 -]',
    'a [1 2 3 0 9 5 -]*',
    'a [1 2 3 0 9 5 -]**',
  ]);
  expect(distinct(['a', 'a [1 2 3 0 9 5 -]'], ['a'])).toEqual(['a [1 2 3 0 9 5 -]', 'a [1 2 3 0 9 5 -]*']);
});

test('a long frame has each name once, and a name for two ids', () => {
  const series = [6, 3, 8, 3].map((region_id, at) => seriesOf({ region_id, partner_region_id: at }));
  const rows = series.map((_, position) => ({ series: position, start: 0, end: 0, value: position }));
  const table = longFrame({ series, runs: runsOf(rows) }, { names: NAMES });
  const { dictionary, values } = table.getChild('region_name')!.data[0]!;
  expect([...dictionary!]).toEqual(["Côte d'Ivoire", 'Iowa']);
  expect([...values]).toEqual([0, 1, 1, 1]);
  expect([...table.getChild('partner_region_name')!]).toEqual(['World', '1', '2', 'Iowa']);
});

test('a column has a name of its own unless it is named by its series, or the one of a long frame', () => {
  expect(hasOwnName('value')).toBe(false);
  for (const name of namesOf(wideOf([seriesOf(), seriesOf({ unit_id: null })])))
    expect(hasOwnName(name), name).toBe(false);
  for (const name of ['Iowa', 'value (t/ha)', 'corn|soy', '']) expect(hasOwnName(name), name).toBe(true);
});
