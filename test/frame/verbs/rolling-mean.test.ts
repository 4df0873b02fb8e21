import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayFrame } from '../../../src/frame/display/display-frame.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { rollingMean } from '../../../src/frame/verbs/rolling-mean.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { annual, daily, endsAndValues, longOf, monthly, wideOf, wideValues } from '../verbs.js';

const DAILY = { frequency_id: 1 };

test('averages a calendar window, which gaps do not extend', () => {
  const gap = daily('2000-01-01', [1, 2, null, 6, 8]);
  const values = endsAndValues(rollingMean(longOf([DAILY, gap]), { window: { days: 2 } })).map(
    ([, value]) => value,
  );
  expect(values).toEqual([1, 1.5, null, 6, 7]);
});

test('a window with too few values is null', () => {
  const table = longOf([DAILY, daily('2000-01-01', [1, 2, null, 6, 8])]);
  const values = endsAndValues(rollingMean(table, { window: { days: 3 }, min_values: 2 })).map(
    ([, value]) => value,
  );
  expect(values).toEqual([null, 1.5, null, 4, 7]);
});

test('months and years are those of the calendar', () => {
  const months = longOf([{ frequency_id: 6 }, monthly('2000-01', [1, 2, 3, 4])]);
  expect(endsAndValues(rollingMean(months, { window: { months: 2 } })).map(([, value]) => value)).toEqual([
    1, 1.5, 2.5, 3.5,
  ]);
  const years = wideOf([{}, annual(2000, [1, 2, 6])]);
  expect(wideValues(rollingMean(years, { window: { years: 2 } }))).toEqual([[1, 1.5, 4]]);
});

test('separates series, keeps other columns, and records the step', () => {
  const table = longOf(
    [DAILY, daily('2000-01-01', [1, 3])],
    [{ ...DAILY, region_id: 6 }, daily('2000-01-01', [10, 30])],
  );
  const mean = rollingMean(table, { window: { days: 5 } });
  expect(endsAndValues(mean).map(([, value]) => value)).toEqual([1, 2, 10, 20]);
  expect(mean.getChild('region_name')!.toJSON()).toEqual(table.getChild('region_name')!.toJSON());
  expect(derivationSteps(mean)).toEqual(['rollingMean({"window":{"days":5},"min_values":1})']);
  expect(displayFrame(mean)).toContain('computed: rollingMean({"window":{"days":5},"min_values":1})');
  expect([...table.getChild('value')!]).toEqual([1, 3, 10, 30]);
});

test('agrees with a mean computed for each row, long and wide', () => {
  const value = fc.option(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { freq: 4 });
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      (values, days) => {
        const expected = values.map((own, i) => {
          const known = values.slice(Math.max(0, i + 1 - days), i + 1).filter((each) => each !== null);
          return own === null ? null : known.reduce((sum, each) => sum + each, 0) / known.length;
        });
        const series = [DAILY, daily('1999-12-20', values)] as const;
        const long = endsAndValues(rollingMean(longOf(series), { window: { days } })).map(([, mean]) => mean);
        expect(long.map((mean) => mean === null)).toEqual(expected.map((mean) => mean === null));
        long.forEach((mean, i) => {
          if (mean !== null) expect(Math.abs(mean - expected[i]!)).toBeLessThanOrEqual(1e-6);
        });
        expect(wideValues(rollingMean(wideOf(series), { window: { days } }))).toEqual([long]);
      },
    ),
  );
});

test('refuses an empty window, and several values for one period', () => {
  const table = longOf([DAILY, daily('2000-01-01', [1])]);
  expect(() => rollingMean(table, { window: {} })).toThrow(ArgumentError);
  const twice = longOf([DAILY, [...daily('2000-01-01', [1]), ['2000-01-01', '2000-01-01', 1.5]]]);
  expect(() => rollingMean(twice, { window: { days: 1 } })).toThrow(/several values for 20/);
});
