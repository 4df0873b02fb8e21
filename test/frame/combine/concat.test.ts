import {
  Dictionary,
  Int8,
  LargeUtf8,
  Table,
  Uint32,
  Utf8,
  Utf8View,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { frame } from '../../../src/frame/frame.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { exactRows } from '../exact-rows.js';
import { NAMES, runsOf, seriesOf } from '../points.js';
import { annual, daily, longOf, wideOf, wideValues } from '../verbs.js';

const EARLY = [{}, annual(2000, [1, null, 3])] as const;
const LATE = [{}, annual(2002, [3, 4])] as const;
const OTHER = [{ region_id: 6 }, annual(2001, [7])] as const;

test('long frames stand below each other, and a point that both have is kept once', () => {
  const all = longOf(EARLY, OTHER).concat(longOf(LATE));
  expect(
    exactRows(all).map(({ region_name, end_date, value }) => [
      region_name,
      String(end_date).slice(0, 4),
      value,
    ]),
  ).toEqual([
    ['Iowa', '2000', 1],
    ['Iowa', '2001', null],
    ['Iowa', '2002', 3],
    ["Côte d'Ivoire", '2001', 7],
    ['Iowa', '2003', 4],
  ]);
});

test('wide frames have the series and dates of all', () => {
  const all = wideOf(EARLY, OTHER).concat(wideOf(LATE));
  expect(wideValues(all)).toEqual([
    [1, null, 3, 4],
    [null, 7, null, null],
  ]);
  expect(all.schema.fields.map(({ name }) => name)).toEqual(
    wideOf(EARLY, OTHER).schema.fields.map(({ name }) => name),
  );
});

test('the parts of a frame make the frame again', () => {
  const whole = longOf(EARLY, OTHER, [{ metric_id: 2 }, annual(2000, [5])]);
  const parts = [1, 2].map((metric_id) => whole.selectSeries({ metric_id }));
  expect(exactRows(parts[0]!.concat(...parts.slice(1)))).toEqual(exactRows(whole));
});

test('a null gives way to a value in both shapes, whichever frame has it', () => {
  const [lacking, filled] = [
    [{}, annual(2000, [1, null, null])] as const,
    [{}, annual(2001, [2, null])] as const,
  ];
  for (const frames of [
    [lacking, filled],
    [filled, lacking],
  ]) {
    expect(wideValues(wideOf(frames[0]!).concat(wideOf(frames[1]!)))).toEqual([[1, 2, null]]);
    const rows = exactRows(longOf(frames[0]!).concat(longOf(frames[1]!)));
    const values = rows.map(({ end_date, value }) => [String(end_date).slice(0, 4), value]).sort();
    expect(values).toEqual([
      ['2000', 1],
      ['2001', 2],
      ['2002', null],
    ]);
  }
});

test('a column of nulls alone has the type of the others', () => {
  const [none, filled] = [fromCsv('a,b\n1,\n'), fromCsv('a,b\n2,x\n')];
  const [a, b] = [
    { a: 1, b: null },
    { a: 2, b: 'x' },
  ];
  expect(exactRows(none.concat(filled))).toEqual([a, b]);
  expect(exactRows(fromCsv('a,b\n').concat(filled, none))).toEqual([b, a]);
  expect(() => filled.concat(fromCsv('a,b\n1,1\n'))).toThrow(
    'column "b" would contain both Utf8 and Float64',
  );
});

test('vintages of a point are all kept', () => {
  const vintage = (reporting: string, value: number) =>
    longFrame(
      {
        series: [seriesOf()],
        runs: runsOf([{ series: 0, start: '2001-01-01', end: '2001-12-31', value, reporting }]),
      },
      { names: NAMES },
    );
  const all = vintage('2002-01-10', 1).concat(vintage('2002-02-10', 2), vintage('2002-01-10', 1));
  expect(exactRows(all).map(({ value }) => value)).toEqual([1, 2]);
});

test.each([
  [
    () => longOf(EARLY).concat(longOf([{}, annual(2002, [9])])),
    /values 3 and 9 for the period that ends on 2002-12-31/,
  ],
  [() => wideOf(EARLY).concat(wideOf([{}, annual(2002, [9])])), /values 3 and 9/],
  [() => longOf(EARLY).concat(wideOf(LATE)), /some frames are long and some are wide/],
  [
    () => longOf(EARLY).concat(longFrame({ series: [seriesOf()], runs: [] })),
    /frame 2 has no column "metric_name", but frame 1 does/,
  ],
  [() => fromCsv('a,a\n1,2\n').concat(), /two columns are called "a"/],
  [
    () =>
      wideOf([{ frequency_id: 1 }, daily('2000-01-01', [1])])
        .withColumn('twice', () => 2)
        .concat(wideOf(LATE)),
    /would lose "twice"/,
  ],
])('refuses %s', (call, message) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(message);
});

test('texts of another layout are the same texts: views, large texts, and other codes', () => {
  const of = (values: Vector) => frame(new Table({ t: values }));
  const texts = ['a', null, 'a text that no view holds within'];
  const rows = texts.map((t) => ({ t }));
  const plain = [new Utf8(), new LargeUtf8(), new Utf8View()].map((type) => of(vectorFromArray(texts, type)));
  expect(exactRows(plain[0]!.concat(...plain.slice(1)))).toEqual([...rows, ...rows, ...rows]);
  const codes = [new Int8(), new Uint32()].map((index) =>
    of(vectorFromArray(texts, new Dictionary(new Utf8(), index))),
  );
  expect(exactRows(codes[0]!.concat(...codes.slice(1), codes[0]!.head(1)))).toEqual([
    ...rows,
    ...rows,
    rows[0],
  ]);
});
