import type { Table } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { degreeDaysOf, type FrameDegreeDaysOptions } from '../../../src/agronomy/frames/degree-days-of.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { frame } from '../../../src/frame/frame.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { ArgumentError, UnitError } from '../../../src/model/errors.js';
import { exactRows } from '../../frame/exact-rows.js';
import { runsOf, seriesOf } from '../../frame/points.js';
import { annual, daily, longOf, type Written } from '../../frame/verbs.js';

const named = (names: Record<number, string>) =>
  new Map(Object.entries(names).map(([id, name]) => [Number(id), name]));
const NAMES = {
  metrics: named({ 9: 'Temperature' }),
  items: named({ 11: 'Temperature min', 12: 'Temperature max', 13: 'Rainfall' }),
  regions: named({ 0: 'World', 3: 'Ames', 6: 'Des Moines' }),
  frequencies: named({ 1: 'daily' }),
  sources: named({ 5: 'NOAA' }),
  units: named({ 7: 'degrees Celsius', 8: 'degrees Fahrenheit' }),
  unit_abbreviations: named({ 7: '°C', 8: '°F' }),
};

/** The days of a frame: region, item and points; minima and maxima alike with the same mean every day. */
function frameOf(
  build: typeof longFrame | typeof wideFrame,
  series: readonly { region_id: number; item_id: number; points: Written; unit_id?: number }[],
): Table {
  const points = series.flatMap(({ points, unit_id = 7 }, at) =>
    points.map(([start, end, value]) => ({ series: at, start, end, value, unit_id })),
  );
  return build(
    {
      series: series.map(({ region_id, item_id, unit_id = 7 }) =>
        seriesOf({ metric_id: 9, item_id, region_id, unit_id, frequency_id: 1 }),
      ),
      runs: runsOf(points),
    },
    { names: NAMES },
  ) as Table;
}

/** Every day from the first of May on with minimum `mean` − 5 and maximum `mean` + 5. */
const station = (region_id: number, from: string, means: readonly (number | null)[]) =>
  [-5, 5].map((range, at) => {
    const values = means.map((mean) => mean && mean + range);
    return { region_id, item_id: 11 + at, points: daily(from, values) };
  });

const MAY = [...new Array(31).fill(20)];
const AMES = station(3, '2012-05-01', [...MAY, 20]);
const DES_MOINES = station(6, '2012-05-01', [null, ...MAY.slice(1), 20]);
const SEASON = { from: '05-01', to: '05-31' };

const totals = (table: Table) =>
  exactRows(table).map(({ region_name, season, total, coverage }) => [region_name, season, total, coverage]);

describe.each([
  ['long', longFrame],
  ['wide', wideFrame],
] as const)('of a %s frame', (_, build) => {
  const table = frameOf(build, [...AMES, ...DES_MOINES]);

  it('has a row for each region and season', () => {
    expect(exactRows(degreeDaysOf(frameOf(build, AMES), { base_temperature: 10, season: SEASON }))).toEqual([
      {
        ...{ region_id: 3, region_name: 'Ames', source_name: 'NOAA', season: 2012 },
        ...{ start_date: '2012-05-01T00:00:00.000Z', end_date: '2012-05-31T00:00:00.000Z' },
        ...{ total: 310, unit: '°C·day', coverage: 1 },
        ...{ method: 'average', cutoff: 'none', base_temperature: 10, upper_temperature_cap: null },
      },
    ]);
  });

  it('says among its steps that no temperature is above the base, and in how many seasons', () => {
    const step = derivationSteps(degreeDaysOf(table, { base_temperature: 50, season: SEASON })).at(-1);
    expect(step).toContain('no temperature is above the base of 50 °C');
    expect(step).toMatch(/in 2 of 2 seasons$/);
    const rule = { base_temperature: 10, upper_temperature_cap: null };
    const text = degreeDaysOf(frameOf(build, AMES), { ...rule, season: SEASON }).toText();
    expect(text).toMatch(/^region_name +season +total/m);
    expect(text).not.toContain('above the base');
  });

  it('is null below the coverage, and says it', () => {
    const rule = { base_temperature: 10, season: SEASON };
    expect(totals(degreeDaysOf(table, rule))).toEqual([
      ['Ames', 2012, 310, 1],
      ['Des Moines', 2012, null, 30 / 31],
    ]);
    const enough = degreeDaysOf(table, { ...rule, min_temporal_coverage: 0.9 });
    expect(totals(enough)[1]).toEqual(['Des Moines', 2012, 300, 30 / 31]);
  });

  it('is weighted, and null when a region of positive weight has no total', () => {
    const weighted = (ames: number, desMoines: number, options: Partial<FrameDegreeDaysOptions> = {}) => {
      const weights = [
        { id: 3, weight: ames },
        { id: 6, weight: desMoines },
      ];
      const rule = { base_temperature: 10, season: SEASON, weights, ...options };
      return exactRows(degreeDaysOf(table, rule)).map((row) => [row.season, row.total, row.weight_present]);
    };
    expect(weighted(3, 1)).toEqual([[2012, null, 0.75]]);
    expect(weighted(3, 1, { min_temporal_coverage: 0 })).toEqual([[2012, 0.75 * 310 + 0.25 * 300, 1]]);
    expect(weighted(2, 0)).toEqual([[2012, 310, 1]]);
  });
});

