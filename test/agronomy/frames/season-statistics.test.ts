import { expect, it } from 'vitest';
import {
  type SeasonStatisticsOptions,
  seasonStatistics,
} from '../../../src/agronomy/frames/season-statistics.js';
import { countDaysBeyond } from '../../../src/agronomy/weather/days-beyond.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { exactRows } from '../../frame/exact-rows.js';
import { annual, daily, longOf, wideOf } from '../../frame/verbs.js';

const SERIES = [
  [{ region_id: 3, item_id: 2, frequency_id: 1 }, daily('2012-05-01', [20, 31, 35, 30])],
  [{ region_id: 3, item_id: 4, frequency_id: 1 }, daily('2012-05-01', [5, 0, null, 1])],
  [{ region_id: 6, item_id: 2, frequency_id: 1 }, daily('2012-05-02', [40, 40, 40])],
] as const;
const OPTIONS: SeasonStatisticsOptions = {
  season: { from: '05-01', to: '05-04' },
  statistics: {
    heat_days: { of: { item_id: 2 }, compute: (values) => countDaysBeyond(values, { above: 30 }).days },
    rain: { of: { item_id: 4 }, compute: (values) => values.reduce((sum, value) => sum + (value || 0), 0) },
  },
};

it.each([
  ['long', longOf(...SERIES)],
  ['wide', wideOf(...SERIES)],
])('has a row for each region and season of a %s frame, null below the coverage', (_, table) => {
  expect(exactRows(seasonStatistics(table, OPTIONS))).toEqual([
    {
      ...{ region_id: 3, region_name: 'Iowa', season: 2012 },
      ...{ start_date: '2012-05-01T00:00:00.000Z', end_date: '2012-05-04T00:00:00.000Z' },
      ...{ heat_days: 2, rain: null, coverage: 0.75 },
    },
    expect.objectContaining({ region_name: "Côte d'Ivoire", heat_days: null, rain: null, coverage: 0 }),
  ]);
  const some = seasonStatistics(table, { ...OPTIONS, min_temporal_coverage: 0.7 });
  expect(exactRows(some).map(({ heat_days, rain }) => [heat_days, rain])).toEqual([
    [2, 6],
    [3, null],
  ]);
});

const one = (metric_id: number, name = 'x') => ({ [name]: { of: { metric_id }, compute: () => 1 } });

it.each([
  ['several series of a region', one(1), /statistics.x selects several series/],
  ['no series', one(9), /statistics.x selects no series in the frame/],
  ['no statistics', {}, /statistics/],
  ['a name that is taken', one(1, 'season'), /"season" is already a column/],
])('refuses %s', (_, statistics, message) => {
  const call = () => seasonStatistics(longOf(...SERIES), { statistics });
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(message);
});

it('refuses series that are not daily', () => {
  const table = longOf([{}, annual(2012, [1])]);
  expect(() => seasonStatistics(table, { statistics: one(1) })).toThrow(
    /Yield, Corn, Iowa is annual; pass daily series/,
  );
});

it('has the same columns and types for series without values', () => {
  const whole = seasonStatistics(longOf(...SERIES), OPTIONS);
  const empty = SERIES.map(([ids]) => [ids, daily('2012-05-01', [null])] as const);
  const none = seasonStatistics(longOf(...empty), OPTIONS);
  expect(none.numRows).toBe(0);
  expect(none.schema.fields.map(String)).toEqual(whole.schema.fields.map(String));
});
