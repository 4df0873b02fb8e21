import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ArgumentError } from '../../../src/model/errors.js';
import { annual, daily, dekads, endsAndValues, longOf, monthly, wideOf, wideValues } from '../verbs.js';

const values = (table: ReturnType<typeof longOf>) => endsAndValues(table).map(([, value]) => value);

test('subtracts the mean of the same month', () => {
  const months = [
    ...monthly('2000-01', [1, 10]),
    ...monthly('2001-01', [3, 14]),
    ...monthly('2002-01', [8, null]),
  ];
  const series = [{ frequency_id: 6 }, months] as const;
  expect(values(longOf(series).anomaly())).toEqual([-3, -2, -1, 2, 4, null]);
  expect(wideValues(wideOf(series).anomaly())).toEqual([[-3, -2, -1, 2, 4, null]]);
});

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

test('counts 29 February as the 28th', () => {
  const days = [...daily('2003-02-28', [1, 50]), ...daily('2004-02-28', [2, 6, 70])];
  expect(values(longOf([{ frequency_id: 1 }, days]).anomaly())).toEqual([-2, -10, -1, 3, 10]);
});

test('compares each dekad with the same dekad of other years', () => {
  const years = [2003, 2004, 2005];
  const points = years.flatMap((year, at) => dekads(year, (dekad) => 100 * dekad + 10 ** at));
  const departures = [1, 10, 100].map((value) => value - 37);
  const expected = departures.flatMap((departure) => new Array(36).fill(departure));
  expect(values(longOf([{ frequency_id: 5 }, points]).anomaly())).toEqual(expected);
  expect(wideValues(wideOf([{ frequency_id: 5 }, points]).anomaly())).toEqual([expected]);
});

test('anomalies of all data sum to zero in every month', () => {
  const value = fc.double({ noNaN: true, min: -1e6, max: 1e6 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 12, maxLength: 60 }), (all) => {
      const departures = values(longOf([{ frequency_id: 6 }, monthly('1990-01', all)]).anomaly());
      for (let month = 0; month < 12; month++) {
        const sum = departures
          .filter((_, i) => i % 12 === month)
          .reduce<number>((total, each) => total + each!, 0);
        expect(Math.abs(sum)).toBeLessThan(1e-6);
      }
    }),
  );
});

test('refuses a reference period without a value', () => {
  const months = longOf([{ frequency_id: 6 }, monthly('1990-01', [1, 2, 3])]);
  expect(() => months.anomaly({ start_date: '2001-01-01', end_date: '2010-12-31' })).toThrow(
    /2001-01-01 to 2010-12-31, has no value/,
  );
});

test('refuses invalid and reversed dates', () => {
  expect(() => longOf().anomaly({ start_date: '1990' })).toThrow(ArgumentError);
  expect(() => longOf().anomaly({ start_date: '1991-01-01', end_date: '1990-01-01' })).toThrow(/start_date/);
});
