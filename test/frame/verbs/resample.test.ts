import { expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import type { ResampleOptions } from '../../../src/frame/verbs/resample.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { exactRows } from '../exact-rows.js';
import { runsOf, seriesOf } from '../points.js';
import { annual, daily, endsAndValues, longOf, monthly, wideOf, wideValues } from '../verbs.js';

const DAILY = { frequency_id: 1 };
const february = daily(
  '2004-02-01',
  Array.from({ length: 29 }, (_, day) => day + 1),
);

test('aggregates days into months', () => {
  const table = longOf([DAILY, february]);
  for (const [how, value] of Object.entries({ sum: 435, mean: 15, last: 29, min: 1, max: 29 }))
    expect(endsAndValues(table.resample({ to: 'monthly', how } as ResampleOptions))).toEqual([
      ['2004-02-29', value],
    ]);
  expect(exactRows(table.resample({ to: 'monthly', how: 'sum' }))[0]).toMatchObject({
    start_date: '2004-02-01T00:00:00.000Z',
    frequency_id: 6,
    frequency_name: 'monthly',
    region_name: 'Iowa',
    reporting_date: null,
  });
});

test('has the latest available date of each period, null where the period is', () => {
  const at = (day: number) => Date.parse(`2005-01-${String(day).padStart(2, '0')}`);
  const points = [
    { month: '01', days: 31 },
    { month: '02', days: 28 },
    { month: '03', days: 2 },
  ].flatMap(({ month, days }) =>
    Array.from({ length: days }, (_, day) => {
      const date = `2003-${month}-${String(day + 1).padStart(2, '0')}`;
      return { series: 0, start: date, end: date, value: 1, available: at(((7 * day) % 28) + Number(month)) };
    }),
  );
  const set = { series: [seriesOf(DAILY)], runs: runsOf(points) };
  const months = longFrame(set, { show_available_date: true }).resample({ to: 'monthly', how: 'mean' });
  expect(exactRows(months).map(({ value, available_date }) => [value, available_date])).toEqual([
    [1, new Date(at(22)).toISOString()],
    [1, new Date(at(23)).toISOString()],
    [null, null],
  ]);
});

test('a period without points between others is null', () => {
  const table = longOf([DAILY, [...daily('2004-01-31', [1]), ...daily('2004-03-01', [2])]]);
  expect(endsAndValues(table.resample({ to: 'monthly', how: 'last', min_temporal_coverage: 0 }))).toEqual([
    ['2004-01-31', 1],
    ['2004-02-29', null],
    ['2004-03-31', 2],
  ]);
});

test('marketing years begin with first_month, and wide frames stay wide', () => {
  const table = wideOf([{ frequency_id: 6 }, monthly('2003-09', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])]);
  const years = table.resample({ to: 'annual', how: 'sum', first_month: 9 });
  expect([...years.getChild('end_date')!]).toEqual([Date.parse('2004-08-31')]);
  expect(wideValues(years)).toEqual([[66]]);
  expect(years.schema.fields[1]!.name).toBe(
    'Yield, sum of each year from September | Corn | Iowa | World | annual | USDA NASS | t/ha',
  );
  expect(years.schema.fields[1]!.metadata.get('frequency_id')).toBe('9');
});

test('a frame of several frequencies gets one, each series as it should be aggregated', () => {
  const table = longOf(
    [DAILY, daily('2004-02-01', new Array(29).fill(3))],
    [{ metric_id: 2, frequency_id: 6 }, monthly('2004-01', [7, 8])],
    [{ region_id: 6, frequency_id: 1 }, february],
  );
  const months = table.resample({
    to: 'monthly',
    how: ({ key }) => (key.region_id === 6 ? 'max' : 'sum'),
  });
  const shown = exactRows(months).map(({ metric_name, frequency_id, end_date, value }) =>
    [metric_name, frequency_id, String(end_date).slice(0, 10), value].join(' '),
  );
  expect(shown).toEqual([
    'Yield, sum of each month 6 2004-02-29 87',
    'Area, harvested 6 2004-01-31 7',
    'Area, harvested 6 2004-02-29 8',
    'Yield, maximum of each month 6 2004-02-29 29',
  ]);
  expect(derivationSteps(months)).toEqual([
    'resample({"to":"monthly","how":{"1-2-3-0-1-5":"sum","1-2-6-0-1-5":"max"},"min_temporal_coverage":1,"first_month":1})',
  ]);
  expect(endsAndValues(months.resample({ to: 'monthly', how: 'sum' }))).toEqual(endsAndValues(months));
});

