import { expect, test } from 'vitest';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { daily, endsAndValues, longOf } from '../verbs.js';

const DAILY = { frequency_id: 1 };

test('a window with too few values is null', () => {
  const table = longOf([DAILY, daily('2000-01-01', [1, 2, null, 6, 8])]);
  const values = endsAndValues(table.rollingMean({ window: { days: 3 }, min_values: 2 })).map(
    ([, value]) => value,
  );
  expect(values).toEqual([null, 1.5, null, 4, 7]);
});

test('an infinite value counts only in the windows that contain it', () => {
  const table = longOf([DAILY, daily('2000-01-01', [1, Number.POSITIVE_INFINITY, 2, 3, 4])]);
  const values = endsAndValues(table.rollingMean({ window: { days: 2 } })).map(([, value]) => value);
  expect(values).toEqual([1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 2.5, 3.5]);
});

test('separates series, keeps other columns, and records the step', () => {
  const table = longOf(
    [DAILY, daily('2000-01-01', [1, 3])],
    [{ ...DAILY, region_id: 6 }, daily('2000-01-01', [10, 30])],
  );
  const mean = table.rollingMean({ window: { days: 5 } });
  expect(endsAndValues(mean).map(([, value]) => value)).toEqual([1, 2, 10, 20]);
  expect(mean.getChild('region_name')!.toJSON()).toEqual(table.getChild('region_name')!.toJSON());
  expect(derivationSteps(mean)).toEqual(['rollingMean({"window":{"days":5},"min_values":1})']);
  expect(mean.toText()).toContain('computed: rollingMean({"window":{"days":5},"min_values":1})');
  expect([...table.getChild('value')!]).toEqual([1, 3, 10, 30]);
});

test('refuses an empty window, and several values for one period', () => {
  const table = longOf([DAILY, daily('2000-01-01', [1])]);
  expect(() => table.rollingMean({ window: {} })).toThrow(ArgumentError);
  const twice = longOf([DAILY, [...daily('2000-01-01', [1]), ['2000-01-01', '2000-01-01', 1.5]]]);
  expect(() => twice.rollingMean({ window: { days: 1 } })).toThrow(/several values for 20/);
});