it('cuts seasons across the new year, each whole, and says what a season lacks', () => {
  const table = frameOf(longFrame, station(3, '2011-12-30', new Array(10).fill(12)));
  const season = { from: '12-31', to: '01-02' };
  expect(totals(degreeDaysOf(table, { base_temperature: 10, season }))).toEqual([['Ames', 2011, 6, 1]]);
  const late = frameOf(longFrame, station(3, '2012-01-01', new Array(3).fill(12)));
  expect(totals(degreeDaysOf(late, { base_temperature: 10, season }))).toEqual([['Ames', 2011, null, 2 / 3]]);
  expect(totals(degreeDaysOf(late, { base_temperature: 10, season, min_temporal_coverage: 0.5 }))).toEqual([
    ['Ames', 2011, 4, 2 / 3],
  ]);
});

it('without a season takes all days of the frame', () => {
  const table = frameOf(longFrame, station(3, '2011-12-30', new Array(10).fill(12)));
  expect(totals(degreeDaysOf(table, { base_temperature: 10 }))).toEqual([['Ames', 2011, 20, 1]]);
});

it('takes the next minimum of the day after a season for the double methods', () => {
  const table = frameOf(longFrame, AMES);
  const rule = { base_temperature: 18, method: 'double-sine' } as const;
  const parts = [SEASON, { from: '06-01', to: '06-01' }].map(
    (season) => exactRows(degreeDaysOf(table, { ...rule, season }))[0]!.total as number,
  );
  const whole = exactRows(degreeDaysOf(table, { ...rule, season: { from: '05-01', to: '06-01' } }))[0]!.total;
  expect(parts[0]! + parts[1]!).toBeCloseTo(whole as number, 9);
});

it('selects minima and maxima by ids, and keeps the steps of the frame', () => {
  const rain = { region_id: 3, item_id: 13, points: daily('2012-05-01', [1]) };
  const table = frameOf(wideFrame, [...AMES, rain]);
  const chosen = degreeDaysOf(frame(table).selectSeries({ item_id: [11, 12] }), {
    base_temperature: 10,
    tmin: { item_id: 11 },
    tmax: { item_id: 12 },
  });
  expect(totals(chosen)).toEqual([['Ames', 2012, 320, 1]]);
  expect(derivationSteps(chosen)).toEqual([
    'selectSeries({"item_id":[11,12]})',
    'degreeDays({"base_temperature":10,"tmin":{"item_id":11},"tmax":{"item_id":12}})',
  ]);
});

const NONE = longOf([{}, annual(2000, [1])]);
const LONG = frameOf(longFrame, AMES);
const inFahrenheit = (build: typeof longFrame | typeof wideFrame) =>
  frameOf(
    build,
    AMES.map((each) => ({ ...each, unit_id: 8 })),
  );

const MINIMA = frameOf(longFrame, AMES.slice(0, 1));
const ANNUAL = { tmin: { item_id: 2 }, tmax: { item_id: 2 } };

it.each<[string, Table, object, RegExp, (typeof ArgumentError | typeof UnitError)?]>([
  ['no temperatures', NONE, {}, /no series has the item name "Temperature min"/],
  [
    'a minimum alone',
    MINIMA,
    {},
    /tmax: the frame has no tmax series from the source of Temperature, Temperature min, Ames/,
  ],
  ['series that are not daily', NONE, ANNUAL, /is in t\/ha, not in °C/, UnitError],
  ['another unit', inFahrenheit(longFrame), {}, /Ames is in .*, not in °C; request it in °C/, UnitError],
  ['an unknown weighted region', LONG, { weights: [{ id: 4, weight: 1 }] }, /has the region ids 3/],
  ['weights of zero', LONG, { weights: [{ id: 3, weight: 0 }] }, /one must be above 0/],
  ['a season of 29 February', LONG, { season: { from: '02-29', to: '03-05' } }, /02-29/],
  ['an unknown option', LONG, { seasons: [] }, /seasons: degreeDays has no such option.*season/],
])('refuses %s', (_, table, options, message, kind = ArgumentError) => {
  const call = () => degreeDaysOf(table, { base_temperature: 10, ...options } as FrameDegreeDaysOptions);
  expect(call).toThrow(kind);
  expect(call).toThrow(message);
});

it('reads degrees Fahrenheit with thresholds in them', () => {
  const wide = inFahrenheit(wideFrame);
  const [row] = exactRows(degreeDaysOf(wide, { base_temperature: 10, temperature_unit: 'fahrenheit' }));
  expect(row).toMatchObject({ total: 320, unit: '°F·day' });
});

it.each([
  ['regions', {}],
  ['weights', { weights: [{ id: 3, weight: 1 }] }],
])('of %s has the same columns and types for series without values', (_, options) => {
  const whole = degreeDaysOf(frameOf(wideFrame, AMES), { base_temperature: 10, ...options });
  const points = daily('2012-05-01', [null, null]);
  const empty = [11, 12].map((item_id) => ({ region_id: 3, item_id, points }));
  const none = degreeDaysOf(frameOf(wideFrame, empty), { base_temperature: 10, ...options });
  expect(none.numRows).toBe(0);
  expect(none.schema.fields.map(String)).toEqual(whole.schema.fields.map(String));
});
