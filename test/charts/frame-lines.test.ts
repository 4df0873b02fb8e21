import { describe, expect, it } from 'vitest';
import { frameTexts, readLines } from '../../src/charts/frame-lines.js';
import { transformFrame } from '../../src/charts/transform-frame.js';
import { fromRows, type LongFrame } from '../../src/index.js';
import { defaultAggregation } from '../../src/model/chart-choices.js';
import { annual, longOf } from '../frame/verbs.js';
import { dayRow as row } from './day-row.js';

const frame = fromRows([
  row('2019-02-28', null),
  row('2019-03-01', 4),
  row('2020-02-29', 8),
  row('2020-03-01', 2),
  row('2020-03-01', 0, 5),
  row('2020-03-02', 3, 5),
]) as unknown as LongFrame;

const choices = {
  from: null,
  to: null,
  every: null,
  how: 'mean',
  scale: 'normal',
  formula: 'none',
  periods: 5,
} as const;

const valuesOf = async (given: LongFrame) => (await readLines(given)).map(({ value }) => [...value]);

describe('the shown frame', () => {
  it('has the rows of the chosen dates, both included, and nulls as nulls', async () => {
    expect(await valuesOf(transformFrame(frame, { ...choices, to: '2020-02-29' }).frame)).toEqual([
      [Number.NaN, 4, 8],
    ]);
    expect(
      await valuesOf(transformFrame(frame, { ...choices, from: '2020-03-01', to: '2020-03-01' }).frame),
    ).toEqual([[2], [0]]);
  });

  it('keeps every period that overlaps the dates, as the client does', async () => {
    const years = longOf([{}, annual(2000, [1, 2, 3])]);
    const ofDates = (from: string, to: string) =>
      valuesOf(transformFrame(years, { ...choices, from, to }).frame);
    expect(await ofDates('2000-06-01', '2001-04-15')).toEqual([[1, 2]]);
    expect(await ofDates('2001-01-01', '2001-12-31')).toEqual([[2]]);
  });

  it('sums amounts that add up over time, and takes the mean of others', () => {
    const days = Array.from({ length: 31 }, (_, day) => `2020-01-${String(day + 1).padStart(2, '0')}`);
    const named = { metric_name: 'Precipitation quantity', item_name: 'Precipitation', item_id: 3 };
    const rain = days.map((day) => ({ ...row(day, 2), ...named }));
    const monthly = (how: 'mean' | null) =>
      transformFrame(fromRows([...days.map((day) => row(day, 2)), ...rain]) as unknown as LongFrame, {
        ...choices,
        every: 'month',
        how,
      }).lines.map((line) => [line.how, ...line.value]);
    expect(monthly(null)).toEqual([
      ['mean', 2],
      ['sum', 62],
    ]);
    expect(monthly('mean')).toEqual([
      ['mean', 2],
      ['mean', 2],
    ]);
    expect(transformFrame(frame, choices).lines.map(({ how }) => how)).toEqual([null, null]);
  });

  it.each([
    ['sum', 'Snowfall quantity', 'Snowfall', 'mm'],
    ['sum', 'Production quantity', 'Corn', 'Mt'],
    ['sum', 'Exports quantity', 'Corn', '1000 bales'],
    ['sum', 'Weather', 'Growing degree days', '°C·day'],
    ['mean', 'Precipitation', 'Precipitation', 'mm/day'],
    ['mean', 'Standardised precipitation index', 'Precipitation', ''],
    ['mean', 'Snow depth', 'Snow on the ground', 'mm'],
    ['mean', 'Yield', 'Corn', 't/ha'],
    ['mean', 'Ending stocks', 'Corn', 'Mt'],
    ['mean', 'Area', 'Land use', 'ha'],
    ['mean', 'Share', 'Production', '%'],
  ])('%s: %s, %s, %s', (how, metric, item, unit) => {
    expect(defaultAggregation({ metric, item, unit })).toBe(how);
  });

  it.each(['index', 'yoy'] as const)('refuses temperatures as %s: their zero is arbitrary', (scale) => {
    const temperatures = fromRows([{ ...row('2020-03-01', 50), unit_name: '°F' }]) as unknown as LongFrame;
    expect(() => transformFrame(temperatures, { ...choices, scale })).toThrow(
      /in °F, whose zero is arbitrary, so ratios and percentages are meaningless; use differences/,
    );
  });

  it('as an index begins at 100, has no unit, and is null where the first value is 0', async () => {
    const lines = await readLines(transformFrame(frame, { ...choices, scale: 'index' }).frame);
    expect(lines.map(({ value, unit }) => [[...value], unit])).toEqual([
      [[Number.NaN, 100, 200, 50], ''],
      [[Number.NaN, Number.NaN], ''],
    ]);
  });
});

it('titles series of several measures by them, and by what else they share', () => {
  const measures = ['Yield', 'Area harvested', 'Price', 'Stocks', 'Crush'];
  const titleOf = (count: number) =>
    frameTexts(
      fromRows(
        measures.slice(0, count).map((metric_name, at) => ({
          ...row('2019-03-01', 1),
          metric_id: at + 1,
          metric_name,
          item_name: 'Corn',
        })),
      ),
      {},
    ).title;
  const end = ' · Iowa <1>';
  const two = 'Corn yield, corn area harvested';
  expect(titleOf(2)).toBe(`${two}${end}`);
  expect(titleOf(5)).toBe(`${two}, corn price and 2 more${end}`);
});
