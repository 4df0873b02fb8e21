import { expect, test } from 'vitest';
import { ArgumentError } from '../../../src/model/errors.js';
import { annual, daily, endsAndValues, longOf, monthly, wideOf, wideValues } from '../verbs.js';

const values = (table: ReturnType<typeof longOf>) => endsAndValues(table).map(([, value]) => value);

test('compares with the same period of the year before', () => {
  const years = longOf([{}, annual(2000, [2, 3, null, 0, 5])]);
  expect(values(years.yearOverYear())).toEqual([null, 1, null, null, 5]);
  expect(values(years.yearOverYear({ as: 'percent' }))).toEqual([null, 50, null, null, null]);
  expect(values(years.yearOverYear({ as: 'ratio', years: 3 }))).toEqual([null, null, null, 0, 5 / 3]);
});

test('ignores dates of other series in a wide frame', () => {
  const table = wideOf(
    [{ frequency_id: 6 }, [...monthly('2000-02', [2]), ...monthly('2001-02', [20])]],
    [{ frequency_id: 1, region_id: 6 }, daily('2000-02-25', [1, 1, 1, 1, 1, 1])],
  );
  expect(wideValues(table.yearOverYear())[0]!.filter((value) => value !== null)).toEqual([18]);
});

test('compares periods of several years with a whole number of them only', () => {
  const periods = [2000, 2005, 2010].map(
    (year, i) => [`${year}-01-01`, `${year + 4}-12-31`, 2 ** i] as const,
  );
  const prices = longOf([{ frequency_id: 13 }, periods]);
  expect(values(prices.yearOverYear({ years: 5 }))).toEqual([null, 1, 2]);
  for (const years of [1, 6])
    expect(() => prices.yearOverYear({ years })).toThrow(
      /years: Yield, Corn, Iowa is 5-year.*set years to 5/,
    );
});

test('years must be a positive whole number', () => {
  expect(() => longOf().yearOverYear({ years: 0 })).toThrow(ArgumentError);
  expect(() => longOf([{ frequency_id: 999 }, annual(2000, [1, 2])]).yearOverYear()).toThrow(
    /frequency_id: 999/,
  );
});
