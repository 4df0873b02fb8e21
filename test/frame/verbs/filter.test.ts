import { expect, test } from 'vitest';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import type { FilterOptions } from '../../../src/frame/verbs/filter.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { annual, daily, endsAndValues, longOf, wideOf, wideValues } from '../verbs.js';

const SERIES = [{ frequency_id: 1 }, daily('2004-02-27', [5, null, 30, -2])] as const;
const YEARS = [{ region_id: 6 }, annual(2004, [50])] as const;

test.each([
  [{ start_date: '2004-02-29' }, [2, 3]],
  [{ end_date: '2004-02-28' }, [0, 1]],
  [{}, [0, 1, 2, 3]],
])('keeps the points that fit %j', (options: FilterOptions, kept) => {
  const points = SERIES[1].map(([, end, value]) => [end, value]);
  expect(endsAndValues(longOf(SERIES).filter(options))).toEqual(kept.map((at) => points[at]));
});

test('a period that overlaps the dates is kept', () => {
  const kept = (start_date: string) => endsAndValues(longOf(YEARS).filter({ start_date })).length;
  expect(kept('2004-12-31')).toBe(1);
  expect(kept('2005-01-01')).toBe(0);
});

test('a wide frame keeps the dates on which the period of a series fits', () => {
  const wide = wideOf(SERIES, YEARS).filter({ start_date: '2004-03-01', end_date: '2004-06-30' });
  expect([...wide.getChild('end_date')!]).toEqual(['2004-03-01', '2004-12-31'].map(Date.parse));
  expect(wideValues(wide)).toEqual([
    [-2, null],
    [null, 50],
  ]);
});

test.each([
  [{ start_date: 'soon' }, /start_date/],
  [
    { start_date: '2005-01-01', end_date: '2004-01-01' },
    /^start_date: 2005-01-01 is after end_date 2004-01-01$/,
  ],
  [{ from: '2004-01-01' }, /from: filter has no such option/],
])('refuses %j', (options, message) => {
  const call = () => longOf(SERIES).filter(options as FilterOptions);
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(message);
});

test('any table keeps the rows for which the test holds, with columns of every type', () => {
  const table = fromRows([
    { id: 1n, ok: true, parts: [1, 2] },
    { id: 2n, ok: false, parts: [] },
    { id: null, ok: true, parts: null },
  ]);
  const kept = table.filter(({ ok }) => ok === true);
  expect(kept.toRows()).toEqual([
    { id: 1n, ok: true, parts: [1, 2] },
    { id: null, ok: true, parts: null },
  ]);
  expect(() => table.filter({ end_date: '2004-01-01' })).toThrow(ArgumentError);
});