test('names the remedy that fits', () => {
  const shifted = longOf([{ frequency_id: 5 }, [['2000-01-02', '2000-01-11', 1]]]);
  expect(() => shifted.resample({ to: '10-day', how: 'sum' })).toThrow(/exclude it with selectSeries$/);
  expect(() =>
    longOf([{}, annual(2000, [1])]).resample({ to: 'annual', how: 'sum', first_month: 9 }),
  ).toThrow(/selectSeries, or specify its first_month$/);
  const part = longOf([{}, annual(2000, [1])]).select(['start_date', 'end_date', 'value', 'region_id']);
  expect(() => part.resample({ to: 'annual', how: 'sum' })).toThrow(
    /table: the frame has no unit_id, metric_id, item_id, .*; a long frame must keep these columns/,
  );
});

test.each([
  ['quarterly', 7, '2010-07-01', '2010-09-30', { to: 'annual', first_month: 9 }],
  ['quarterly', 7, '2010-12-01', '2011-02-28', { to: 'annual' }],
  ['2-month', 11, '2010-03-01', '2010-04-30', { to: 'quarterly' }],
  ['6-month', 8, '2010-01-01', '2010-06-30', { to: 'annual', first_month: 3 }],
  ['monthly', 6, '2010-01-16', '2010-02-15', { to: 'quarterly', first_month: 2 }],
] as const)('a %s point that lies in two periods is refused', (name, frequency_id, start, end, options) => {
  const written = [[start, end, 1]] as const;
  const call = (min_temporal_coverage: number) => () =>
    longOf([{ frequency_id }, written]).resample({ ...options, how: 'sum', min_temporal_coverage });
  expect(call(0)).toThrow(
    `is ${name}, and its period ${start} to ${end} overlaps two of the requested periods`,
  );
  expect(call(1)).toThrow(ArgumentError);
});

test.each([
  [
    { to: 'monthly', how: 'sum' },
    'to: Yield, Corn, Iowa is annual, which is coarser than monthly; exclude it',
  ],
  [
    { to: 'annual', how: 'sum', first_month: 9 },
    'with periods such as 2000-01-01 to 2000-12-31, which are not',
  ],
  [{ to: 'daily', how: 'sum' }, 'to: "daily"'],
  [{ to: 'monthly', how: 'median' }, 'how: "median"'],
  [{ to: 'monthly', how: 'sum', min_temporal_coverage: 2 }, 'min_temporal_coverage: 2'],
  [{ to: 'annual', how: 'sum', first_month: 13 }, 'first_month: 13'],
])('%j is refused', (options, message) => {
  const call = () => longOf([{}, annual(2000, [1])]).resample(options as ResampleOptions);
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(message);
});

test('joins the remarks of a period, those of points without a value too, and keeps those of a series as it is', () => {
  const remark = (flag: string, note?: string) =>
    JSON.stringify(note === undefined ? { flag } : { flag, note });
  const remarks = [remark('Z'), null, remark('E'), remark('A', 'withheld'), remark('E'), null];
  const points = monthly('2003-12', [null, 1, 2, null, 4, 5]).map(([start, end, value], i) => ({
    ...{ series: 0, start, end, value },
    metadata: remarks[i]!,
  }));
  const set = { series: [seriesOf({ frequency_id: 6 })], runs: runsOf(points) };
  const table = longFrame(set, { show_metadata: true });
  const remarksOf = (table: ReturnType<typeof longOf>) => exactRows(table).map(({ metadata }) => metadata);
  const options = { how: 'sum', min_temporal_coverage: 0 } as const;
  expect(remarksOf(table.resample({ to: 'quarterly', ...options }))).toEqual([
    '{"flag":["E","A"],"note":"withheld"}',
    remark('E'),
  ]);
  expect(remarksOf(table.resample({ to: 'monthly', ...options }))).toEqual(remarks);
});
