import type { Table } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { type WeightingOptions, weighRegions } from '../../../src/agronomy/weighting/weigh-regions.js';
import { concat } from '../../../src/frame/combine/concat.js';
import { displayFrame } from '../../../src/frame/display/display-frame.js';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { rollingMean, yearOverYear } from '../../../src/frame/verbs/per-point.js';
import { resample } from '../../../src/frame/verbs/resample.js';
import { ArgumentError, UnitError } from '../../../src/model/errors.js';
import { exactRows } from '../../frame/exact-rows.js';
import { annual, daily, endsAndValues, longOf, monthly, wideOf } from '../../frame/verbs.js';

const IOWA = { region_id: 3, frequency_id: 1 };
const IVORY_COAST = { region_id: 6, frequency_id: 1 };
const SERIES = [
  [IOWA, daily('2012-01-01', [1, null, 3])],
  [IVORY_COAST, daily('2012-01-01', [10, null, 30, 40])],
] as const;
const WEIGHTS = [
  { id: 3, weight: 3 },
  { id: 6, weight: 1 },
];

describe.each([
  ['long', longOf(...SERIES)],
  ['wide', wideOf(...SERIES)],
])('of a %s frame', (_, table) => {
  const values = (options: WeightingOptions) =>
    exactRows(weighRegions(table, options)).map(({ value, weight_present }) => [value, weight_present]);

  it('sums and averages each period, and is null unless all of the weight has a value', () => {
    expect(values({ how: 'sum' })).toEqual([
      [11, 1],
      [null, 0],
      [33, 1],
      [null, 0.5],
    ]);
    expect(values({ weights: WEIGHTS })).toEqual([
      [(3 * 1 + 10) / 4, 1],
      [null, 0],
      [(3 * 3 + 30) / 4, 1],
      [null, 0.25],
    ]);
    expect(values({ weights: WEIGHTS, min_weight_present: 0.25 })[3]).toEqual([40, 0.25]);
    expect(values({ weights: WEIGHTS, how: 'sum' })[0]).toEqual([13, 1]);
    expect(values({ weighting_func: (_weight, value) => 2 * value })[0]).toEqual([11, 1]);
  });

  it('counts a region that the frame lacks as missing, and one without a weight not at all', () => {
    expect(values({ weights: [...WEIGHTS, { id: 8, weight: 4 }] })[0]).toEqual([null, 0.5]);
    expect(values({ weights: [{ id: 6, weight: 2 }] }).map(([value]) => value)).toEqual([10, null, 30, 40]);
  });

  it('is a long frame of one series, which names its regions and has what they have in common', () => {
    const summed = weighRegions(table, { how: 'sum' });
    expect(displayFrame(summed)).toContain('long frame · 4 rows');
    expect(exactRows(summed)[0]).toMatchObject({
      start_date: '2012-01-01T00:00:00.000Z',
      end_date: '2012-01-01T00:00:00.000Z',
      metric_name: 'Yield, sum of regions',
      region_name: "Iowa, Côte d'Ivoire",
      frequency_id: 1,
      unit_name: 't/ha',
    });
    expect(exactRows(summed)[0]!.region_id).toBeLessThan(0);
    expect(derivationSteps(summed).at(-1)).toBe('weighted({"how":"sum"})');
  });
});

it('can be worked with like any other frame', () => {
  const summed = weighRegions(longOf(...SERIES), { how: 'sum', min_weight_present: 0 });
  const mean = endsAndValues(rollingMean(summed, { window: { days: 3 } }));
  expect(mean.map(([, value]) => value)).toEqual([11, null, 22, 36.5]);
  const month = resample(summed, { to: 'monthly', how: 'sum', min_temporal_coverage: 0 });
  expect(endsAndValues(month)).toEqual([['2012-01-31', 84]]);
  const years = weighRegions(longOf([{}, annual(2000, [4, 5])]), { how: 'sum' });
  expect(endsAndValues(yearOverYear(years)).map(([, value]) => value)).toEqual([null, 1]);
});

it('stands beside an average of other regions, and of other kinds', () => {
  const across = (...region_ids: number[]) =>
    weighRegions(
      longOf(...region_ids.map((region_id) => [{ region_id }, annual(2000, [region_id])] as const)),
    );
  expect(endsAndValues(concat([across(3, 6), across(3, 8), across(6, 3)]))).toEqual([
    ['2000-12-31', 4.5],
    ['2000-12-31', 5.5],
  ]);
  const kinds = longOf(
    [{ region_id: 3 }, annual(2000, [1])],
    [{ region_id: 3, item_id: 4 }, annual(2000, [10])],
    [{ region_id: 6 }, annual(2000, [3])],
    [{ region_id: 6, item_id: 4, source_id: 9 }, annual(2000, [30])],
    [{ region_id: 6, frequency_id: 6 }, monthly('2000-01', [5])],
  );
  expect(endsAndValues(weighRegions(kinds))).toEqual([
    ['2000-12-31', 2],
    ['2000-12-31', 20],
    ['2000-01-31', null],
  ]);
});

it('weights each series, and keeps its rows', () => {
  const weighted = weighRegions(longOf(...SERIES), { how: 'each', weights: WEIGHTS });
  expect(endsAndValues(weighted).map(([, value]) => value)).toEqual([3, null, 9, 10, null, 30, 40]);
  expect(exactRows(weighted)[0]).toMatchObject({ region_id: 3, metric_name: 'Yield, weighted' });
});

const FRAME = longOf(...SERIES);
const ONE = annual(2000, [1]);
const OF_UNITS = longOf([{}, ONE], [{ region_id: 6, unit_id: 4 }, ONE]);
const OF_SOURCES = longOf([{}, ONE], [{ source_id: 9 }, ONE]);
const NO_WEIGHT = /weights: no region in the frame has a weight; the frame has the region ids 3, 6/;

it.each<[string, Table, object, RegExp, (typeof ArgumentError | typeof UnitError)?]>([
  ['values in several units', OF_UNITS, {}, /unit_id 7 and 4 cannot be added together/, UnitError],
  ['two sources of a region', OF_SOURCES, {}, /region 3 has several series of the same kind/],
  ['weights of other regions', FRAME, { weights: [{ id: 9, weight: 1 }] }, NO_WEIGHT],
  ['weights of 0', FRAME, { weights: [{ id: 3, weight: 0 }] }, /one must be above 0/],
  ['an unknown word', FRAME, { how: 'weighted' }, /choose one of mean, sum, each/],
  ['a table without regions', fromRows([{ value: 1 }]), {}, /end_date/],
])('refuses %s', (_, table, options, message, kind = ArgumentError) => {
  const call = () => weighRegions(table, options as WeightingOptions);
  expect(call).toThrow(kind);
  expect(call).toThrow(message);
});

it('stands below frames of single regions, without its weights', () => {
  const own = longOf([{ region_id: 3 }, annual(2000, [1])], [{ region_id: 6 }, annual(2000, [3])]);
  const both = weighRegions(own).concat(own);
  expect(exactRows(both).map(({ value }) => value)).toEqual([2, 1, 3]);
  expect(exactRows(both)[0]).not.toHaveProperty('weight_present');
});
