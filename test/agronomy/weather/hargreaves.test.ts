import { expect, it } from 'vitest';
import {
  extraterrestrialRadiation,
  hargreavesEvapotranspiration,
} from '../../../src/agronomy/weather/hargreaves.js';
import { ArgumentError } from '../../../src/model/errors.js';

it('gives the radiation of FAO-56, example 8: 32.2 MJ/m² at 20° south on 3 September', () => {
  expect(extraterrestrialRadiation(Date.parse('2001-09-03'), -20)).toBeCloseTo(32.2, 1);
});

it('gives none in a polar night, and some on a polar day', () => {
  expect(extraterrestrialRadiation(Date.parse('2001-12-21'), 80)).toBe(0);
  expect(extraterrestrialRadiation(Date.parse('2001-06-21'), 80)).toBeGreaterThan(40);
});

it('gives the evapotranspiration of FAO-56, example 20: 5.0 mm a day at Lyon in July', () => {
  const given = { tmin: [14.8], tmax: [26.6], latitude: 45.72, start_date: '2001-07-15' };
  expect(hargreavesEvapotranspiration(given)[0]).toBeCloseTo(5.0, 1);
  expect(0.408 * extraterrestrialRadiation(Date.parse('2001-07-15'), 45.72)).toBeCloseTo(16.55, 1);
});

it('is missing where a temperature is, or where the minimum is above the maximum', () => {
  const days = hargreavesEvapotranspiration({
    tmin: [null, 10, 20, -60],
    tmax: [20, null, 10, -50],
    start_date: '2001-07-15',
    latitude: 45,
  });
  expect([...days]).toEqual([Number.NaN, Number.NaN, Number.NaN, 0]);
});

it('refuses columns of different lengths and places that are none', () => {
  const given = { tmin: [1, 2], tmax: [3], start_date: '2001-01-01', latitude: 0 };
  expect(() => hargreavesEvapotranspiration(given)).toThrow(ArgumentError);
  expect(() => hargreavesEvapotranspiration({ ...given, latitude: 91 })).toThrow(/latitude/);
});
