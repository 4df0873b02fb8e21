import { Int32, makeData, Table, TimestampMillisecond, Vector, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import type { JoinOptions } from '../../../src/frame/combine/join-dates.js';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { frame } from '../../../src/frame/frame.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { exactRows } from '../exact-rows.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../points.js';
import { annual, daily, longOf, monthly, wideOf, wideValues } from '../verbs.js';

const YIELDS = longOf([{}, annual(2000, [1, 2, 3])]);
const AREAS = wideOf([{ metric_id: 2, unit_id: 10 }, annual(2001, [20, 30, 40])]);
const MONTHS = longOf([{ metric_id: 2, frequency_id: 6 }, monthly('2001-11', [1, 2, 3, null])]);

const ends = (table: Table) =>
  [...table.getChild('end_date')!].map((ms) => new Date(ms).toISOString().slice(0, 10));

test.each<[string, (text: string) => Table]>([
  ['texts', (text) => fromCsv(text)],
  ['days', (text) => fromCsv(text, { dates: ['at'] })],
])('midnights with an offset, read as %s, are days of their zone', (_, read) => {
  const lines = ['2020-01-01T00:00:00+01:00,1', '2020-07-01 00:00+02:00,7', '2020-12-31T00:00:00-06:00,12'];
  const own = read(`at,n\n${lines.join('\n')}\n`);
  const right = fromRows(['2020-01', '2020-07', '2020-12'].map((month) => ({ month })));
  expect(
    exactRows(frame(own).join(right, { on: 'monthly', left_date: 'at', right_date: 'month' })),
  ).toMatchObject([
    { end_date: '2020-01-31T00:00:00.000Z', n: 1 },
    { end_date: '2020-07-31T00:00:00.000Z', n: 7 },
    { end_date: '2020-12-31T00:00:00.000Z', n: 12 },
  ]);
  const days = fromRows([{ day: '2020-01-01' }, { day: '2020-07-01' }, { day: '2020-12-31' }]);
  expect(frame(own).join(days, { left_date: 'at', right_date: 'day' }).numRows).toBe(3);
  expect(
    frame(read('at,n\n2020-01-01T06:00+06:00,1\n')).join(days, { left_date: 'at', right_date: 'day' })
      .numRows,
  ).toBe(1);
});

test.each([
  ['inner', ['2001 2 20', '2002 3 30']],
  ['left', ['2000 1 null', '2001 2 20', '2002 3 30']],
  ['outer', ['2000 1 null', '2001 2 20', '2002 3 30', '2003 null 40']],
] as const)('%s', (how, rows) => {
  const joined = YIELDS.join(AREAS, { how });
  const [yields, areas] = wideValues(joined);
  expect(ends(joined).map((end, at) => `${end.slice(0, 4)} ${yields![at]} ${areas![at]}`)).toEqual(rows);
  expect(joined.schema.fields.map(({ name }) => name)).toEqual([
    'end_date',
    'Yield | Corn | Iowa | World | annual | USDA NASS | t/ha',
    AREAS.schema.fields[1]!.name,
  ]);
  expect(joined.schema.fields[2]!.metadata.get('unit_id')).toBe('10');
});

test('an annual value stands on the last month of its year, and fill repeats it on the months before', () => {
  expect(exactRows(MONTHS.join(YIELDS, { how: 'left' })).map((row) => Object.values(row).at(-1))).toEqual([
    null,
    2,
    null,
    null,
  ]);
  const joined = MONTHS.join(YIELDS, { how: 'left' });
  const yields = joined.schema.fields.at(-1)!.name;
  expect(wideValues(joined.fill(yields, { how: 'backward' }))).toEqual([
    [1, 2, 3, null],
    [2, 2, null, null],
  ]);
});

test('own figures by month join weather by month, wherever in the month their dates lie', () => {
  const own = fromCsv('month,price,market\r\n2003-01-15,4.5,Chicago\r\n2003-03-01,5,\r\n');
  const rain = longOf([{ frequency_id: 1 }, daily('2003-01-01', new Array(59).fill(2))]).resample({
    to: 'monthly',
    how: 'sum',
  });
  expect(exactRows(rain.join(own, { on: 'monthly', how: 'outer', right_date: 'month' }))).toEqual([
    expect.objectContaining({ end_date: '2003-01-31T00:00:00.000Z', price: 4.5, market: 'Chicago' }),
    expect.objectContaining({ end_date: '2003-02-28T00:00:00.000Z', price: null, market: null }),
    expect.objectContaining({ end_date: '2003-03-31T00:00:00.000Z', price: 5, market: null }),
  ]);
});

test('own figures by year are joined by the number of the year', () => {
  const own = fromCsv('year,acres\r\n2001,9\r\n2002,8\r\n');
  const joined = YIELDS.join(own, { on: 'annual', how: 'left', right_date: 'year' });
  expect(wideValues(joined)).toEqual([
    [1, 2, 3],
    [null, 9, 8],
  ]);
});

test('own figures by month are joined by the text of the month, where periods are months or longer', () => {
  const own = fromCsv('month,price\r\n2001-12,9\r\n2002-02,8\r\n');
  const joined = own.join(own, { on: 'monthly', left_date: 'month', right_date: 'month', suffix: '_2' });
  expect(exactRows(joined)).toEqual([
    { end_date: '2001-12-31T00:00:00.000Z', price: 9, price_2: 9 },
    { end_date: '2002-02-28T00:00:00.000Z', price: 8, price_2: 8 },
  ]);
  expect(wideValues(YIELDS.join(own, { on: 'annual', how: 'left', right_date: 'month' }))[1]).toEqual([
    null,
    9,
    8,
  ]);
  expect(() => YIELDS.join(own, { right_date: 'month' })).toThrow(/"2001-12" is not a date/);
  expect(() => own.join(own, { on: 'price' } as never)).toThrow(
    'on: "price" is a column name; to join on columns, pass a list: ["price"]',
  );
  const odd = fromCsv('month,price\r\n2001-13,9\r\n');
  expect(() => own.join(odd, { on: 'monthly', left_date: 'month', right_date: 'month' })).toThrow(/2001-13/);
});

test('keeps sources, reports and steps of both', () => {
  const other = { ...PROVENANCE, api_host: 'http://other.invalid', retrieved_at: '2020-01-01T00:00:00.000Z' };
  const framed = (metric_id: number, provenance: typeof PROVENANCE) =>
    longFrame(
      {
        series: [seriesOf({ metric_id })],
        runs: runsOf([{ series: 0, start: '2001-01-01', end: '2001-12-31', value: 1 }]),
      },
      { names: NAMES, provenance },
    );
  const joined = framed(1, PROVENANCE).join(framed(2, other));
  const merged = joined.provenance!;
  expect(merged.api_host).toBe(`${PROVENANCE.api_host}, http://other.invalid`);
  expect(merged.retrieved_at).toBe('2020-01-01T00:00:00.000Z');
  expect(merged.sources).toEqual(PROVENANCE.sources);
  expect(merged.report).toEqual(PROVENANCE.report);
  expect(derivationSteps(joined).at(-1)).toBe('join({})');
});

test.each([
  [
    () => YIELDS.join(longOf([{ frequency_id: 1 }, daily('2001-01-01', [1])]), { on: 'annual' }),
    /right: ".*" is daily, which is finer than annual/,
  ],
  [() => YIELDS.join([{ a: 1 }] as never), /^other: /],
  [() => YIELDS.join(longOf([{}, annual(2000, [1])]), { right_date: 'start_date' }), /^right_date: /],
  [() => YIELDS.join(YIELDS), /suffix: both frames have a column "Yield/],
  [
    () => YIELDS.join(fromCsv('a\r\n1\r\n'), { right_date: 'month' }),
    /right_date: the frame has no column "month"; it has a/,
  ],
  [
    () => YIELDS.join(fromCsv('a,b\r\n1,2\r\n'), { right_date: 'a' }),
    /right_date: row 1 contains the number 1 instead of a date; use dates/,
  ],
  [() => YIELDS.join(fromCsv('a,b\r\n2001-01-01,2\r\n,2\r\n'), { right_date: 'a' }), /right_date/],
  [
    () =>
      YIELDS.join(fromCsv('a,b\r\n2001-01-01,2\r\n2001-02-01,3\r\n'), {
        on: 'annual',
        right_date: 'a',
      }),
    /right: "b" has several values for the annual period that ends on 2001-12-31; set "by" to the column that distinguishes them/,
  ],
])('refuses %s', (call, message) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(message);
});

test('the same column is joined under another name', () => {
  const joined = YIELDS.join(YIELDS, { suffix: ' (2)' });
  expect(wideValues(joined)).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  expect(joined.schema.fields[2]!.name).toBe(`${joined.schema.fields[1]!.name} (2)`);
});

test('each value of an inner join is that of its frame on that date', () => {
  const years = fc.uniqueArray(fc.integer({ min: 1990, max: 2010 }), { maxLength: 12 });
  fc.assert(
    fc.property(years, years, (left, right) => {
      const framed = (metric_id: number, years: readonly number[]) =>
        wideOf([{ metric_id }, years.map((year) => annual(year, [year * metric_id])[0]!)]);
      const joined = framed(1, left).join(framed(2, right));
      const shared = left.filter((year) => right.includes(year)).sort();
      expect(ends(joined)).toEqual(shared.map((year) => `${year}-12-31`));
      expect(wideValues(joined)).toEqual([shared, shared.map((year) => 2 * year)]);
    }),
  );
});

const OWN = fromCsv(
  'county,year,hours\r\nIowa,2000,5\r\nIowa,2001,6\r\n"Côte d\'Ivoire",2001,7\r\nOhio,2001,8\r\n',
);
const BY = { on: 'annual', by: { left: 'region_name', right: 'county' }, right_date: 'year' } as const;
const PLACES = longOf(
  [{}, annual(2000, [1, 2])],
  [{ metric_id: 2, unit_id: 10 }, annual(2000, [10, 20])],
  [{ region_id: 6 }, annual(2001, [3])],
);

test('places are joined one by one, whichever table comes first', () => {
  const joined = PLACES.join(OWN, BY);
  expect(exactRows(joined)).toEqual([
    { end_date: '2000-12-31T00:00:00.000Z', region_name: 'Iowa', Yield: 1, 'Area, harvested': 10, hours: 5 },
    { end_date: '2001-12-31T00:00:00.000Z', region_name: 'Iowa', Yield: 2, 'Area, harvested': 20, hours: 6 },
    {
      end_date: '2001-12-31T00:00:00.000Z',
      region_name: "Côte d'Ivoire",
      Yield: 3,
      'Area, harvested': null,
      hours: 7,
    },
  ]);
  expect(joined.schema.fields[3]!.metadata).toEqual(
    new Map([
      ['metric_name', 'Area, harvested'],
      ['item_name', 'Corn'],
      ['frequency_name', 'annual'],
      ['source_name', 'USDA NASS'],
      ['unit_name', 'ha'],
    ]),
  );
  const turned = OWN.join(PLACES, {
    on: 'annual',
    by: { left: 'county', right: 'region_name' },
    left_date: 'year',
    how: 'left',
  });
  expect(exactRows(turned).map((row) => Object.values(row).slice(1))).toEqual([
    ['Iowa', 5, 1, 10],
    ['Iowa', 6, 2, 20],
    ["Côte d'Ivoire", 7, 3, null],
    ['Ohio', 8, null, null],
  ]);
  expect(() => joined.resample({ to: 'annual', how: 'sum' })).toThrow(/resample would lose "region_name"/);
  expect(PLACES.join(OWN, { ...BY, how: 'outer' }).numRows).toBe(4);
  expect(derivationSteps(joined).at(-1)).toMatch(/^join\(\{"on":"annual","by"/);
});

test('years may be integers of 64 bits', () => {
  const own = fromRows([{ year: 2001n, price: 5 }]);
  const joined = YIELDS.join(own, { on: 'annual', right_date: 'year' });
  expect(wideValues(joined)).toEqual([[2], [5]]);
});

test('a table without rows has no place in common', () => {
  expect(PLACES.join(OWN.slice(0, 0), BY).numRows).toBe(0);
});

test('places may be ids, and a single series is named by metric and item', () => {
  const own = fromCsv('id,year,hours\r\n3,2000,5\r\n');
  const yields = longFrame(
    { series: [seriesOf()], runs: runsOf([{ series: 0, start: '2000-01-01', end: '2000-12-31', value: 1 }]) },
    { names: NAMES },
  );
  expect(exactRows(yields.join(own, { ...BY, by: { left: 'region_id', right: 'id' } }))).toEqual([
    { end_date: '2000-12-31T00:00:00.000Z', region_id: 3, 'Yield · Corn': 1, hours: 5 },
  ]);
});

test.each([
  [() => AREAS.join(OWN, BY), /by: the left table is wide .*; pass a long frame/],
  [
    () => longFrame({ series: [seriesOf()], runs: [] }).join(OWN, BY),
    /has no column "region_name"; retrieve it with include_names: true/,
  ],
  [
    () => PLACES.join(OWN, { ...BY, by: 'region_name' }),
    /right table has no column "region_name"; it has county/,
  ],
  [
    () => PLACES.join(OWN, { ...BY, by: { left: 'item_name', right: 'county' } }),
    /join by region_name or region_id/,
  ],
  [
    () => PLACES.join(fromCsv('county,year\r\n,2000\r\n'), BY),
    /by: row 1 of "county" in the right table is empty/,
  ],
  [
    () => longOf([{}, annual(2000, [1])], [{ region_id: 8 }, annual(2000, [1])]).join(OWN, BY),
    /by: two series in the left frame .*use region_id instead/,
  ],
  [
    () => PLACES.join(fromCsv('county,year,hours\r\nBoone,2000,1\r\n'), BY),
    /by: no "region_name" in the left table, such as "Iowa", matches a "county" in the right table, such as "Boone"; write them/,
  ],
  [
    () => PLACES.join(fromCsv('county,year,hours\r\nIowa,2000,1\r\nIowa,2000,2\r\n'), BY),
    /right: "hours" has several values for the annual period that ends on 2000-12-31 in "Iowa"; keep only one row/,
  ],
])('a join by place refuses %s', (call, message) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(message);
});

test.each<[string, JoinOptions | undefined, string[], string]>([
  ['monthly', { on: 'monthly' }, ['2001-10-31T23:00Z', '2001-11-30T23:00Z'], '2001-11-30 2001-12-31'],
  ['annual', { on: 'annual' }, ['2000-12-31T23:00Z', '2001-12-31T23:00Z'], '2001-12-31 2002-12-31'],
  ['by day', {}, ['2001-11-29T23:00Z', '2001-12-30T23:00Z'], '2001-11-30 2001-12-31'],
])('%s: midnights of a zone belong to its days', (on, options, times, expected) => {
  const zone = new TimestampMillisecond('Europe/Berlin');
  const data = BigInt64Array.from(times, (time) => BigInt(Date.parse(time)));
  const own = new Table({
    day: new Vector([makeData({ type: zone, length: 2, nullCount: 0, data })]),
    hours: vectorFromArray([1, 2], new Int32()),
  });
  const joined = (on === 'annual' ? YIELDS : MONTHS).join(own, { ...options, right_date: 'day' });
  expect(ends(joined).join(' ')).toBe(expected);
  expect(exactRows(joined).map(({ hours }) => hours)).toEqual([1, 2]);
});
