import { expect, test } from 'vitest';
import { ArgumentError } from '../../../src/model/errors.js';
import { annual, endsAndValues, longOf, monthly } from '../verbs.js';

const values = (table: ReturnType<typeof longOf>) => endsAndValues(table).map(([, value]) => value);

test('uses the reference period, with inclusive dates', () => {
  const years = longOf([{}, annual(2000, [1, 3, 100])]);
  const reference = { start_date: '2000-12-31', end_date: '2001-12-31' };
  expect(values(years.anomaly(reference))).toEqual([-1, 1, 98]);
  expect(values(years.anomaly({ ...reference, as: 'percent' }))).toEqual([-50, 50, 4900]);
  const deviation = Math.SQRT2;
  expect(values(years.anomaly({ ...reference, as: 'standardised' }))).toEqual([
    -1 / deviation,
    1 / deviation,
    98 / deviation,
  ]);
});

test('is null where the divisor is 0 or unknown', () => {
  const years = longOf([{}, annual(2000, [5, 5, 7])]);
  expect(values(years.anomaly({ end_date: '2001-12-31', as: 'standardised' }))).toEqual([null, null, null]);
  expect(values(years.anomaly({ end_date: '2000-12-31', as: 'standardised' }))).toEqual([null, null, null]);
});

test('refuses a reference period without a value', () => {
  const months = longOf([{ frequency_id: 6 }, monthly('1990-01', [1, 2, 3])]);
  expect(() => months.anomaly({ start_date: '2001-01-01', end_date: '2010-12-31' })).toThrow(
    /2001-01-01 to 2010-12-31, contains no values/,
  );
});

test('refuses invalid and reversed dates', () => {
  expect(() => longOf().anomaly({ start_date: '1990' })).toThrow(ArgumentError);
  expect(() => longOf().anomaly({ start_date: '1991-01-01', end_date: '1990-01-01' })).toThrow(/start_date/);
});
