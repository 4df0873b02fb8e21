import type { Table } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { plotFrame } from '../../../src/charts/frame.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { fromParquet } from '../../../src/frame/formats/parquet/read-parquet.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { frame } from '../../../src/frame/frame.js';
import { sourceMetrics } from '../../../src/frame/table/provenance.js';
import { frameSeries } from '../../../src/frame/table/series-view.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../points.js';
import { annual, longOf, monthly, wideOf } from '../verbs.js';

const YEARS = [{}, annual(2000, [2, 3, 6])] as const;
const AREA = [{ metric_id: 2, unit_id: 10 }, annual(2000, [1, 2, 4])] as const;
const MONTHS = [{ frequency_id: 6 }, monthly('2000-01', [1, 2, 3])] as const;

/** Every verb that changes the meaning of values: the words that follow the metric, and the unit. */
const VERBS: [words: string, unit: number | null, verb: (table: Table) => Table][] = [
  ['change from a year earlier', 7, (table) => frame(table).yearOverYear()],
  ['change from 2 years earlier', 7, (table) => frame(table).yearOverYear({ years: 2 })],
  ['percent change from a year earlier', 110, (table) => frame(table).yearOverYear({ as: 'percent' })],
  ['ratio to a year earlier', 111, (table) => frame(table).yearOverYear({ as: 'ratio' })],
  ['anomaly', 7, (table) => frame(table).anomaly()],
  [
    'anomaly against 2000-01-01 to the last date',
    7,
    (table) => frame(table).anomaly({ start_date: '2000-01-01' }),
  ],
  ['percent anomaly', 110, (table) => frame(table).anomaly({ as: 'percent' })],
  [
    'standardised anomaly in standard deviations',
    null,
    (table) => frame(table).anomaly({ as: 'standardised' }),
  ],
  ['trailing mean of 2 years', 7, (table) => frame(table).rollingMean({ window: { years: 2 } })],
  [
    'trailing mean of 1 year and 6 months',
    7,
    (table) => frame(table).rollingMean({ window: { years: 1, months: 6 } }),
  ],
  ...(['sum', 'mean', 'min', 'max', 'last'] as const).map((how): (typeof VERBS)[number] => {
    const words = { sum: 'sum', mean: 'mean', min: 'minimum', max: 'maximum', last: 'last value' }[how];
    return [`${words} of each quarter`, 7, (table) => frame(table).resample({ to: 'quarterly', how })];
  }),
  [
    'mean of each year from September',
    7,
    (table) => frame(table).resample({ to: 'annual', how: 'mean', first_month: 9, min_temporal_coverage: 0 }),
  ],
];
const UNITS = new Map([
  [7, 't/ha'],
  [110, '%'],
  [111, 'ratio'],
]);

describe.each(VERBS)('%s', (words, unit, verb) => {
  const name = `Yield, ${words}`;
  const given = / of each /.test(words) ? MONTHS : YEARS;
  const named = verb(longOf(given));
  const [series] = frameSeries(named);

  test('names the metric, its unit and another id in rows, headings and fields', () => {
    for (const row of frame(named).toRows())
      expect(row).toMatchObject({
        ...{ metric_name: name, unit_id: unit, unit_name: unit && UNITS.get(unit) },
        ...{ metric_id: series!.key.metric_id, item_name: 'Corn' },
      });
    expect(series!.key.metric_id).toBeLessThan(0);
    expect(sourceMetrics(named)).toEqual(new Map([[series!.key.metric_id, 1]]));
    const [, field] = verb(wideOf(given)).schema.fields;
    expect(field!.name.split(' | ')[0]).toBe(name);
    expect(field!.name.split(' | ').slice(6)).toEqual(unit === null ? [] : [UNITS.get(unit)]);
    expect(field!.metadata.get('metric_name')).toBe(name);
    expect(field!.metadata.get('metric_id')).toBe(String(series!.key.metric_id));
    expect(field!.metadata.get('unit_id')).toBe(unit === null ? undefined : String(unit));
  });

  test('is in CSV, in Parquet, in short names, and where the frame has no names', async () => {
    expect(fromCsv(frame(named).toCsv()).toRows()[0]).toMatchObject({ metric_name: name, unit_id: unit });
    const read = await fromParquet(await frame(named).toParquet());
    expect(frameSeries(read)[0]).toMatchObject({ key: series!.key, unit_id: unit });
    expect(sourceMetrics(read)).toEqual(sourceMetrics(named));
    const points = given[1].map(([start, end, value]) => ({ series: 0, start, end, value, unit_id: 7 }));
    const plain = longFrame({ series: [seriesOf(given[0])], runs: runsOf(points) }, {}) as Table;
    expect(frame(verb(plain)).toRows()[0]).toMatchObject({ metric_name: `metric 1, ${words}` });
    const other = [{ ...given[0], metric_id: 2 }, given[1]] as const;
    const short = verb(wideOf(given, other).withShortNames()).schema.fields.slice(1);
    expect(short.map((one) => one.name)).toEqual([name, `Area, harvested, ${words}`]);
  });

  test('is in the title and on the axis of its chart', () => {
    const { title, spec } = { ...plotFrame(named).figure, spec: JSON.stringify(plotFrame(named).spec) };
    expect(title).toContain(name);
    const symbol = { 7: 't/ha', 110: '%', 111: 'ratio' }[unit ?? 0] ?? 'no unit';
    expect(spec).toContain(`${name} (${symbol})`);
  });

  test('is another series than the one that it was made of', () => {
    if (/ of each /.test(words)) return;
    const both = longOf(given).concat(verb(longOf(given)));
    expect(frameSeries(both).map(({ names }) => names.get('metric_name'))).toEqual(['Yield', name]);
    expect(sourceMetrics(both).size).toBe(1);
  });
});

test('the same step has the same id in every frame, and steps follow one another in the name', () => {
  const twice = frameSeries(
    longOf(YEARS, AREA)
      .rollingMean({ window: { years: 2 } })
      .yearOverYear(),
  );
  expect(twice.map(({ names }) => names.get('metric_name'))).toEqual([
    'Yield, trailing mean of 2 years, change from a year earlier',
    'Area, harvested, trailing mean of 2 years, change from a year earlier',
  ]);
  const [one, other] = [longOf(YEARS), wideOf(YEARS)].map((table) => frameSeries(table.anomaly())[0]!.key);
  expect(one).toEqual(other);
});

test('columns that only their units distinguished keep distinct headings', () => {
  const { fields } = wideOf(YEARS, [{ unit_id: 10 }, annual(2010, [1, 2, 4])]).anomaly({
    as: 'percent',
  }).schema;
  expect(new Set(fields.map(({ name }) => name)).size).toBe(3);
});

test('the provenance has the units of the values, and the report of the series that they were made of', () => {
  const points = YEARS[1].map(([start, end, value]) => ({ series: 0, start, end, value, unit_id: 14 }));
  const set = { series: [seriesOf({ unit_id: 14 })], runs: runsOf(points) };
  const report = [{ ...PROVENANCE.report[0]!, series: seriesOf() }];
  const table = longFrame(set, { names: NAMES, provenance: { ...PROVENANCE, report } }) as Table;
  const percent = frame(table).yearOverYear({ as: 'percent' });
  expect(percent.provenance!.units.map(({ abbreviation }) => abbreviation)).toEqual(['%']);
  expect(frame(table).yearOverYear().provenance!.units).toEqual(
    PROVENANCE.units.filter(({ id }) => id === 14),
  );
  expect(percent.selectSeries({ item_id: 2 }).provenance!.report).toHaveLength(1);
});
