import { expect, it } from 'vitest';
import { findSpells } from '../../../src/agronomy/weather/days-beyond.js';

const NONE = Number.NaN;
const RAIN = { start_date: '2012-02-27', values: Float64Array.of(0, 0.9, 5, 0, 0, 0, 2, 0, NONE, 0, 0, 0) };

it('finds dry spells, and says which may be longer', () => {
  expect(findSpells(RAIN, { below: 1, min_days: 2 })).toEqual([
    { start_date: '2012-02-27', end_date: '2012-02-28', days: 2, open: true },
    { start_date: '2012-03-01', end_date: '2012-03-03', days: 3, open: false },
    { start_date: '2012-03-07', end_date: '2012-03-09', days: 3, open: true },
  ]);
});

it('leaves out shorter ones', () => {
  expect(findSpells(RAIN, { below: 1, min_days: 4 })).toEqual([]);
  expect(findSpells(RAIN, { below: 1, min_days: 1 }).map(({ days }) => days)).toEqual([2, 3, 1, 3]);
});
